"""The table of a sweep: one row a training, written whole after each, so that a sweep goes on where it stopped."""

import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pandas as pd
from tqdm import tqdm

from core.files import write
from core.sweep.sweep import Row
from core.training.metrics import accuracy, count_parameters, hardware
from core.training.recipes import Training
from core.training.run import train_network


def complete(
    case: type,
    cases: Iterable[Any],
    run: Callable[[list[Any]], Iterator[Row]],
    table: Path,
    progress: bool = True,
) -> None:
    """Make the rows that the table lacks.

    Args:
        case: a dataclass of what is varied; a row holds its fields, and "test" besides.
        run: yields a row for each of some cases, in any order.

    Raises:
        ValueError: the table has other columns.
    """
    rows = read(case, table)
    done = {case(**{name: row[name] for name in case.__annotations__}) for row in rows}
    missing = [one for one in dict.fromkeys(cases) if one not in done]
    table.parent.mkdir(parents=True, exist_ok=True)
    with tqdm(total=len(missing), unit="training", disable=not progress) as bar:
        for row in run(missing) if missing else ():
            rows.append(row)
            write(table, pd.DataFrame(rows).to_parquet(index=False))
            bar.update()


def train_and_test(training: Training, data: Path, name: str, device: str = "cpu", scratch: Path | None = None) -> Row:
    """Train and test a network.

    Args:
        data: the dataset as released.
        name: of the network, and of its files in ``scratch``.
        scratch: keeps the state of a training that is stopped, to go on with; a temporary folder unless given.

    Returns:
        The columns of a row beside what is varied: counts, accuracies, minutes and hardware.
    """
    began = time.monotonic()
    with nullcontext(scratch) if scratch else tempfile.TemporaryDirectory() as folder:
        trained = train_network(training, data, Path(folder), name, device, resume=scratch is not None)
        trained.close()
    return {
        "trained_on": trained.n,
        "tested_on": len(trained.test),
        "dev": trained.run["dev_accuracy"],
        "test": accuracy(trained.checkpoint, trained.test),
        "parameters": count_parameters(trained.checkpoint.model),
        "minutes": round((time.monotonic() - began) / 60, 2),
        "hardware": hardware(trained.checkpoint.device),
    }


def read(case: type, table: Path) -> list[Row]:
    """The rows of a table; none where there is no table.

    Raises:
        ValueError: it lacks a field of ``case``, or "test".
    """
    if not table.is_file():
        return []
    rows = pd.read_parquet(table)
    if missing := {*case.__annotations__, "test"} - set(rows.columns):
        raise ValueError(f"{table} has no column {sorted(missing)[0]}: it is not of this sweep")
    return rows.to_dict("records")
