"""The table of a sweep: one row a training, written whole after each, so that a sweep goes on where it stopped."""

import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
from tqdm import tqdm

from core.files import write
from core.sweep.engines import Row
from core.training.fitted import fitted
from core.training.metrics import accuracy, hardware
from core.training.recipes import Recipe


def complete(
    kind: type,
    todo: Iterable[Any],
    run: Callable[[list[Any]], Iterator[Row]],
    table: Path,
    progress: bool = True,
) -> None:
    """Make the rows that the table lacks.

    Args:
        kind: a dataclass of what is varied; a row holds its fields, and "test" besides.
        run: an engine that knows how to measure.

    Raises:
        ValueError: the table has other columns.
    """
    rows = read(kind, table)
    done = {kind(**{name: row[name] for name in kind.__annotations__}) for row in rows}
    left = [case for case in dict.fromkeys(todo) if case not in done]
    table.parent.mkdir(parents=True, exist_ok=True)
    with tqdm(total=len(left), unit="training", disable=not progress) as bar:
        for row in run(left) if left else ():
            rows.append(row)
            write(table, pd.DataFrame(rows).to_parquet(index=False))
            bar.update()


def measured(recipe: Recipe, data: Path, device: str = "cpu") -> Row:
    """Train and test by a recipe; what a row says of that, beside what was varied."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        made = fitted(recipe.on(data), data, Path(scratch), device)
    made.close()
    return {
        "trained_on": made.n,
        "tested_on": len(made.test),
        "dev": made.run["dev_accuracy"],
        "test": accuracy(made.checkpoint, made.test),
        "minutes": round((time.monotonic() - began) / 60, 2),
        "hardware": hardware(made.checkpoint.device),
    }


def read(kind: type, table: Path) -> list[dict[str, Any]]:
    """Its rows; none where there is no table."""
    if not table.is_file():
        return []
    found = pd.read_parquet(table)
    if missing := {*kind.__annotations__, "test"} - set(found.columns):
        raise ValueError(f"{table} has no column {sorted(missing)[0]}: it is not of this sweep")
    return found.to_dict("records")
