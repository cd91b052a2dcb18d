"""What every configuration checks of itself, before memory is taken."""

from dataclasses import fields
from math import prod

LARGEST = 10**6
MOST_WEIGHTS = 10**9


def check_sizes(config: object, *products: str) -> None:
    """Raise ValueError, naming it, unless every whole-number field is one from 1 to a million.

    products: names of fields, a space between, whose product is at most a billion.
    """
    sizes = {field.name: getattr(config, field.name) for field in fields(config) if field.type in (int, "int")}
    for name, value in sizes.items():
        if type(value) is not int or not 1 <= value <= LARGEST:
            raise ValueError(f"{name} is {value!r}, wanted a whole number from 1 to {LARGEST:,}")
    for names in products:
        if (product := prod(sizes[name] for name in names.split())) > MOST_WEIGHTS:
            raise ValueError(f"{names.replace(' ', ' x ')} is {product:,}, wanted at most {MOST_WEIGHTS:,}")
