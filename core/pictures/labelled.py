"""Reads a folder of pictures with their category in the file name."""

import re
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from core.datasets import ViewSubset
from core.datasets.smallnorb import INFO, Views
from core.pictures import names, read
from core.pictures.decode import WANTED
from core.pictures.view import fit

SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".heic", ".heif")


def read_labelled(folder: Path) -> ViewSubset:
    """Read pictures with smallNORB's category in the file name, such as "07_airplane_left.png".

    Two pictures whose names differ only in "left" and "right" form a pair; a picture without a partner is shown to both
    eyes. If views differ in size, all are resized to smallNORB's size.

    Raises:
        ValueError: the folder holds no picture, a name contains no category or several, or a picture is refused.
    """
    groups: dict[str, list[Path]] = {}
    for path in sorted(folder.iterdir(), key=lambda path: names.natural(path.name)):
        if path.suffix.lower() in SUFFIXES:
            groups.setdefault(names.view(path.name), []).append(path)
    if not groups:
        raise ValueError(f"{folder} holds no picture: {WANTED}")
    pairs = [_read_view(paths) for paths in groups.values()]
    if len({pair.shape for pair in pairs}) > 1:
        pairs = [np.stack([fit(eye) for eye in pair]) for pair in pairs]
    categories = np.array([_category(name) for name in groups])
    return ViewSubset(Views(np.stack(pairs), categories, np.zeros((len(pairs), len(INFO)), int)), np.arange(len(pairs)))


def _read_view(paths: list[Path]) -> np.ndarray:
    """The pair of pictures [2, y, x] of one view."""
    with ExitStack() as stack:
        pictures = read([(path.name, stack.enter_context(path.open("rb"))) for path in paths])
    if len(pictures) != 1:
        raise ValueError(f"{paths[0].name} holds {len(pictures)} views, wanted one")
    return pictures.images[0]


def _category(name: str) -> int:
    """The index of the category that is a word in this file name."""
    words = re.findall("[a-z]+", name.lower())
    matches = [k for k, category in enumerate(ViewSubset.classes) if category in words]
    if len(matches) != 1:
        raise ValueError(f"{names.quoted(name)} must hold one of {', '.join(ViewSubset.classes)}")
    return matches[0]
