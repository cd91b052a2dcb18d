"""The progress of a training on own texts: a small file next to its state, which grows with each evaluation."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.analysis.routing import evenness
from core.checkpoint import Checkpoint
from core.datasets import Split
from core.files import write
from core.inputs.text import as_typed
from core.json_files import read_json
from core.networks.many import explain_many
from core.trace import Trace
from core.traces.agt import AGTTrace

EVALUATIONS, SUFFIX = "evaluations", ".progress.json"
MAX_TEXTS = 50  # dev texts on which shares are measured


@dataclass(frozen=True)
class Progress:
    """The function that a training calls after each evaluation.

    Args:
        file: file that it writes: an object whose "evaluations" are the history of the training. Each has
            "evenness", that of the shares on some dev texts, or None for a network without shares.
        dev: texts that choose the weights.
    """

    file: Path
    dev: Split

    def __call__(self, checkpoint: Checkpoint, history: Sequence[dict[str, float]]) -> None:
        """Add what is new in the history to the file.

        Args:
            checkpoint: network with its averaged weights.
            history: one entry per evaluation so far.
        """
        before = read_progress(self.file) if len(history) > 1 else []  # a resumed training goes on with its file
        known = {entry["step"]: entry["evenness"] for entry in before}
        texts = [as_typed(words) for words in self.dev.evenly(MAX_TEXTS).words]
        known[history[-1]["step"]] = evenness_of(explain_many(checkpoint, texts))
        entries = [entry | {"evenness": known.get(entry["step"])} for entry in history]
        write(self.file, json.dumps({EVALUATIONS: entries}).encode())


def forget_states(folder: Path) -> None:
    """Delete what trainings continue from, which may be large, and leave their progress."""
    for file in folder.iterdir():
        if not file.name.endswith(SUFFIX):
            file.unlink(missing_ok=True)


def evenness_of(traces: Iterable[Trace | Exception]) -> float | None:
    """The mean evenness of the shares in these runs, without those that failed; None if no run has shares.

    They are the couplings of the first routing's last iteration, or the attention of every layer.
    """
    found = [share for trace in traces if isinstance(trace, Trace) for share in _evenness(trace) if np.isfinite(share)]
    return float(np.mean(found)) if found else None


def _evenness(trace: Trace) -> list[float]:
    if isinstance(trace, AGTTrace):
        return [evenness(trace.attention)]
    return [evenness(coupling, getattr(trace, "normalize", "output")) for coupling in trace.last_couplings]


def read_progress(file: Path) -> list[dict[str, float | None]]:
    """The entries of a file of progress; none if it is not there or cannot be read."""
    try:
        return read_json(file)[EVALUATIONS]
    except (ValueError, KeyError):
        return []
