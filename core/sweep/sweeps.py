"""All sweeps by name."""

from core.sweep import aggregation, attention, capsules, composition, iterations, viewpoints, windows
from core.sweep.sweep import Sweep

MODULES = (attention, composition, windows, capsules, aggregation, iterations, viewpoints)
SWEEPS: dict[str, Sweep] = {module.SWEEP.name: module.SWEEP for module in MODULES}
