"""The file that a network learned from: kept next to its weights, so that the held-out texts can be measured again."""

import json
from dataclasses import asdict, dataclass
from itertools import islice, zip_longest
from pathlib import Path

from core.checkpoint import Checkpoint
from core.datasets import Split
from core.files import sha256_of, write
from core.fit.columns import Columns
from core.fit.data import OwnData, read
from core.inputs.text import as_typed
from core.json_files import read_json
from core.manifest import MAX_EXAMPLES, OWN_FILE, folders

USUAL = 12  # words of an example


@dataclass(frozen=True)
class OwnFile:
    """A file of texts and labels.

    Args:
        name: name of the file, without its folder.
        sha256: sha256 of the file.
        text, label: its columns.
        examples: some of its held-out texts, which pages offer.
        labels: the label of each example.
    """

    name: str
    sha256: str
    text: str
    label: str
    examples: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()

    def save(self, folder: Path) -> None:
        """Write this next to a checkpoint's weights."""
        write(folder / OWN_FILE, json.dumps(asdict(self), indent=1).encode())

    @property
    def phrase(self) -> str:
        """A phrase for the texts on which the network is tested."""
        return f"the held-out texts of {self.name}"

    def read(self, path: Path) -> OwnData:
        """Read and divide the file again.

        Raises:
            ValueError: there is no such file, or it is not the one that the network learned from.
        """
        if path.is_file() and sha256_of(path) != self.sha256:
            raise ValueError(f"{path} is not the file that the network learned from: its contents differ")
        return read(path, Columns(self.text, self.label))


def own_file(name: str) -> OwnFile | None:
    """The file that a checkpoint learned from; None for a network on a known corpus, or one that is not here."""
    folder = folders().get(name)
    if folder is None or not (folder / OWN_FILE).is_file():
        return None
    stored = read_json(folder / OWN_FILE)
    try:
        return OwnFile(**{key: str(stored[key]) for key in ("name", "sha256", "text", "label")})
    except KeyError as error:
        raise ValueError(f"{folder / OWN_FILE} lacks {error}") from None


def examples_of(split: Split) -> dict[str, str]:
    """Texts for pages to offer, with their labels: of each class in turn, those nearest to ``USUAL`` words."""
    by_class: dict[int, list[int]] = {}
    for k in sorted(range(len(split)), key=lambda k: (abs(len(split.words[k]) - USUAL), k)):
        by_class.setdefault(split.labels[k], []).append(k)
    in_turn = (k for row in zip_longest(*(by_class[label] for label in sorted(by_class))) for k in row)
    chosen = islice((k for k in in_turn if k is not None), MAX_EXAMPLES)
    return {as_typed(split.words[k]): split.classes[split.labels[k]] for k in chosen}


def held_out(checkpoint: Checkpoint, path: Path) -> tuple[Split, str]:
    """The test texts of a checkpoint, from the file that it learned from, and a phrase for them.

    Raises:
        ValueError: as in ``OwnFile.read``, or the checkpoint did not learn from a file.
    """
    file = own_file(checkpoint.name)
    if file is None:
        raise ValueError(f"{checkpoint.name} did not learn from a file of texts")
    return file.read(path).test, file.phrase
