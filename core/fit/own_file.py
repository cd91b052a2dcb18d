"""The file that a network learned from: kept next to its weights, so that the held-out texts can be measured again."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from core.checkpoint import Checkpoint
from core.datasets import Split
from core.files import write
from core.fit.columns import Columns
from core.fit.data import OwnData, read
from core.json_files import read_json
from core.manifest import folders

FILE = "data.json"


@dataclass(frozen=True)
class OwnFile:
    """A file of texts and labels.

    Args:
        name: name of the file, without its folder.
        sha256: sha256 of the file.
        text, label: its columns.
    """

    name: str
    sha256: str
    text: str
    label: str

    def save(self, folder: Path) -> None:
        """Write this next to a checkpoint's weights."""
        write(folder / FILE, json.dumps(asdict(self), indent=1).encode())

    @property
    def phrase(self) -> str:
        """A phrase for the texts on which the network is tested."""
        return f"the held-out texts of {self.name}"

    def read(self, path: Path) -> OwnData:
        """Read and divide the file again.

        Raises:
            ValueError: there is no such file, or it is not the one that the network learned from.
        """
        data = read(path, Columns(self.text, self.label))
        if data.sha256 != self.sha256:
            raise ValueError(f"{path} is not the file that the network learned from: its contents differ")
        return data


def own_file(name: str) -> OwnFile | None:
    """The file that a checkpoint learned from; None for a network on a known corpus, or one that is not here."""
    folder = folders().get(name)
    if folder is None or not (folder / FILE).is_file():
        return None
    stored = read_json(folder / FILE)
    try:
        return OwnFile(**{key: str(stored[key]) for key in ("name", "sha256", "text", "label")})
    except KeyError as error:
        raise ValueError(f"{folder / FILE} lacks {error}") from None


def held_out(checkpoint: Checkpoint, path: Path) -> tuple[Split, str]:
    """The test texts of a checkpoint, from the file that it learned from, and a phrase for them.

    Raises:
        ValueError: as in ``OwnFile.read``, or the checkpoint did not learn from a file.
    """
    file = own_file(checkpoint.name)
    if file is None:
        raise ValueError(f"{checkpoint.name} did not learn from a file of texts")
    return file.read(path).test, file.phrase
