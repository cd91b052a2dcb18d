"""What lies beside a checkpoint's weights: its card, its history of training, its evidence, its size."""

import json
from dataclasses import dataclass
from numbers import Real
from typing import Any

import pandas as pd

from core.manifest import PRETRAINED
from dashboard.runs.checkpoints import about, folder_of

LARGEST = 1 << 20  # bytes of a file that is shown
HISTORY = ("step", "train_loss", "dev_loss", "train_accuracy", "dev_accuracy")


@dataclass(frozen=True)
class ModelFiles:
    """The files of a checkpoint.

    Attributes:
        card: its README.md; empty if there is none.
        is_shipped: whether it lies in pretrained/.
        sizes: bytes of each file, by name.
        history: a row for each evaluation in training, with the columns of ``HISTORY``; without rows if it is not kept.
        evidence: a row for each measured figure: what, value, n, low, high; None if it was not measured.
    """

    card: str
    is_shipped: bool
    sizes: dict[str, int]
    history: pd.DataFrame
    evidence: pd.DataFrame | None


def model_files(name: str) -> ModelFiles:
    """Read what lies beside a checkpoint's weights."""
    folder = folder_of(name)
    card, evidence = (_read(name, file) for file in ("README.md", "evidence.json"))
    return ModelFiles(
        card=card,
        is_shipped=folder.parent == PRETRAINED,
        sizes={path.name: path.stat().st_size for path in sorted(folder.iterdir()) if path.is_file()},
        history=_history(about(name).metrics.training.get("history")),
        evidence=_evidence(evidence),
    )


def size_of(name: str) -> int:
    """Bytes of a checkpoint's weights."""
    return (folder_of(name) / "weights.safetensors").stat().st_size


def _read(name: str, file: str) -> str:
    path = folder_of(name) / file
    if not path.is_file() or path.stat().st_size > LARGEST:
        return ""
    return path.read_text(encoding="utf-8", errors="replace")


def _history(entries: Any) -> pd.DataFrame:
    """The entries as a table; those that are no numbers are left out."""
    rows = [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []
    complete = [row for row in rows if all(isinstance(row.get(column), Real) for column in HISTORY)]
    return pd.DataFrame([{column: float(row[column]) for column in HISTORY} for row in complete], columns=HISTORY)


def _evidence(text: str) -> pd.DataFrame | None:
    try:
        stored = json.loads(text) if text else None
    except (ValueError, RecursionError):
        return None
    return pd.DataFrame(_figures(stored, ()), columns=["what", "value", "n", "low", "high"]) if stored else None


def _figures(value: Any, path: tuple[str, ...]) -> list[tuple]:
    """Every number below a value, by its path; a number beside an ``interval`` gets it."""
    if isinstance(value, dict):
        interval, n = value.get("interval"), value.get("n")
        bounds = interval if isinstance(interval, list) and len(interval) == 2 else (None, None)
        rows = []
        for key, inner in value.items():
            if isinstance(inner, Real) and key != "n":
                rows.append((" · ".join((*path, str(key))), float(inner), n if isinstance(n, int) else None, *bounds))
            elif key != "interval":
                rows += _figures(inner, (*path, str(key)))
        return rows
    if isinstance(value, list):
        return [row for k, inner in enumerate(value, 1) for row in _figures(inner, (*path, str(k)))]
    return [(" · ".join(path), float(value), None, None, None)] if isinstance(value, Real) and path else []
