"""The only cached functions, and the only caller of core. Those on pictures are in ``dashboard.runs.pictures``.

Importing this imports no PyTorch, which takes seconds: the first page is drawn while it loads.
"""

from importlib import import_module
from typing import Any

from core import Trace
from core.analysis.credit import by_token
from core.analysis.phrases import RELAXED, SELECTED, composed, lengths, phrases, scaled, selected
from core.analysis.poses import against_the_first
from core.analysis.routing import change, entropy
from core.analysis.windows import carries
from core.datasets.made import FARTHEST, at_best
from core.measured.store import read_sweep as swept
from core.measured.store import stamp_of_sweep as stamp
from dashboard.runs.checkpoints import (
    LARGEST_COUNT,
    about,
    devices,
    left_out,
    load_ahead,
    measured,
    models,
    stamp_of_weights,
    twin,
)
from dashboard.runs.sweeps import N_SMALL, draw_once, small_sweep
from dashboard.runs.texts import leading_part, nearest, run

WANT_PYTORCH = {  # where names stand whose modules import it
    "MAX_LENGTH": "core.measured.selections",
    "MOST_WINDOWS": "core.tracers",
    "histogram": "core.measured.selections",
    "parameter_bill": "core.layers.compositional",
}
__all__ = [
    "FARTHEST",
    "LARGEST_COUNT",
    "N_SMALL",
    "RELAXED",
    "SELECTED",
    "Trace",
    "about",
    "against_the_first",
    "at_best",
    "by_token",
    "carries",
    "change",
    "composed",
    "devices",
    "draw_once",
    "entropy",
    "leading_part",
    "left_out",
    "lengths",
    "load_ahead",
    "measured",
    "models",
    "nearest",
    "phrases",
    "run",
    "scaled",
    "selected",
    "small_sweep",
    "stamp",
    "stamp_of_weights",
    "swept",
    "twin",
]


def __getattr__(name: str) -> Any:
    if name not in WANT_PYTORCH:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(WANT_PYTORCH[name]), name)
