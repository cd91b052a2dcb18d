"""Tables of sweeps, as trainings would leave them."""

import pandas as pd

from core.files import write
from core.measured import store


def save_sweep(name: str, table: pd.DataFrame) -> None:
    """Write the table of a sweep."""
    store.SWEEPS.mkdir(exist_ok=True)
    write(store.SWEEPS / f"{name}.parquet", table.to_parquet(index=False))


def swept(rows: list[tuple]) -> pd.DataFrame:
    """A table of the sweep of windows. rows: corpus, unit, pooling, size, window, test."""
    table = pd.DataFrame(rows, columns=["corpus", "unit", "pooling", "size", "window", "test"])
    return table.assign(seed=0, d=64, dev=table["test"], trained_on=11_938, tested_on=7600)


def varied(best: dict[str, int], windows=(1, 3, 5, 15, 40), **fixed) -> list[tuple]:
    """Rows of networks that are best at a window, by unit."""
    about = {"corpus": "ag_news", "pooling": "max", "size": 0} | fixed
    return [
        (about["corpus"], unit, about["pooling"], about["size"], k, 0.9 if k == most else 0.8)
        for unit, most in best.items()
        for k in windows
    ]
