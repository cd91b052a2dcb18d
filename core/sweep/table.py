"""The table of a sweep, with one row per training. It is written after each row, so that a sweep can be resumed."""

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
from tqdm import tqdm

from core.files import check_writable, write
from core.sweep.sweep import Row
from core.training.metrics import answers, count_parameters, hardware
from core.training.recipes import Training
from core.training.run import Trained, train_network

NOTHING: Mapping[str, Any] = MappingProxyType({})


def complete(
    case: type,
    cases: Iterable[Any],
    run: Callable[[list[Any]], Iterator[Row]],
    table: Path,
    progress: bool = True,
    fixed: Mapping[str, Any] = NOTHING,
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
            stored = read(case, table, fixed)  # another process may have added rows meanwhile, even this one
            rows = [*(other for other in stored if _case(case, other) != _case(case, row)), row]
            write(table, pd.DataFrame(rows).to_parquet(index=False))
            bar.update()


def missing(case: type, cases: Iterable[Any], rows: Iterable[Row]) -> list[Any]:
    """The distinct cases without a row; ``case`` is their type."""
    present = {_case(case, row) for row in rows}
    return [wanted for wanted in dict.fromkeys(cases) if wanted not in present]


def _case(case: type, row: Row) -> Any:
    return case(**{name: row[name] for name in case.__annotations__})


def train_and_test(
    training: Training,
    data: Path,
    name: str,
    device: str = "cpu",
    scratch: Path | None = None,
    measure: Callable[[Trained], Row] = lambda trained: {},
) -> Row:
    """Train and test a network.

    Args:
        training: settings of the training.
        data: folder with the dataset as released.
        name: name of the network, and of its files in ``scratch``.
        device: as ``core.device.pick_device`` takes it.
        scratch: folder for the state of the training, which is resumed from there; a temporary folder if None.
        measure: function that makes more columns from the trained network.

    Returns:
        The columns of a row except the varied settings: counts; accuracies; which test samples are answered correctly
            (one
        bit per sample); hardware; and the minutes of training. The minutes include those before the training was
        resumed, and the preparation at its last start.
    """
    with nullcontext(scratch) if scratch else tempfile.TemporaryDirectory() as folder:
        trained = train_network(training, data, Path(folder), name, device, resume=scratch is not None)
        trained.close()
    labels, given = answers(trained.checkpoint, trained.test)
    return {
        "trained_on": trained.n,
        "tested_on": len(trained.test),
        "dev": trained.run["dev_accuracy"],
        "test": float((labels == given).mean()),
        "answers": np.packbits(labels == given).tobytes(),
        "parameters": count_parameters(trained.checkpoint.model),
        "minutes": round(trained.preparation + trained.run["minutes"], 1),
        "hardware": hardware(trained.checkpoint.device),
        **measure(trained),
    }


def read(case: type, table: Path, fixed: Mapping[str, Any] = NOTHING) -> list[Row]:
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
