"""The files next to a checkpoint's weights (card, training history, sizes), and an archive of all of them."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, Any

from core.datasets import data_root
from core.manifest import PRETRAINED, user_folder
from dashboard.runs.checkpoints import about, folder_of

if TYPE_CHECKING:
    import pandas

MAX_SHOWN = 1 << 20  # bytes; a larger card is not shown
MAX_ROWS = 1000  # rows of a history; its charts have one point per row
HISTORY = ("step", "train_loss", "dev_loss", "train_accuracy", "dev_accuracy")


@dataclass(frozen=True)
class ModelFiles:
    """The files of a checkpoint.

    Attributes:
        card: text of README.md; "" if there is none.
        is_shipped: whether the checkpoint is in pretrained/.
        is_from_archive: whether it was uploaded, so that nobody has checked its card.
        sizes: bytes of each file by name.
        history: one row per evaluation in training, with the columns of ``HISTORY``; empty if there is none.
    """

    card: str
    is_shipped: bool
    is_from_archive: bool
    sizes: dict[str, int]
    history: "pandas.DataFrame"


def model_files(name: str) -> ModelFiles:
    """Read the files next to a checkpoint's weights."""
    folder = folder_of(name)
    return ModelFiles(
        card=_read_card(folder / "README.md"),
        is_shipped=folder.parent == PRETRAINED,
        is_from_archive=about(name).metrics.stated is not None,
        sizes={path.name: path.stat().st_size for path in sorted(folder.iterdir()) if path.is_file()},
        history=_history(about(name).metrics.training.get("history")),
    )


def size_of(name: str) -> int:
    """The size of a checkpoint's weights in bytes."""
    return (folder_of(name) / "weights.safetensors").stat().st_size


def is_made_here(name: str) -> bool:
    """Whether a checkpoint was trained here, so that its user does not have an archive of it yet."""
    return about(name).metrics.stated is None


def packer(name: str) -> Callable[[], bytes]:
    """A function that makes the archive of a checkpoint for ``Add a model``. It also works outside of a session."""
    folder = folder_of(name)

    def make() -> bytes:
        from core.zoo.archive import pack  # imports PyTorch

        return pack(folder)

    return make


def _read_card(path: Path) -> str:
    """The text of a card; "" if there is none or it is too large."""
    if not path.is_file() or path.stat().st_size > MAX_SHOWN:
        return ""
    return path.read_text(encoding="utf-8", errors="replace")


def _history(entries: Any) -> "pandas.DataFrame":
    """The entries as a table, without those that are not numbers."""
    import pandas as pd

    rows = [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []
    complete = [row for row in rows[:MAX_ROWS] if all(isinstance(row.get(column), Real) for column in HISTORY)]
    return pd.DataFrame([{column: float(row[column]) for column in HISTORY} for row in complete], columns=HISTORY)


def own_folders() -> tuple[Path, ...]:
    """The folders of this program: its packages, corpora, checkpoints and session files."""
    folders = data_root(), PRETRAINED, user_folder(), Path(gettempdir()), Path(sys.prefix), Path.home()
    return *folders, *(folder.resolve() for folder in folders)
