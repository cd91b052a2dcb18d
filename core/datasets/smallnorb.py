"""smallNORB (LeCun, Huang, Bottou 2004): 50 toys in stereo, from 162 directions, in 6 lights; its official files."""

import gzip
import json
import math
import struct
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from io import SEEK_END, BufferedIOBase
from pathlib import Path
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int, UInt8
from numpy import ndarray

URL = "https://cs.nyu.edu/~ylclab/data/norb-v1.0-small/"
STEMS = {
    "train": "smallnorb-5x46789x9x18x6x2x96x96-training",
    "test": "smallnorb-5x01235x9x18x6x2x96x96-testing",
}
TRAIN, TEST = STEMS.values()
FILES = {  # of the official release: bytes, sha256
    f"{TRAIN}-dat.mat.gz": (131_896_188, "5ffd6272a07d32695ee1082a26a41a93a37aab8c28da047f8c34ed348d214873"),
    f"{TRAIN}-cat.mat.gz": (348, "2784e542c1922060691090952b6cd6278879a216c90f81476f0f00256d42cdaa"),
    f"{TRAIN}-info.mat.gz": (71_052, "de7eb932ebe7a4ee16217fead60660d0eb3d23632c2f4d1c51f88c501c17bf32"),
    f"{TEST}-dat.mat.gz": (130_799_817, "cf7104eed3e51174d2f65b66d1e5878b9da233b886f161b0d88f4510ba2c7474"),
    f"{TEST}-cat.mat.gz": (347, "ecaf6d5bb8c3bc5eab9cf0258f6d2198dd474e016e374836fc097f2e5ff509ff"),
    f"{TEST}-info.mat.gz": (10_428, "16adf314226327ee006d1a44db8cfef52773c06c829951d5653a9f6f310248a2"),
}
SHA256 = {name: sha256 for name, (_, sha256) in FILES.items()}
RENDERED = "toyrig.json"  # lies beside pictures that were rendered, and says by what
CLASSES = ("animal", "human", "airplane", "truck", "car")
TYPES = {0x1E3D4C55: "u1", 0x1E3D4C54: "<i4", 0x1E3D4C51: "<f4", 0x1E3D4C53: "<f8", 0x1E3D4C56: "<i2"}
GZIP = b"\x1f\x8b"
MOST_AXES = 8
DENSEST = 1032  # bytes that one compressed byte can stand for (deflate)
BLOCK = 1 << 20  # bytes
INFO = {"instance": 9, "elevation": 8, "azimuth": 34, "lighting": 5}  # the columns of -info, the largest of each


class Toy(NamedTuple):
    """One toy in one light: an index into ``CLASSES``, or None where only one kind is meant; 0-9; 0-5."""

    category: int | None
    instance: int
    lighting: int


@dataclass(frozen=True)
class Views:
    """Pairs of photographs and what they show.

    images: left and right. categories: index into ``CLASSES``. info: instance 0-9; elevation 0-8, 30 + 5 e degrees;
    azimuth 0, 2, .. 34, times 10 degrees; lighting 0-5.
    """

    images: UInt8[ndarray, "n 2 y x"]
    categories: Int[ndarray, " n"]
    info: Int[ndarray, "n 4"]

    def __post_init__(self):
        images = self.images
        if images.ndim != 4 or images.shape[1] != 2 or not images.size or images.dtype != np.uint8:
            raise ValueError(f"images is {list(images.shape)} of {images.dtype}, wanted [n, 2, y, x] of uint8")
        check_labels(len(self), self.categories, self.info)

    def __len__(self) -> int:
        return len(self.images)


def check_labels(n: int, categories: Int[ndarray, "..."], info: Int[ndarray, "..."]) -> None:
    """Refuse labels that are not those of n pairs in smallNORB's numbers with a ValueError."""
    for name, found, wanted in (("categories", categories, (n,)), ("info", info, (n, 4))):
        if found.shape != wanted or found.dtype.kind not in "iu":
            raise ValueError(f"{name} is {list(found.shape)} of {found.dtype}, wanted {list(wanted)} of integers")
    if not ((categories >= 0) & (categories < len(CLASSES))).all():
        raise ValueError(f"categories holds numbers outside 0 to {len(CLASSES) - 1}")
    for column, (name, most) in zip(info.T, INFO.items(), strict=True):
        if not ((column >= 0) & (column <= most)).all():
            raise ValueError(f"info holds numbers outside 0 to {most} as {name}")


def load(folder: Path, split: str) -> Views:
    """A split in its official files, each plain or gzipped; plain images stay on the disk until they are used.

    Raises:
        ValueError: no such split, a file is missing or damaged, or the files do not belong together.
    """
    found = [read_matrix(path) for path in _paths(folder, split)]
    try:
        return Views(*found)
    except ValueError as error:
        raise ValueError(f"{folder}, {split}: {error}") from None


def rendered_by(folder: Path) -> str:
    """By what and from which seed a folder's pictures were rendered; "" for files that do not say, as released ones.

    Raises:
        ValueError: the folder's ``RENDERED`` cannot be read.
    """
    path = folder / RENDERED
    if not path.is_file():
        return ""
    try:
        about = json.loads(path.read_text(encoding="utf-8"))
        return f"{about['source']}, seed {about['seed']}"
    except (OSError, ValueError, TypeError, KeyError):
        raise ValueError(f"{path} does not say by what and from which seed pictures were rendered") from None


def toy(folder: Path, split: str, category: int, instance: int, lighting: int) -> Views:
    """The 162 views of one toy in one light from a split's official files, by elevation, then azimuth.

    Raises:
        ValueError: as ``load``, or the split has no such toy.
    """
    dat, *labels = _paths(folder, split)
    categories, info = map(read_matrix, labels)
    try:
        check_labels(len(categories), categories, info)
        chosen = rows_of(Toy(category, instance, lighting), categories, info)
        if not len(chosen):
            raise ValueError(f"there is no toy {instance} of category {category} in light {lighting}")
        with dat.open("rb") as file:
            if (n := header(file, dat)[1][0]) != len(info):
                raise ValueError(f"there are {n:,} pairs of images and labels of {len(info):,}")
            return Views(rows(file, dat, chosen), categories[chosen], info[chosen])
    except (OSError, ValueError) as error:
        raise ValueError(f"{folder}, {split}: {error}") from None


def directions(info: Int[ndarray, "n 4"]) -> Float[ndarray, "n 2"]:
    """Azimuth and elevation in degrees."""
    return np.stack([10.0 * info[:, 2], 30 + 5.0 * info[:, 1]], 1)


def rows_of(toy: Toy, categories: Int[ndarray, " n"], info: Int[ndarray, "n 4"]) -> Int[ndarray, " m"]:
    """The numbers of the pairs that show a toy, by elevation, then azimuth; none if it has none."""
    instance, elevation, azimuth, lighting = info.T
    shown = (instance == toy.instance) & (lighting == toy.lighting)
    if toy.category is not None:
        shown &= categories == toy.category
    found = np.flatnonzero(shown)
    return found[np.lexsort((azimuth[found], elevation[found]))]


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
    """What the matrix in a seekable file says of itself: dtype and sizes. The ValueErrors call the file ``name``."""
    with _opened(file, name) as (_, dtype, shape):
        return dtype, shape


def rows(file: BufferedIOBase, name: str | Path, chosen: Sequence[int] | Int[ndarray, " m"] | None = None) -> ndarray:
    """Rows of the matrix in a seekable file, plain or gzipped; an archive is streamed and no other row kept.

    ``chosen`` are their numbers in the order wanted, None is all of them; the messages call the file ``name``.

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


def _paths(folder: Path, split: str) -> list[Path]:
    if split not in STEMS:
        raise ValueError(f"split is {split!r}, wanted one of {', '.join(STEMS)}")
    found = []
    for what in ("dat", "cat", "info"):
        name = f"{STEMS[split]}-{what}.mat"
        path = next((p for p in (folder / name, folder / f"{name}.gz") if p.is_file()), None)
        if path is None:
            raise ValueError(f"{folder} holds no {name} or {name}.gz")
        found.append(path)
    return found


@contextmanager
def _opened(file: BufferedIOBase, name: str | Path) -> Iterator[tuple[BufferedIOBase, np.dtype, tuple[int, ...]]]:
    """The file behind its header, unpacked if need be, with dtype and sizes; what goes wrong inside is a ValueError."""
    try:
        size = file.seek(0, SEEK_END)
        file.seek(0)
        zipped = file.read(2) == GZIP
        file.seek(0)
        with gzip.GzipFile(fileobj=file) if zipped else nullcontext(file) as numbers:
            dtype, shape = _header(numbers, name)
            wants, holds = math.prod(shape) * dtype.itemsize, size - numbers.tell()
            told = f"{wants:,} bytes of its sizes {list(shape)}"
            if zipped and wants > DENSEST * size:
                raise ValueError(f"{name} cannot hold the {told}")
            if not zipped and wants != holds:
                raise ValueError(f"{name} holds {holds:,} bytes of numbers, wanted the {told}")
            yield numbers, dtype, shape
    except (EOFError, struct.error, gzip.BadGzipFile, zlib.error):
        raise ValueError(f"{name} cannot be read as a matrix: it is damaged or ends too soon") from None


def _fill(file: BufferedIOBase, matrix: ndarray) -> None:
    """Read into a whole contiguous matrix, as far as the file goes."""
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
