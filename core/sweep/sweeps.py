"""All sweeps by name."""

from core.sweep import aggregation, attention, capsules, iterations, viewpoints, windows
from core.sweep.sweep import Sweep

SWEEPS: dict[str, Sweep] = {
    module.SWEEP.name: module.SWEEP for module in (attention, windows, capsules, aggregation, iterations, viewpoints)
}
