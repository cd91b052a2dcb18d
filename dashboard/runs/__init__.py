"""The only cached functions, and the only caller of core's models.

Those on pictures are in ``dashboard.runs.pictures``. Importing this imports no PyTorch, which takes seconds:
the first page is drawn while it loads.
"""

from core import Trace
from core.datasets import CORPORA, corpus_of
from core.datasets.made import MAX_DISTANCE, best_accuracy
from core.manifest import Manifest
from core.measured.store import read_sweep, stamp_of_sweep
from core.scores import Metrics, Score
from dashboard.runs.checkpoints import (
    LARGEST_COUNT,
    about,
    devices,
    folder_of,
    known,
    left_out,
    load_ahead,
    measured,
    models,
    pages_of_runs,
    readers_of_text,
    record_of,
    shown_on,
    stamp_of_weights,
    twin,
)
from dashboard.runs.edits import EditedRun, TextRun, is_of_one_text, suggestions
from dashboard.runs.evidence import (
    Evidence,
    Figure,
    Ranking,
    curves_of_pair,
    curves_of_text,
    evidence_of,
    evidence_to_show,
    unit_of,
)
from dashboard.runs.files import ModelFiles, model_files, own_folders, size_of
from dashboard.runs.ledger import PAPERS, claims
from dashboard.runs.pytorch import count_trainings, histogram, largest_window, longest_phrase, parameter_bill, table_7
from dashboard.runs.session_models import add_upload, remove_upload, uploaded
from dashboard.runs.sweeps import N_SMALL, replay, small_sweep
from dashboard.runs.texts import nearest, run

__all__ = [
    "CORPORA",
    "LARGEST_COUNT",
    "MAX_DISTANCE",
    "N_SMALL",
    "PAPERS",
    "EditedRun",
    "Evidence",
    "Figure",
    "Manifest",
    "Metrics",
    "ModelFiles",
    "Ranking",
    "Score",
    "TextRun",
    "Trace",
    "about",
    "add_upload",
    "best_accuracy",
    "claims",
    "corpus_of",
    "count_trainings",
    "curves_of_pair",
    "curves_of_text",
    "devices",
    "evidence_of",
    "evidence_to_show",
    "folder_of",
    "histogram",
    "is_of_one_text",
    "known",
    "largest_window",
    "left_out",
    "load_ahead",
    "longest_phrase",
    "measured",
    "model_files",
    "models",
    "nearest",
    "own_folders",
    "pages_of_runs",
    "parameter_bill",
    "read_sweep",
    "readers_of_text",
    "record_of",
    "remove_upload",
    "replay",
    "run",
    "shown_on",
    "size_of",
    "small_sweep",
    "stamp_of_sweep",
    "stamp_of_weights",
    "suggestions",
    "table_7",
    "twin",
    "unit_of",
    "uploaded",
]
