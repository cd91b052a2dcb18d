"""smallNORB (LeCun, Huang, Bottou 2004): 50 toys in stereo, from 162 directions, in 6 lights; its official files."""

import gzip
import math
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
from jaxtyping import Int, UInt8
from numpy import ndarray

URL = "https://cs.nyu.edu/~ylclab/data/norb-v1.0-small/"
STEMS = {
    "train": "smallnorb-5x46789x9x18x6x2x96x96-training",
    "test": "smallnorb-5x01235x9x18x6x2x96x96-testing",
}
FILES = {  # of the official release: bytes, sha256
    f"{STEMS['train']}-dat.mat.gz": (
        131_896_188,
        "5ffd6272a07d32695ee1082a26a41a93a37aab8c28da047f8c34ed348d214873",
    ),
    f"{STEMS['train']}-cat.mat.gz": (348, "2784e542c1922060691090952b6cd6278879a216c90f81476f0f00256d42cdaa"),
    f"{STEMS['train']}-info.mat.gz": (71_052, "de7eb932ebe7a4ee16217fead60660d0eb3d23632c2f4d1c51f88c501c17bf32"),
    f"{STEMS['test']}-dat.mat.gz": (130_799_817, "cf7104eed3e51174d2f65b66d1e5878b9da233b886f161b0d88f4510ba2c7474"),
    f"{STEMS['test']}-cat.mat.gz": (347, "ecaf6d5bb8c3bc5eab9cf0258f6d2198dd474e016e374836fc097f2e5ff509ff"),
    f"{STEMS['test']}-info.mat.gz": (10_428, "16adf314226327ee006d1a44db8cfef52773c06c829951d5653a9f6f310248a2"),
}
SHA256 = {name: sha256 for name, (_, sha256) in FILES.items()}
CLASSES = ("animal", "human", "airplane", "truck", "car")
TYPES = {0x1E3D4C55: "u1", 0x1E3D4C54: "<i4", 0x1E3D4C51: "<f4", 0x1E3D4C53: "<f8", 0x1E3D4C56: "<i2"}
MOST_AXES = 8
DENSEST = 1032  # bytes that one compressed byte can stand for (deflate)
BLOCK = 1 << 20  # bytes
INFO = {"instance": 9, "elevation": 8, "azimuth": 34, "lighting": 5}  # the columns of -info, the largest of each


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
        if self.images.ndim != 4 or self.images.shape[1] != 2 or not self.images.size or self.images.dtype != np.uint8:
            raise ValueError(
                f"images is {list(self.images.shape)} of {self.images.dtype}, wanted [n, 2, y, x] of uint8"
            )
        for name, wanted in (("categories", (len(self),)), ("info", (len(self), 4))):
            found = getattr(self, name)
            if found.shape != wanted or found.dtype.kind not in "iu":
                raise ValueError(f"{name} is {list(found.shape)} of {found.dtype}, wanted {list(wanted)} of integers")
        if not ((self.categories >= 0) & (self.categories < len(CLASSES))).all():
            raise ValueError(f"categories holds numbers outside 0 to {len(CLASSES) - 1}")
        for column, (name, most) in zip(self.info.T, INFO.items(), strict=True):
            if not ((column >= 0) & (column <= most)).all():
                raise ValueError(f"info holds numbers outside 0 to {most} as {name}")

    def __len__(self) -> int:
        return len(self.images)


def load(folder: Path, split: str) -> Views:
    """A split in its official files, each plain or gzipped; plain images stay on the disk until they are used.

    Raises:
        ValueError: no such split, a file is missing or damaged, or the files do not belong together.
    """
    if split not in STEMS:
        raise ValueError(f"split is {split!r}, wanted one of {', '.join(STEMS)}")
    found = []
    for what in ("dat", "cat", "info"):
        name = f"{STEMS[split]}-{what}.mat"
        path = next((p for p in (folder / name, folder / f"{name}.gz") if p.is_file()), None)
        if path is None:
            raise ValueError(f"{folder} holds no {name} or {name}.gz")
        found.append(read_matrix(path))
    try:
        return Views(*found)
    except ValueError as error:
        raise ValueError(f"{folder}, {split}: {error}") from None


def read_matrix(path: Path) -> ndarray:
    """A binary matrix, plain (mapped, not read) or gzipped (streamed into memory).

    Raises:
        ValueError: it cannot be read, has another magic number or impossible sizes, or holds fewer or more numbers
            than it says. Sizes are held against the file's own before memory is taken.
    """
    try:
        with path.open("rb") as file:
            zipped = file.read(2) == b"\x1f\x8b"
        return _streamed(path) if zipped else _mapped(path)
    except (OSError, EOFError, zlib.error, struct.error) as error:
        raise ValueError(f"{path} cannot be read as a matrix: {error or 'it ends too soon'}") from None


def write_matrix(path: Path, matrix: ndarray) -> None:
    """Write a binary matrix, gzipped where the name ends in .gz, under a temporary name first.

    Raises:
        ValueError: a dtype or a number of axes that the format does not have.
    """
    magics = {np.dtype(dtype): magic for magic, dtype in TYPES.items()}
    dtype = matrix.dtype.newbyteorder("<")
    if dtype not in magics or not 1 <= matrix.ndim <= MOST_AXES:
        raise ValueError(
            f"matrix has {matrix.ndim} axes of {matrix.dtype}, wanted 1 to {MOST_AXES} of a type of NORB's"
        )
    sizes = [*matrix.shape, 1, 1][: max(3, matrix.ndim)]
    part = path.with_name(path.name + ".part")
    # No name and no time in the archive: the same matrix gives the same file.
    with part.open("wb") as raw, gzip.GzipFile("", "wb", 6, raw, 0) if path.suffix == ".gz" else raw as file:
        file.write(struct.pack(f"<2i{len(sizes)}i", magics[dtype], matrix.ndim, *sizes))
        for start in range(0, len(matrix), rows := max(1, BLOCK // max(1, matrix[:1].nbytes))):
            file.write(np.ascontiguousarray(matrix[start : start + rows], dtype).tobytes())
    part.replace(path)


def _mapped(path: Path) -> ndarray:
    with path.open("rb") as file:
        dtype, shape = _header(file, path)
        start = file.tell()
    holds, wants = path.stat().st_size - start, math.prod(shape) * dtype.itemsize
    if holds != wants:
        raise ValueError(f"{path} holds {holds:,} bytes of numbers, wanted the {wants:,} of its sizes {list(shape)}")
    return np.memmap(path, dtype, "r", start, shape) if wants else np.empty(shape, dtype)


def _streamed(path: Path) -> ndarray:
    with gzip.open(path) as file:
        dtype, shape = _header(file, path)
        wants = math.prod(shape) * dtype.itemsize
        if wants > DENSEST * path.stat().st_size:
            raise ValueError(f"{path} cannot hold the {wants:,} bytes of its sizes {list(shape)}")
        matrix = np.empty(shape, dtype)
        room, at = memoryview(matrix.reshape(-1).view(np.uint8)), 0
        while at < wants and (got := file.readinto(room[at : at + BLOCK])):
            at += got
        if at < wants or file.read(1):
            raise ValueError(f"{path} holds {'fewer' if at < wants else 'more'} numbers than its sizes {list(shape)}")
    return matrix


def _header(file: BinaryIO, path: Path) -> tuple[np.dtype, tuple[int, ...]]:
    magic, n_axes = struct.unpack("<Ii", file.read(8))
    if magic not in TYPES:
        raise ValueError(f"{path} begins with 0x{magic:08X}, which is none of smallNORB's magic numbers")
    if not 1 <= n_axes <= MOST_AXES:
        raise ValueError(f"{path} says that it has {n_axes} axes, wanted 1 to {MOST_AXES}")
    n_sizes = max(3, n_axes)
    sizes = struct.unpack(f"<{n_sizes}i", file.read(4 * n_sizes))
    if min(sizes[:n_axes]) < 0:
        raise ValueError(f"{path} says that its sizes are {list(sizes[:n_axes])}, wanted none below 0")
    return np.dtype(TYPES[magic]), sizes[:n_axes]
