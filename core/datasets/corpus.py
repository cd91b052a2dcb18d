"""The record of a corpus, which readers, downloads, sweeps and pages share."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class File:
    """A released file: its size in bytes and its checksum."""

    size: int
    sha256: str


@dataclass(frozen=True)
class Corpus:
    """A dataset in its official layout.

    Args:
        name: of the corpus and of its folder under the data root.
        title: its name on pages.
        subject: what its classes tell apart, in a word or two.
        classes: the names of the classes; one tuple for each number of classes that it can be read in, the default
            first.
        read: (folder, split, n_classes) -> samples. Raises ValueError where the folder does not hold them.
        files: as released, by their paths in the folder.
        url: where they are released: the address of a folder, or of a zip archive that holds them all. "" where no
            address is known.
        has_test: whether the official test split is among the files.
    """

    name: str
    title: str
    subject: str
    classes: tuple[tuple[str, ...], ...]
    read: Callable[..., Any]
    files: Mapping[str, File] = field(default_factory=dict)
    url: str = ""
    has_test: bool = True

    def title_in(self, n_classes: int) -> str:
        """The title, with the number of classes where the corpus can be read in several."""
        return f"{self.title}-{n_classes}" if len(self.classes) > 1 else self.title
