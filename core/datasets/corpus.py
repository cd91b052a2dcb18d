"""The description of a corpus, shared by readers, downloads, sweeps and pages."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class File:
    """A released file, with its size in bytes."""

    size: int
    sha256: str


@dataclass(frozen=True)
class Corpus:
    """A dataset in its official layout.

    Args:
        name: of the corpus and of its folder under the data root.
        title: its name on pages.
        subject: of the classification, in a word or two, such as "topic".
        classes: names of the classes, a tuple for each set of classes that the corpus can be read with, the default
            first.
        read: (folder, split, n_classes) -> samples. Raises ValueError if the folder does not hold them.
        files: as released, by their paths in the folder.
        url: of the folder, or of the zip archive, with the released files; "" if none is known.
        has_test: whether the official test split is among the files.
        examples: texts that pages offer, by a name of a word or two, written for this program; those of AG's News if
            there are none.
        one: what one of the examples is called.
        is_ordered: whether the classes have an order, such as from negative to positive.
    """

    name: str
    title: str
    subject: str
    classes: tuple[tuple[str, ...], ...]
    read: Callable[..., Any]
    files: Mapping[str, File] = field(default_factory=dict)
    url: str = ""
    has_test: bool = True
    examples: Mapping[str, str] = field(default_factory=dict)
    one: str = "example"
    is_ordered: bool = False

    def title_in(self, n_classes: int) -> str:
        """The title, with the number of classes if the corpus has several sets of classes."""
        return f"{self.title}-{n_classes}" if len(self.classes) > 1 else self.title
