"""All sweeps by name."""

from core.sweep import aggregation, attention, capsules, composition, iterations, windows
from core.sweep.sweep import Sweep

SWEEPS: dict[str, Sweep] = {
    module.SWEEP.name: module.SWEEP for module in (attention, composition, windows, capsules, aggregation, iterations)
}
