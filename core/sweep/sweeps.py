"""All sweeps by name, and how many of their planned trainings are missing."""

from core.measured import store
from core.sweep import (
    aggregation,
    attention,
    capsules,
    codes,
    composition,
    convergence,
    documents,
    iterations,
    sharpness,
    vectors,
    viewpoints,
    windows,
)
from core.sweep.sweep import Sweep
from core.sweep.table import missing

MODULES = (
    attention,
    composition,
    windows,
    convergence,
    capsules,
    codes,
    sharpness,
    aggregation,
    iterations,
    documents,
    vectors,
    viewpoints,
)
SWEEPS: dict[str, Sweep] = {module.SWEEP.name: module.SWEEP for module in MODULES}


def count_trainings(name: str) -> tuple[int, int]:
    """The numbers of missing and of planned trainings of a sweep."""
    sweep, table = SWEEPS[name], store.read_sweep(name)
    planned = set(sweep.cases(sweep.seeds))
    rows = [] if table is None else table.to_dict("records")
    return len(missing(sweep.case, planned, rows)), len(planned)
