"""The check of sizes that every configuration makes before memory is allocated."""

from dataclasses import fields
from math import prod
from typing import Literal, get_args, get_origin

LARGEST = 10**6
LARGEST_PRODUCT = 10**9


def check_sizes(config: object, *products: tuple[str, ...]) -> None:
    """Raise ValueError, naming the field, unless every int is from 1 to a million and every Literal one of its values.

    Args:
        config: a dataclass.
        products: names of fields whose product must be at most a billion: the sizes of one tensor.
    """
    sizes = {field.name: getattr(config, field.name) for field in fields(config) if field.type in (int, "int")}
    for name, value in sizes.items():
        if type(value) is not int or not 1 <= value <= LARGEST:
            raise ValueError(f"{name} is {value!r}, wanted a whole number from 1 to {LARGEST:,}")
    for field in fields(config):
        choices, value = get_args(field.type), getattr(config, field.name)
        if get_origin(field.type) is Literal and value not in choices:
            raise ValueError(f"{field.name} is {value!r}, wanted one of {', '.join(choices)}")
    for names in products:
        if (product := prod(sizes[name] for name in names)) > LARGEST_PRODUCT:
            raise ValueError(f"{' x '.join(names)} is {product:,}, wanted at most {LARGEST_PRODUCT:,}")
