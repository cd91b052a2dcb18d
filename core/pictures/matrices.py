"""Reads views from smallNORB's official matrices: the first pairs of -dat, or one toy's views if -info is given too."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedIOBase

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from core.archives import quoted
from core.datasets import binary, smallnorb
from core.datasets.smallnorb import Toy
from core.pictures.sources import MAX_BYTES_TOGETHER, Files
from core.pictures.view import MAX_VIEWS, MIN_SIDE, View, view

MAX_BYTES = 1 << 30  # unpacked bytes of all images; the official files have 448 million
MIXED = "Without the -cat matrix, toys of different kinds are taken for one."

Roles = dict[str, tuple[str, BufferedIOBase]]  # name and file of each matrix, by "dat", "info" or "cat"


def views(files: Files, toy: Toy | None) -> tuple[list[View], list[str]]:
    """The views of a toy, sorted by elevation and azimuth, or the first pairs if there is no -info; and notices.

    Args:
        files: as in ``core.pictures.read``.
        toy: toy to read; the first one if None.

    Raises:
        ValueError: as in ``toys``, or there is no such toy, or a file is damaged.
    """
    with _errors_as_sentences():
        roles, n = _roles(files)
        if toy is not None and "info" not in roles:
            raise ValueError("Without the -info matrix, one toy cannot be distinguished from another")
        chosen, info, notices = np.arange(n), None, []
        if "info" in roles:
            categories, info = _labels(roles, n)
            available = _toys(roles, categories, info)
            if toy is not None and toy not in available:
                raise ValueError("The matrices hold no such toy")
            chosen = smallnorb.rows_of(toy or available[0], categories, info)
            notices += [f"The first of {len(available)} toys is shown."] if toy is None and len(available) > 1 else []
            notices += [MIXED] if "cat" not in roles else []
        if len(chosen) > MAX_VIEWS:
            notices.append(f"Only the first {MAX_VIEWS} of {len(chosen):,} views are taken.")
        return list(_views(roles["dat"], chosen[:MAX_VIEWS], info)), notices


def toys(files: Files) -> tuple[Toy, ...]:
    """The sorted toys in matrices with -info; none without -info.

    Raises:
        ValueError: the files are not smallNORB's matrices or do not match, or the labels are damaged.
    """
    with _errors_as_sentences():
        roles, n = _roles(files)
        return tuple(_toys(roles, *_labels(roles, n))) if "info" in roles else ()


@contextmanager
def _errors_as_sentences() -> Iterator[None]:
    """End the message of a ValueError with a full stop."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{str(error).rstrip('.')}.") from None


def _views(
    dat: tuple[str, BufferedIOBase], chosen: Int[ndarray, " n"], info: Int[ndarray, "m 4"] | None
) -> Iterator[View]:
    """Yield the chosen views; without ``info`` they have no directions."""
    name, file = dat
    for number, pair in zip(chosen, binary.rows(file, quoted(name), chosen), strict=True):
        eyes = [(eye, quoted(name)) for eye in pair]
        if info is None:
            yield view(f"pair {number + 1}", eyes)
        else:
            azimuth, elevation = smallnorb.directions(info[[number]])[0].tolist()
            yield view(f"azimuth {azimuth:.0f}°, elevation {elevation:.0f}°", eyes, azimuth, elevation)


def _toys(roles: Roles, categories: Int[ndarray, " n"], info: Int[ndarray, "n 4"]) -> list[Toy]:
    """Every toy once, sorted; its category is None without -cat."""
    labels = np.unique(np.column_stack([categories, info[:, 0], info[:, 3]]), axis=0).tolist()
    return [Toy(category if "cat" in roles else None, instance, lighting) for category, instance, lighting in labels]


def _labels(roles: Roles, n: int) -> tuple[Int[ndarray, " n"], Int[ndarray, "n 4"]]:
    """The category and the row of -info of each pair; all categories are 0 without -cat."""
    labels = {role: binary.rows(file, quoted(name)) for role, (name, file) in roles.items() if role != "dat"}
    categories, info = labels.get("cat", np.zeros(n, np.int32)), labels["info"]
    smallnorb.check_labels(n, categories, info)
    return categories, info


def _roles(files: Files) -> tuple[Roles, int]:
    """The role of each matrix, found from its header, and the number of pairs."""
    roles, counts = {}, {}
    for name, file in files:
        dtype, shape = binary.header(file, quoted(name))
        role = _role(dtype, shape, quoted(name))
        if role in roles:
            raise ValueError(f"{quoted(name)} and {quoted(roles[role][0])} are both a -{role} matrix")
        roles[role], counts[role] = (name, file), shape[0]
    if "dat" not in roles:
        raise ValueError("The -dat matrix is missing, which holds the images")
    if len(set(counts.values())) > 1:
        sizes = ", ".join(f"-{role} is of {count:,}" for role, count in counts.items())
        raise ValueError(f"The matrices do not belong together: {sizes} pairs")
    return roles, counts["dat"]


def _role(dtype: np.dtype, shape: tuple[int, ...], name: str) -> str:
    """The role of a matrix with this type and shape: "dat", "cat" or "info"."""
    if dtype == np.uint8 and len(shape) == 4 and shape[1] == 2 and shape[0]:
        _check_images(shape, name)
        return "dat"
    if dtype == np.int32 and len(shape) == 1:
        return "cat"
    if dtype == np.int32 and len(shape) == 2 and shape[1] == 4:
        return "info"
    raise ValueError(f"{name} is not one of smallNORB's matrices -dat, -cat and -info: {dtype}, sizes {list(shape)}")


def _check_images(shape: tuple[int, ...], name: str) -> None:
    """Raise ValueError if the images are too large for a session. If the images fit, the labels do too."""
    n, _, y, x = shape
    if min(y, x) < MIN_SIDE:
        raise ValueError(f"{name} holds images of {x} x {y} pixels, where {MIN_SIDE} a side are wanted")
    if n * 2 * y * x > MAX_BYTES or MAX_VIEWS * 2 * y * x > MAX_BYTES_TOGETHER:
        raise ValueError(f"{name} holds more than can be read: {n:,} pairs of {x:,} x {y:,} pixels")
