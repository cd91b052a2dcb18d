"""smallNORB (LeCun, Huang, Bottou 2004): stereo pictures of 50 toys from 162 directions in 6 lights."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, NamedTuple

import numpy as np
from jaxtyping import Float, Int, UInt8
from numpy import ndarray

from core.datasets.binary import header, read_matrix, rows
from core.datasets.corpus import Corpus, File

STEMS = {
    "train": "smallnorb-5x46789x9x18x6x2x96x96-training",
    "test": "smallnorb-5x01235x9x18x6x2x96x96-testing",
}
TRAIN, TEST = STEMS.values()
FILES = {
    f"{TRAIN}-dat.mat.gz": File(131_896_188, "5ffd6272a07d32695ee1082a26a41a93a37aab8c28da047f8c34ed348d214873"),
    f"{TRAIN}-cat.mat.gz": File(348, "2784e542c1922060691090952b6cd6278879a216c90f81476f0f00256d42cdaa"),
    f"{TRAIN}-info.mat.gz": File(71_052, "de7eb932ebe7a4ee16217fead60660d0eb3d23632c2f4d1c51f88c501c17bf32"),
    f"{TEST}-dat.mat.gz": File(130_799_817, "cf7104eed3e51174d2f65b66d1e5878b9da233b886f161b0d88f4510ba2c7474"),
    f"{TEST}-cat.mat.gz": File(347, "ecaf6d5bb8c3bc5eab9cf0258f6d2198dd474e016e374836fc097f2e5ff509ff"),
    f"{TEST}-info.mat.gz": File(10_428, "16adf314226327ee006d1a44db8cfef52773c06c829951d5653a9f6f310248a2"),
}
RENDERED = "toyrig.json"  # file next to rendered pictures, with the program and seed
CLASSES = ("animal", "human", "airplane", "truck", "car")
INFO = {
    "instance": 9,
    "elevation": 8,
    "azimuth": 34,
    "lighting": 5,
}  # columns of -info, and their maxima


class Toy(NamedTuple):
    """A toy in one light.

    Args:
        category: index into ``CLASSES``; None if unknown.
        instance: 0-9.
        lighting: 0-5.
    """

    category: int | None
    instance: int
    lighting: int


@dataclass(frozen=True)
class Views:
    """Pairs of pictures with their labels.

    Args:
        images: left and right pictures, grey.
        categories: indices into ``CLASSES``.
        info: columns of ``INFO``: instance 0-9; elevation e = 0-8, for 30 + 5 e degrees; azimuth a = 0, 2, .. 34, for
            10 a degrees; lighting 0-5.
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


@dataclass(frozen=True)
class ViewSubset:
    """A subset of smallNORB's views. Images stay on disk until a batch is read.

    Args:
        views: all views.
        numbers: indices of the views in the subset.
    """

    views: Views
    numbers: Int[ndarray, " n"]

    classes: ClassVar[tuple[str, ...]] = CLASSES

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def toys(self) -> Int[ndarray, " n"]:
        """The number of the toy in each view: ten times its category, plus its instance."""
        return 10 * self.views.categories[self.numbers] + self.views.info[self.numbers, list(INFO).index("instance")]

    def first(self, n: int) -> "ViewSubset":
        """The first n views, n at least 1."""
        if n < 1:
            raise ValueError(f"the number of samples is {n}, wanted at least 1")
        return ViewSubset(self.views, self.numbers[:n])

    def take(self, positions: Iterable[int]) -> "ViewSubset":
        """The views at these positions in the subset, in this order."""
        return ViewSubset(self.views, self.numbers[list(positions)])

    def batch(self, positions: Int[ndarray, " b"]) -> tuple[UInt8[ndarray, "b 2 y x"], Int[ndarray, " b"]]:
        """Images and categories of the views at these positions in the subset, in memory."""
        numbers = self.numbers[positions]
        return np.asarray(self.views.images[numbers]), self.views.categories[numbers]

    @property
    def order(self) -> list[int]:
        """The positions of the views in the order of ``batches``."""
        return list(range(len(self)))

    def batches(self, size: int = 20) -> Iterator[tuple[UInt8[ndarray, "b 2 y x"], Int[ndarray, " b"]]]:
        """Yield images and categories of all views, in order."""
        for start in range(0, len(self), size):
            yield self.batch(np.arange(start, min(start + size, len(self))))


def check_labels(n: int, categories: Int[ndarray, "..."], info: Int[ndarray, "..."]) -> None:
    """Raise ValueError unless these are labels of n pairs with smallNORB's values."""
    for name, labels, shape in (("categories", categories, (n,)), ("info", info, (n, 4))):
        if labels.shape != shape or labels.dtype.kind not in "iu":
            raise ValueError(f"{name} is {list(labels.shape)} of {labels.dtype}, wanted {list(shape)} of integers")
    if not ((categories >= 0) & (categories < len(CLASSES))).all():
        raise ValueError(f"categories holds numbers outside 0 to {len(CLASSES) - 1}")
    for column, (name, largest) in zip(info.T, INFO.items(), strict=True):
        if not ((column >= 0) & (column <= largest)).all():
            raise ValueError(f"info holds numbers outside 0 to {largest} as {name}")


def load(folder: Path, split: str) -> Views:
    """Read a split from its official files, each plain or gzipped. Plain images stay on disk until they are used.

    Raises:
        ValueError: there is no such split, a file is missing or damaged, or the files do not match.
    """
    matrices = [read_matrix(path) for path in _paths(folder, split)]
    try:
        return Views(*matrices)
    except ValueError as error:
        raise ValueError(f"{folder}, {split}: {error}") from None


def all_views(folder: Path, split: str, n_classes: int = len(CLASSES)) -> ViewSubset:
    """All views of a split, in the form that ``core.datasets.Corpus.read`` returns.

    Raises:
        ValueError: as in ``load``, or n_classes is not the number of classes.
    """
    if n_classes != len(CLASSES):
        raise ValueError(f"n_classes is {n_classes}, wanted {len(CLASSES)}")
    views = load(folder, split)
    return ViewSubset(views, np.arange(len(views)))


def rendered_by(folder: Path) -> str:
    """The program and seed that rendered the pictures in a folder, in words; "" for the released files.

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
        raise ValueError(f"{path} does not name the renderer and the seed of its pictures") from None


def toy(folder: Path, split: str, category: int, instance: int, lighting: int) -> Views:
    """Read the 162 views of one toy in one light, sorted by elevation, then azimuth.

    Raises:
        ValueError: as in ``load``, or the split has no such toy.
    """
    dat, *labels = _paths(folder, split)
    categories, info = map(read_matrix, labels)
    try:
        check_labels(len(categories), categories, info)
        chosen = rows_of(Toy(category, instance, lighting), categories, info)
        if not len(chosen):
            raise ValueError(f"there is no {CLASSES[category]} {instance + 1} in light {lighting + 1}, counted from 1")
        with dat.open("rb") as file:
            if (n := header(file, dat)[1][0]) != len(info):
                raise ValueError(f"there are {n:,} pairs of images and labels of {len(info):,}")
            return Views(rows(file, dat, chosen), categories[chosen], info[chosen])
    except (OSError, ValueError) as error:
        raise ValueError(f"{folder}, {split}: {error}") from None


def directions(info: Int[ndarray, "n 4"]) -> Float[ndarray, "n 2"]:
    """Azimuth and elevation in degrees, from the columns of ``INFO``."""
    return np.stack([10.0 * info[:, 2], 30 + 5.0 * info[:, 1]], 1)


def rows_of(toy: Toy, categories: Int[ndarray, " n"], info: Int[ndarray, "n 4"]) -> Int[ndarray, " m"]:
    """The indices of the pairs that show a toy, sorted by elevation, then azimuth."""
    instance, elevation, azimuth, lighting = info.T
    is_toy = (instance == toy.instance) & (lighting == toy.lighting)
    if toy.category is not None:
        is_toy &= categories == toy.category
    numbers = np.flatnonzero(is_toy)
    return numbers[np.lexsort((azimuth[numbers], elevation[numbers]))]


def _paths(folder: Path, split: str) -> list[Path]:
    """The paths of the files -dat, -cat and -info of a split."""
    if split not in STEMS:
        raise ValueError(f"split is {split!r}, wanted one of {', '.join(STEMS)}")
    paths = []
    for role in ("dat", "cat", "info"):
        name = f"{STEMS[split]}-{role}.mat"
        path = next((p for p in (folder / name, folder / f"{name}.gz") if p.is_file()), None)
        if path is None:
            raise ValueError(f"{folder} holds no {name} or {name}.gz")
        paths.append(path)
    return paths


CORPUS = Corpus(
    name="smallnorb",
    title="smallNORB",
    subject="kind of toy",
    classes=(CLASSES,),
    read=all_views,
    files=FILES,
    url="https://cs.nyu.edu/~ylclab/data/norb-v1.0-small/",
    samples="pictures of toys",
    called="kinds",
    hub="Ramos-Ramos/smallnorb",
    terms="is for research and cannot be sold",
)
