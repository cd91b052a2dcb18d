"""The table of a sweep, with one row per training. It is written after each row, so that a sweep can be resumed."""

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
from tqdm import tqdm

from core.files import check_writable, write
from core.sweep.sweep import Row, Sweep, name_of
from core.training.metrics import answers, count_parameters, hardware
from core.training.run import train_network

NONE_FIXED: Mapping[str, Any] = MappingProxyType({})


def complete(
    case: type,
    cases: Iterable[Any],
    run: Callable[[list[Any]], Iterator[Row]],
    table: Path,
    progress: bool = True,
    fixed: Mapping[str, Any] = NONE_FIXED,
) -> None:
    """Add the missing rows to a table.

    Args:
        case: frozen dataclass of the varied settings; its fields are columns of the table, in addition to "test".
        cases: cases that the table must have.
        run: function that yields one row per case, in any order.
        table: path of the table, which is made if missing.
        progress: whether to show a progress bar.
        fixed: columns with the value that every row must have.

    Raises:
        ValueError: the table lacks a column, or has another value in a fixed one.
        OSError: the table cannot be written; nothing is trained then.
    """
    rows = read(case, table, fixed)
    to_train = missing(case, cases, rows)
    if to_train:
        check_writable(table)
    with tqdm(total=len(to_train), unit="training", disable=not progress) as bar:
        for row in run(to_train) if to_train else ():
            stored = read(case, table, fixed)  # another process may have added rows, even for the same case
            rows = [*(other for other in stored if _case(case, other) != _case(case, row)), row]
            write(table, pd.DataFrame(rows).to_parquet(index=False))
            bar.update()


def missing(case: type, cases: Iterable[Any], rows: Iterable[Row]) -> list[Any]:
    """The distinct cases without a row; ``case`` is their type."""
    present = {_case(case, row) for row in rows}
    return [wanted for wanted in dict.fromkeys(cases) if wanted not in present]


def _case(case: type, row: Row) -> Any:
    """The case of a row; ``case`` is its type."""
    return case(**{name: row[name] for name in case.__annotations__})


def train_case(case: Any, sweep: Sweep, data: Path, device: str = "cpu", scratch: Path | None = None) -> Row:
    """Train and test the network of a case.

    Args:
        case: case of the sweep.
        sweep: description of the sweep.
        data: folder of the sweep's corpus, or a folder with one folder per corpus.
        device: as in ``core.device.pick_device``.
        scratch: folder for the state of the training, which is resumed from there; a temporary folder if None.

    Returns:
        The row of the table: the varied settings and the sweep's own columns; counts; accuracies; which test samples
        are answered correctly (one bit per sample); hardware; and the minutes of training. The minutes include those
        before the training was resumed, and the preparation at its last start.
    """
    name, folder = name_of(case), data if sweep.corpus else data / case.corpus
    with nullcontext(scratch) if scratch else tempfile.TemporaryDirectory() as states:
        trained = train_network(sweep.training(case), folder, Path(states), name, device, resume=scratch is not None)
        trained.close()
    labels, given = answers(trained.checkpoint, trained.test)
    return {
        **asdict(case),
        **sweep.columns(case),
        "trained_on": trained.n,
        "tested_on": len(trained.test),
        "dev": trained.run["dev_accuracy"],
        "test": float((labels == given).mean()),
        "answers": np.packbits(labels == given).tobytes(),
        "parameters": count_parameters(trained.checkpoint.model),
        "minutes": round(trained.preparation + trained.run["minutes"], 1),
        "hardware": hardware(trained.checkpoint.device),
        **sweep.measure(case, trained, folder),
    }


def read(case: type, table: Path, fixed: Mapping[str, Any] = NONE_FIXED) -> list[Row]:
    """The rows of a table; none if there is no table.

    Raises:
        ValueError: the table lacks a column for a field of ``case``, or "test", or has another value in a fixed column.
    """
    if not table.is_file():
        return []
    rows = pd.read_parquet(table)
    if missing := {*case.__annotations__, *fixed, "test"} - set(rows.columns):
        raise ValueError(f"{table} has no column {sorted(missing)[0]}: it is not of this sweep")
    for column, wanted in fixed.items():
        if others := set(rows[column]) - {wanted}:
            raise ValueError(
                f"{table} has rows with {column} = {min(others)}, wanted {wanted}: continue another table with --out"
            )
    return rows.to_dict("records")
