"""The only cached functions, and the only caller of core."""

from core import Trace
from core.analysis.credit import by_token
from core.analysis.phrases import RELAXED, SELECTED, composed, lengths, phrases, scaled, selected
from core.analysis.poses import against_the_first
from core.analysis.routing import change, entropy
from core.composition import LONGEST, histogram
from core.pictures import Pictures, Toy
from core.poses import ClassCapsules
from core.zoo.measured import read_measured as measured
from core.zoo.measured import read_sweep as swept
from dashboard.runs.checkpoints import LARGEST_COUNT, about, devices, left_out, models, twin
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
from dashboard.runs.texts import leading_part, run

__all__ = [
    "AZIMUTHS",
    "CATEGORIES",
    "ELEVATIONS",
    "LARGEST_COUNT",
    "LONGEST",
    "N_LIGHTS",
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
    "by_token",
    "change",
    "composed",
    "devices",
    "entropy",
    "has_official",
    "histogram",
    "leading_part",
    "left_out",
    "lengths",
    "look",
    "measured",
    "models",
    "official",
    "phrases",
    "plane",
    "rendered",
    "run",
    "scaled",
    "selected",
    "sweep",
    "swept",
    "toys_of",
    "twin",
    "uploaded",
]
