"""Reads the measured units that an archive from elsewhere carries: checked, and never unpickled."""

import math
import zipfile
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy import ndarray
from numpy.lib import format as npy

from core.archives import open_archive, read_blocks
from core.datasets import shipped
from core.measured import store

_IN_WORDS = {"U": "text", "iu": "whole numbers", "f": "numbers"}  # kinds of types of NumPy
CARRIED = ("units", "reading")  # quantities that an archive carries
MAX_ENTRY = 32 << 20  # bytes of one array
MAX_BYTES = 64 << 20  # bytes of all arrays of a file
MAX_UNITS, MAX_WORDS, MAX_SAMPLES, MAX_TEXT = 1024, 200_000, 1_000_000, 400  # MAX_TEXT in characters
LARGE = 1e9
TEXTS = {"words", "names", "rules", "aims", "alike", "data", "sha256"}
WHOLE = {"numbers", "counts", "texts", "top", "active", "n"}
BREAKS = "\t\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"  # no word, name or phrase has one of these


def read(path: Path, quantity: str, sha256: str, n_classes: int) -> dict[str, ndarray]:
    """The arrays of a file, as in ``core.measured.store``.

    Args:
        path: file from an archive.
        quantity: one of ``CARRIED``.
        sha256: checksum of the weights that the file must be about.
        n_classes: number of classes of the network.

    Raises:
        ValueError: one sentence that names the first problem.
    """
    try:
        return _read(path, quantity, sha256, n_classes)
    except ValueError as error:
        raise ValueError(f"{quantity}.npz: {error}") from None


def _read(path: Path, quantity: str, sha256: str, n_classes: int) -> dict[str, ndarray]:
    shapes = store.ARRAYS[quantity] | {"data": (), "sha256": ()}
    arrays = _arrays(path, f"{quantity}.npz", shapes)
    if not store.are_valid(arrays, shapes):
        raise ValueError("an array has another shape than the others, or a number that is not finite")
    for name, array in arrays.items():
        kinds = "U" if name in TEXTS else "iu" if name in WHOLE else "f"
        if array.dtype.kind not in kinds:
            raise ValueError(f"{name} has the type {array.dtype}, wanted {_IN_WORDS[kinds]}")
    if str(arrays["sha256"]) != sha256:
        raise ValueError("it was measured with other weights")
    _check_values(arrays, n_classes, len(shipped.sentences()) if quantity == "reading" else MAX_SAMPLES)
    return arrays


def _arrays(path: Path, title: str, names: Iterable[str]) -> dict[str, ndarray]:
    """The arrays with these names; ValueError if one is missing, too large or no plain array."""
    names = list(names)
    with path.open("rb") as file:
        archive, entries = open_archive(file, title, len(names) + 1)
        by_name = {entry.filename.removesuffix(".npy"): entry for entry in entries}
        if missing := [name for name in names if name not in by_name]:
            raise ValueError(f"the array {missing[0]} is missing")
        if sum(by_name[name].file_size for name in names) > MAX_BYTES:
            raise ValueError(f"its arrays have more than {MAX_BYTES >> 20} MB")
        return {name: _array(archive, by_name[name], name) for name in names}


def _array(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str) -> ndarray:
    """An array, whose header is compared with the number of bytes before anything is made of it."""
    if entry.file_size > MAX_ENTRY:
        raise ValueError(f"the array {name} has more than {MAX_ENTRY >> 20} MB")
    file = BytesIO(b"".join(read_blocks(archive, entry)))
    try:
        read_header = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}[npy.read_magic(file)]
        shape, is_fortran, dtype = read_header(file)
        content = file.read()
        n_bytes = math.prod(shape) * dtype.itemsize if min(shape, default=0) >= 0 else -1
        if dtype.kind not in "Uiuf" or not dtype.itemsize or len(content) != n_bytes:
            raise ValueError(name)
        array = np.frombuffer(content, dtype) if content else np.zeros(0, dtype)
        return array.reshape(shape, order="F" if is_fortran else "C")
    except Exception:  # a damaged header makes NumPy raise nearly anything
        raise ValueError(f"the array {name} is damaged, or no array of numbers or text") from None


def _check_values(arrays: dict[str, ndarray], n_classes: int, most: int) -> None:
    """Raise ValueError for values that no measurement gives. most: largest number of samples."""
    n, numbers, texts = int(arrays["n"][0]), arrays["numbers"], arrays["texts"]
    wanted = {
        f"1 to {MAX_UNITS:,} units": 1 <= len(numbers) <= MAX_UNITS,
        f"1 to {most:,} samples": 1 <= n <= most,
        "numbers of units from 1, all different": numbers.min(initial=1) >= 1
        and len(np.unique(numbers)) == len(numbers),
        f"effects on {n_classes} classes": arrays["effect"].shape[1] == n_classes,
        "a bit for each sample": arrays["active"].dtype == np.uint8 and arrays["active"].shape[1] == -(-n // 8),
        f"numbers of samples below {most:,}": texts.min(initial=0) >= 0 and texts.max(initial=0) < most,
        f"1 to {MAX_WORDS:,} words that occur": 1 <= len(arrays["words"]) <= MAX_WORDS and arrays["counts"].min() >= 1,
        "numbers that can be shown": all(_are_small(array) for array in arrays.values() if array.dtype.kind != "U"),
    }
    for what, holds in wanted.items():
        if not holds:
            raise ValueError(f"wanted {what}")
    for name in TEXTS:
        for text in arrays[name].ravel().tolist():
            if len(text) > MAX_TEXT or any(character in BREAKS for character in text):
                raise ValueError(f"{name} has a text of several lines, or of more than {MAX_TEXT} characters")
    for name, allowed in {"aims": lambda aim: aim in ("takes", "active"), "alike": _are_numbers}.items():
        if not all(map(allowed, arrays[name].tolist())):
            raise ValueError(f"{name} has another text than a measurement gives")


def _are_small(numbers: ndarray) -> bool:
    """Whether no number is so large that a page cannot show it."""
    return bool(np.abs(numbers.astype(float)).max(initial=0) < LARGE)


def _are_numbers(text: str) -> bool:
    """Whether a text has only whole numbers, separated by spaces."""
    return all(part.isascii() and part.isdecimal() for part in text.split())
