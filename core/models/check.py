"""Checks the values of a configuration before memory is allocated."""

from dataclasses import fields
from math import isfinite, prod
from typing import Any, Literal, get_args, get_origin

MAX_SIZE = 10**6  # of one dimension
MAX_PRODUCT = 10**9  # numbers in one tensor


def check_sizes(config: Any, *products: tuple[str, ...]) -> None:
    """Raise ValueError, naming the field, unless every value has its field's type and range.

    An int must be from 1 to a million, a float finite, and a Literal one of its choices.

    Args:
        config: dataclass to check.
        products: names of fields that are the sizes of one tensor, so their product must be at most a billion.
    """
    sizes = {field.name: getattr(config, field.name) for field in fields(config) if field.type in (int, "int")}
    for name, value in sizes.items():
        if type(value) is not int or not 1 <= value <= MAX_SIZE:
            raise ValueError(f"{name} is {value!r:.40}, wanted a whole number from 1 to {MAX_SIZE:,}")
    for field in fields(config):
        _check_type(field.name, field.type, getattr(config, field.name))
        choices, value = get_args(field.type), getattr(config, field.name)
        if get_origin(field.type) is Literal and value not in choices:
            raise ValueError(f"{field.name} is {value!r:.40}, wanted one of {', '.join(choices)}")
    for names in products:
        if (product := prod(sizes[name] for name in names)) > MAX_PRODUCT:
            raise ValueError(f"{' x '.join(names)} is {product:,}, wanted at most {MAX_PRODUCT:,}")


def _check_type(name: str, wanted: Any, value: object) -> None:
    """Raise ValueError unless a value has its field's type, which may be bool, str or float."""
    if wanted is bool and not isinstance(value, bool):
        raise ValueError(f"{name} is {value!r:.40}, wanted true or false")
    if wanted is str and not isinstance(value, str):
        raise ValueError(f"{name} is {value!r:.40}, wanted text")
    if wanted is float and (isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value)):
        raise ValueError(f"{name} is {value!r:.40}, wanted a number")
