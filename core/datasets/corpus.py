"""The description of a corpus, which readers, downloads, sweeps and pages share."""

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
        name: name of the corpus and of its folder under the data root.
        title: name on pages.
        subject: subject of the classification in a word or two, such as "topic".
        classes: names of the classes, one tuple per set of classes that the corpus can be read with; the default first.
        read: function (folder, split, n_classes) -> samples. It raises ValueError if the folder lacks them.
        files: released files by their paths in the folder.
        url: address of the folder, or of the zip archive, with the released files; "" if unknown.
        usual: number of classes that the title alone means, if the corpus can be read with several sets of them.
        has_test: whether the official test split is among the files.
        examples: texts that pages offer, written for this program, by names of a word or two; if empty, pages offer the
            examples of AG's News.
        by_kind: other examples for the page of one kind of network, by its name as in ``core.stored.BY_KIND``.
        readings: the class that a reader gives an example, by its name; without those that readers may take either way.
            With two classes, "very" is left out.
        one: noun for one of these texts, such as "review".
        samples: plain words for what it holds, such as "film reviews"; its title if empty.
        called: plain word for its classes, such as "topics".
        is_ordered: whether the classes have an order, such as from negative to positive.
        hub: name of the dataset on the Hugging Face Hub; "" if it has none.
        terms: terms of its owners, as the rest of a sentence about the dataset; "" if there are none.
    """

    name: str
    title: str
    subject: str
    classes: tuple[tuple[str, ...], ...]
    read: Callable[..., Any]
    files: Mapping[str, File] = field(default_factory=dict)
    url: str = ""
    usual: int | None = None
    has_test: bool = True
    examples: Mapping[str, str] = field(default_factory=dict)
    by_kind: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)
    one: str = "example"
    samples: str = ""
    called: str = "classes"
    is_ordered: bool = False
    hub: str = ""
    terms: str = ""

    def examples_for(self, kind: str) -> Mapping[str, str]:
        """The examples for the page of a kind of network."""
        return self.by_kind.get(kind, self.examples)

    def title_in(self, n_classes: int) -> str:
        """The title, followed by the number of classes if the corpus has several sets and this is not the usual one."""
        return self.title if len(self.classes) == 1 or n_classes == self.usual else f"{self.title}-{n_classes}"
