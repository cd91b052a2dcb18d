"""Tables of sweeps, as trainings would leave them."""

import pandas as pd

from core.files import write
from core.measured import store


def save_sweep(name: str, table: pd.DataFrame) -> None:
    """Write the table of a sweep to its place."""
    store.SWEEPS.mkdir(exist_ok=True)
    write(store.SWEEPS / f"{name}.parquet", table.to_parquet(index=False))


def windows_table(rows: list[tuple]) -> pd.DataFrame:
    """A table of the sweep "windows".

    Args:
        rows: corpus, unit, pooling, size, window and test accuracy of each training.
    """
    table = pd.DataFrame(rows, columns=["corpus", "unit", "pooling", "size", "window", "test"])
    return table.assign(seed=0, d=64, dev=table["test"], trained_on=11_938, tested_on=7600)


def unit_rows(best: dict[str, int], windows=(1, 3, 5, 15, 40), **fixed) -> list[tuple]:
    """Rows for ``windows_table``: every unit at every window, with a higher accuracy at the unit's best window.

    Args:
        best: best window of each unit.
        windows: all windows.
        fixed: corpus, pooling or size, if they differ from the defaults.
    """
    settings = {"corpus": "ag_news", "pooling": "max", "size": 0} | fixed
    return [
        (settings["corpus"], unit, settings["pooling"], settings["size"], window, 0.9 if window == best_window else 0.8)
        for unit, best_window in best.items()
        for window in windows
    ]
