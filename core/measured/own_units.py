"""Measures what the units of a network take and do on a user's own texts. Nothing is written next to the weights."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy import ndarray

from core.batch.texts import read_texts
from core.checkpoint import Checkpoint
from core.measured import units
from core.measured.evidence.measure import Engine
from core.measured.unit_runs import run_texts

MIN_TEXTS = 10  # texts with a word that a description needs: one for each tenth
MAX_SHOWN = 1000  # characters that are kept of a text to read

Arrays = dict[str, ndarray]


@dataclass(frozen=True, eq=False)
class OwnTexts:
    """Texts of a user.

    Args:
        texts: the texts.
        numbers: the number of each, such as its row in a file, from 1.
        data: phrase for them, such as "the 120 texts of reviews.csv".
    """

    texts: Sequence[str]
    numbers: Sequence[int]
    data: str


def read(path: Path, column: str, limit: int) -> OwnTexts:
    """The texts in a column of a file; of more than ``limit``, evenly spaced ones. Rows without a text are left out.

    Raises:
        ValueError: the file cannot be read, has no such column, or has fewer than ``MIN_TEXTS`` texts.
    """
    whole = sum(1 for _ in _texts(path, column))  # counted first, so that a large file is never in memory
    if whole < MIN_TEXTS:
        raise ValueError(f"{path.name} has {whole} text{'s' * (whole != 1)}, wanted at least {MIN_TEXTS}")
    n = min(whole, limit)
    chosen = {k * whole // n for k in range(n)}
    rows = [row for k, row in enumerate(_texts(path, column)) if k in chosen]
    data = f"{amount(n, whole)} texts of {path.name}"
    return OwnTexts([text for _, text in rows], [number for number, _ in rows], data)


def amount(n: int, whole: int) -> str:
    """A phrase for n of a whole number of things, such as "2,000 of the 2,210"."""
    return f"the {whole:,}" if n == whole else f"{n:,} of the {whole:,}"


def _texts(path: Path, column: str) -> Iterator[tuple[int, str]]:
    """Yield the number of each row with a text, from 1, and the text."""
    for number, row in enumerate(read_texts(path, column), 1):
        if not row.error and row.text and row.text.strip():
            yield number, row.text


def measure(checkpoint: Checkpoint, own: OwnTexts, device: str, engine: Engine) -> dict[str, Arrays]:
    """The arrays "units" and "shown" of ``core.measured.store``, by these names, on a user's texts.

    Args:
        checkpoint, device, engine: as in ``core.measured.unit_runs.run_texts``.
        own: texts. Those that cannot be run, such as texts without a word, are left out.

    Raises:
        ValueError: the network has no units or reads no texts, or fewer than ``MIN_TEXTS`` texts can be run.
    """
    runs = dict(enumerate(run_texts(checkpoint, own.texts, device, engine)))
    kept = {k: run for k, run in runs.items() if run is not None}
    if len(kept) < MIN_TEXTS:
        raise ValueError(f"{own.data}: {len(kept)} can be read, wanted at least {MIN_TEXTS} with a word")
    arrays = units.describe(checkpoint.classes, [own.texts[k] for k in kept], list(kept.values()))
    places = np.array(list(kept))[arrays["texts"]]
    left_out = len(runs) - len(kept)
    data = np.array(f"{own.data}, {left_out:,} of which cannot be read" if left_out else own.data)
    shown = sorted({*places.ravel().tolist()})
    return {
        "units": arrays | {"texts": np.array(own.numbers)[places], "data": data},
        "shown": {
            "numbers": np.array([own.numbers[k] for k in shown]),
            "texts": np.array([_cut(own.texts[k]) for k in shown], str),
            "data": data,
        },
    }


def _cut(text: str) -> str:
    """The beginning of a text."""
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
