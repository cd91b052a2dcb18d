"""How many of the trainings that are planned for a sweep are measured."""

from core.measured import store


def count_trainings(name: str) -> tuple[int, int]:
    """How many of a sweep's trainings its table lacks, and how many are planned."""
    from core.sweep.sweeps import SWEEPS  # imports PyTorch
    from core.sweep.table import missing

    sweep, table = SWEEPS[name], store.read_sweep(name)
    planned = set(sweep.cases(sweep.seeds))
    rows = [] if table is None else table.to_dict("records")
    return len(missing(sweep.case, planned, rows)), len(planned)
