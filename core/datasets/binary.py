"""Reads and writes smallNORB's binary matrices, plain or gzipped: a magic number, the sizes, the numbers."""

import gzip
import math
import struct
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from io import SEEK_END, BufferedIOBase
from pathlib import Path

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from core.files import writing

TYPES = {  # dtypes by magic number
    0x1E3D4C55: "u1",
    0x1E3D4C54: "<i4",
    0x1E3D4C51: "<f4",
    0x1E3D4C53: "<f8",
    0x1E3D4C56: "<i2",
}
GZIP = b"\x1f\x8b"  # the first bytes of a gzipped file
MAX_AXES = 8
MAX_RATIO = 1032  # bytes that one byte of deflate can expand to
BLOCK = 1 << 20  # bytes that are read or written at once


def read_matrix(path: Path) -> ndarray:
    """Read a binary matrix. A plain file is memory-mapped; a gzipped one is streamed into memory.

    Raises:
        ValueError: the file cannot be read, has an unknown magic number or impossible sizes, or holds fewer or more
            numbers than its header states. Sizes are compared with the file size before memory is allocated.
    """
    try:
        with path.open("rb") as file:
            if file.read(2) == GZIP:
                return rows(file, path)
            with _opened(file, path) as (numbers, dtype, shape):
                start = numbers.tell()
        return np.memmap(path, dtype, "r", start, shape) if math.prod(shape) else np.empty(shape, dtype)
    except OSError as error:
        raise ValueError(f"{path} cannot be read as a matrix: {error}") from None


def header(file: BufferedIOBase, name: str | Path) -> tuple[np.dtype, tuple[int, ...]]:
    """Read the dtype and the sizes from the header of a matrix in a seekable file.

    Raises:
        ValueError: as in ``read_matrix``; the message calls the file ``name``.
    """
    with _opened(file, name) as (_, dtype, shape):
        return dtype, shape


def rows(file: BufferedIOBase, name: str | Path, chosen: Sequence[int] | Int[ndarray, " m"] | None = None) -> ndarray:
    """Read rows of a matrix in a seekable file. A gzipped file is streamed, and only the chosen rows stay in memory.

    Args:
        name: name of the file, for messages.
        chosen: indices of the rows, in the order in which to return them; all rows if None.

    Raises:
        ValueError: as in ``read_matrix``, or there is no such row.
    """
    with _opened(file, name) as (numbers, dtype, shape):
        start, row_size = numbers.tell(), math.prod(shape[1:]) * dtype.itemsize
        if chosen is None:
            matrix = np.empty(shape, dtype)
            _fill(numbers, matrix)
        else:
            chosen = np.asarray(chosen, np.int64)
            if ((chosen < 0) | (chosen >= shape[0])).any():
                raise ValueError(f"{name} has {shape[0]:,} rows, wanted more")
            matrix = np.empty((len(chosen), *shape[1:]), dtype)
            for k in np.argsort(chosen):  # a gzipped file can only be read forwards
                numbers.seek(start + int(chosen[k]) * row_size)
                _fill(numbers, matrix[k : k + 1])
        stated_end = start + shape[0] * row_size
        if (end := numbers.seek(stated_end)) < stated_end or numbers.read(1):
            raise ValueError(
                f"{name} holds {'fewer' if end < stated_end else 'more'} numbers than its sizes {list(shape)}"
            )
    return matrix


def write_matrix(path: Path, matrix: ndarray) -> None:
    """Write a binary matrix, gzipped if the name ends in .gz, under a temporary name first.

    Raises:
        ValueError: the format lacks this dtype or number of axes.
    """
    magics = {np.dtype(dtype): magic for magic, dtype in TYPES.items()}
    dtype = matrix.dtype.newbyteorder("<")
    if dtype not in magics or not 1 <= matrix.ndim <= MAX_AXES:
        raise ValueError(f"matrix has {matrix.ndim} axes of {dtype}, wanted 1 to {MAX_AXES} of a type of NORB's")
    sizes = [*matrix.shape, 1, 1][: max(3, matrix.ndim)]
    # Without a name and a time in the archive, the same matrix gives the same file.
    with (
        writing(path) as part,
        part.open("wb") as raw,
        gzip.GzipFile("", "wb", 6, raw, 0) if path.suffix == ".gz" else raw as file,
    ):
        file.write(struct.pack(f"<2i{len(sizes)}i", magics[dtype], matrix.ndim, *sizes))
        n_rows = max(1, BLOCK // max(1, matrix[:1].nbytes))
        for start in range(0, len(matrix), n_rows):
            file.write(np.ascontiguousarray(matrix[start : start + n_rows], dtype).tobytes())


@contextmanager
def _opened(file: BufferedIOBase, name: str | Path) -> Iterator[tuple[BufferedIOBase, np.dtype, tuple[int, ...]]]:
    """Open a matrix, unpacking gzip, and yield the file after its header, the dtype and the sizes.

    Raises:
        ValueError: the file is damaged, or its size does not match the header.
    """
    try:
        size = file.seek(0, SEEK_END)
        file.seek(0)
        is_gzipped = file.read(2) == GZIP
        file.seek(0)
        with gzip.GzipFile(fileobj=file) if is_gzipped else nullcontext(file) as numbers:
            dtype, shape = _header(numbers, name)
            n_stated, n_held = math.prod(shape) * dtype.itemsize, size - numbers.tell()
            stated = f"{n_stated:,} bytes of its sizes {list(shape)}"
            if is_gzipped and n_stated > MAX_RATIO * size:
                raise ValueError(f"{name} cannot hold the {stated}")
            if not is_gzipped and n_stated != n_held:
                raise ValueError(f"{name} holds {n_held:,} bytes of numbers, wanted the {stated}")
            yield numbers, dtype, shape
    except (EOFError, struct.error, gzip.BadGzipFile, zlib.error):
        raise ValueError(f"{name} cannot be read as a matrix: it is damaged or ends too soon") from None


def _fill(file: BufferedIOBase, matrix: ndarray) -> None:
    """Fill a contiguous matrix with bytes from the file. If the file ends too soon, the rest stays as it was."""
    buffer, n_filled = matrix.reshape(-1).view(np.uint8).data, 0
    while n_filled < len(buffer) and (n_read := file.readinto(buffer[n_filled : n_filled + BLOCK])):
        n_filled += n_read


def _header(file: BufferedIOBase, name: str | Path) -> tuple[np.dtype, tuple[int, ...]]:
    """Read the header at the start of an unpacked file."""
    magic, n_axes = struct.unpack("<Ii", file.read(8))
    if magic not in TYPES:
        raise ValueError(f"{name} begins with 0x{magic:08X}, which is not one of smallNORB's magic numbers")
    if not 1 <= n_axes <= MAX_AXES:
        raise ValueError(f"{name} says that it has {n_axes} axes, wanted 1 to {MAX_AXES}")
    n_sizes = max(3, n_axes)
    sizes = struct.unpack(f"<{n_sizes}i", file.read(4 * n_sizes))
    if min(sizes[:n_axes]) < 0:
        raise ValueError(f"{name} says that its sizes are {list(sizes[:n_axes])}, wanted none below 0")
    return np.dtype(TYPES[magic]), sizes[:n_axes]
