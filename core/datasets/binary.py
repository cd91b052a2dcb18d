"""The binary matrices that smallNORB comes in, plain or gzipped: a magic number, sizes, the numbers."""

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

TYPES = {0x1E3D4C55: "u1", 0x1E3D4C54: "<i4", 0x1E3D4C51: "<f4", 0x1E3D4C53: "<f8", 0x1E3D4C56: "<i2"}
GZIP = b"\x1f\x8b"
MOST_AXES = 8
DENSEST = 1032  # bytes that one compressed byte can stand for (deflate)
BLOCK = 1 << 20  # bytes


def read_matrix(path: Path) -> ndarray:
    """A binary matrix, plain (mapped, not read) or gzipped (streamed into memory).

    Raises:
        ValueError: it cannot be read, has another magic number or impossible sizes, or holds fewer or more numbers
            than it says. Sizes are held against the file's own before memory is taken.
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
    """The dtype and the sizes in the header of the matrix in a seekable file.

    Raises:
        ValueError: as ``read_matrix``; the message calls the file ``name``.
    """
    with _opened(file, name) as (_, dtype, shape):
        return dtype, shape


def rows(file: BufferedIOBase, name: str | Path, chosen: Sequence[int] | Int[ndarray, " m"] | None = None) -> ndarray:
    """Rows of the matrix in a seekable file, plain or gzipped. A gzipped file is streamed; no other row is kept.

    Args:
        name: of the file, for messages.
        chosen: the numbers of the rows, in the order in which they are returned; all rows where None.

    Raises:
        ValueError: as ``read_matrix``, or there is no such row.
    """
    with _opened(file, name) as (numbers, dtype, shape):
        start, row = numbers.tell(), math.prod(shape[1:]) * dtype.itemsize
        if chosen is None:
            matrix = np.empty(shape, dtype)
            _fill(numbers, matrix)
        else:
            chosen = np.asarray(chosen, np.int64)
            if ((chosen < 0) | (chosen >= shape[0])).any():
                raise ValueError(f"{name} has {shape[0]:,} rows, more were wanted")
            matrix = np.empty((len(chosen), *shape[1:]), dtype)
            for at in np.argsort(chosen):  # an archive is only read forwards
                numbers.seek(start + int(chosen[at]) * row)
                _fill(numbers, matrix[at : at + 1])
        wants = start + shape[0] * row
        if (ends := numbers.seek(wants)) < wants or numbers.read(1):
            raise ValueError(f"{name} holds {'fewer' if ends < wants else 'more'} numbers than its sizes {list(shape)}")
    return matrix


def write_matrix(path: Path, matrix: ndarray) -> None:
    """Write a binary matrix, gzipped where the name ends in .gz, under a temporary name first.

    Raises:
        ValueError: a dtype or a number of axes that the format does not have.
    """
    magics = {np.dtype(dtype): magic for magic, dtype in TYPES.items()}
    dtype = matrix.dtype.newbyteorder("<")
    if dtype not in magics or not 1 <= matrix.ndim <= MOST_AXES:
        raise ValueError(f"matrix has {matrix.ndim} axes of {dtype}, wanted 1 to {MOST_AXES} of a type of NORB's")
    sizes = [*matrix.shape, 1, 1][: max(3, matrix.ndim)]
    part = path.with_name(path.name + ".part")
    # No name and no time in the archive: the same matrix gives the same file.
    with part.open("wb") as raw, gzip.GzipFile("", "wb", 6, raw, 0) if path.suffix == ".gz" else raw as file:
        file.write(struct.pack(f"<2i{len(sizes)}i", magics[dtype], matrix.ndim, *sizes))
        for start in range(0, len(matrix), rows := max(1, BLOCK // max(1, matrix[:1].nbytes))):
            file.write(np.ascontiguousarray(matrix[start : start + rows], dtype).tobytes())
    part.replace(path)


@contextmanager
def _opened(file: BufferedIOBase, name: str | Path) -> Iterator[tuple[BufferedIOBase, np.dtype, tuple[int, ...]]]:
    """The file after its header, unpacked where it is gzipped, with dtype and sizes; errors within are ValueErrors."""
    try:
        size = file.seek(0, SEEK_END)
        file.seek(0)
        zipped = file.read(2) == GZIP
        file.seek(0)
        with gzip.GzipFile(fileobj=file) if zipped else nullcontext(file) as numbers:
            dtype, shape = _header(numbers, name)
            wants, holds = math.prod(shape) * dtype.itemsize, size - numbers.tell()
            of_sizes = f"{wants:,} bytes of its sizes {list(shape)}"
            if zipped and wants > DENSEST * size:
                raise ValueError(f"{name} cannot hold the {of_sizes}")
            if not zipped and wants != holds:
                raise ValueError(f"{name} holds {holds:,} bytes of numbers, wanted the {of_sizes}")
            yield numbers, dtype, shape
    except (EOFError, struct.error, gzip.BadGzipFile, zlib.error):
        raise ValueError(f"{name} cannot be read as a matrix: it is damaged or ends too soon") from None


def _fill(file: BufferedIOBase, matrix: ndarray) -> None:
    """Fill a contiguous matrix with bytes of the file, or as much of it as the file has."""
    room, at = memoryview(matrix.reshape(-1).view(np.uint8)), 0
    while at < len(room) and (got := file.readinto(room[at : at + BLOCK])):
        at += got


def _header(file: BufferedIOBase, name: str | Path) -> tuple[np.dtype, tuple[int, ...]]:
    magic, n_axes = struct.unpack("<Ii", file.read(8))
    if magic not in TYPES:
        raise ValueError(f"{name} begins with 0x{magic:08X}, which is none of smallNORB's magic numbers")
    if not 1 <= n_axes <= MOST_AXES:
        raise ValueError(f"{name} says that it has {n_axes} axes, wanted 1 to {MOST_AXES}")
    n_sizes = max(3, n_axes)
    sizes = struct.unpack(f"<{n_sizes}i", file.read(4 * n_sizes))
    if min(sizes[:n_axes]) < 0:
        raise ValueError(f"{name} says that its sizes are {list(sizes[:n_axes])}, wanted none below 0")
    return np.dtype(TYPES[magic]), sizes[:n_axes]
