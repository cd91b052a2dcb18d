"""The only cached functions, and the only caller of core's models.

Those on pictures are in ``dashboard.runs.pictures``. Importing this imports no PyTorch, which takes seconds:
the first page is drawn while it loads.
"""

from core import Trace
from core.datasets import CORPORA
from core.datasets.made import MAX_DISTANCE, best_accuracy
from core.measured.store import read_sweep, stamp_of_sweep
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
from dashboard.runs.edits import EditedRun, TextRun, is_of_one_text, suggestions
from dashboard.runs.pytorch import histogram, largest_window, longest_phrase, parameter_bill, table_7
from dashboard.runs.sweeps import N_SMALL, replay, small_sweep
from dashboard.runs.texts import nearest, run

__all__ = [
    "CORPORA",
    "LARGEST_COUNT",
    "MAX_DISTANCE",
    "N_SMALL",
    "EditedRun",
    "TextRun",
    "Trace",
    "about",
    "best_accuracy",
    "devices",
    "histogram",
    "is_of_one_text",
    "largest_window",
    "left_out",
    "load_ahead",
    "longest_phrase",
    "measured",
    "models",
    "nearest",
    "parameter_bill",
    "read_sweep",
    "replay",
    "run",
    "small_sweep",
    "stamp_of_sweep",
    "stamp_of_weights",
    "suggestions",
    "table_7",
    "twin",
]
