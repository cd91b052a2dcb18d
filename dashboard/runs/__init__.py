"""The only cached functions, and the only caller of core."""

from core import Trace
from core.analysis.credit import by_token
from core.analysis.phrases import RELAXED, SELECTED, composed, lengths, phrases, scaled, selected
from core.analysis.poses import against_the_first
from core.analysis.routing import change, entropy
from core.analysis.windows import carries
from core.composition import LONGEST, histogram
from core.datasets.made import FARTHEST, at_best
from core.layers.compositional import parameter_bill
from core.pictures import Pictures, Toy
from core.poses import ClassCapsules
from core.tracers import MOST_WINDOWS
from core.zoo.measured import read_sweep as swept
from core.zoo.measured import stamp_of_sweep as stamp
from dashboard.runs.checkpoints import LARGEST_COUNT, about, devices, left_out, measured, models, twin
from dashboard.runs.pictures import (
    AZIMUTHS,
    CATEGORIES,
    ELEVATIONS,
    N_LIGHTS,
    TOYS,
    TRAINED_ON,
    has_official,
    look,
    official,
    plane,
    rendered,
    sweep,
    toys_of,
    uploaded,
)
from dashboard.runs.sweeps import N_SMALL, draw_once, small_sweep
from dashboard.runs.texts import leading_part, nearest, run

__all__ = [
    "AZIMUTHS",
    "CATEGORIES",
    "ELEVATIONS",
    "FARTHEST",
    "LARGEST_COUNT",
    "LONGEST",
    "MOST_WINDOWS",
    "N_LIGHTS",
    "N_SMALL",
    "RELAXED",
    "SELECTED",
    "TOYS",
    "TRAINED_ON",
    "ClassCapsules",
    "Pictures",
    "Toy",
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
    "has_official",
    "histogram",
    "leading_part",
    "left_out",
    "lengths",
    "look",
    "measured",
    "models",
    "nearest",
    "official",
    "parameter_bill",
    "phrases",
    "plane",
    "rendered",
    "run",
    "scaled",
    "selected",
    "small_sweep",
    "stamp",
    "sweep",
    "swept",
    "toys_of",
    "twin",
    "uploaded",
]
