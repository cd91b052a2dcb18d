"""Counts the planned trainings of a sweep, and how many of them are missing."""

from core.measured import store


def count_trainings(name: str) -> tuple[int, int]:
    """The numbers of missing and of planned trainings of a sweep."""
    from core.sweep.sweeps import SWEEPS  # imports PyTorch
    from core.sweep.table import missing

    sweep, table = SWEEPS[name], store.read_sweep(name)
    planned = set(sweep.cases(sweep.seeds))
    rows = [] if table is None else table.to_dict("records")
    return len(missing(sweep.case, planned, rows)), len(planned)
