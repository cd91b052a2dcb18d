"""The description of a sweep: its cases, and the training and the columns of each."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.training.recipes import Training
    from core.training.run import Trained

Row = dict[str, Any]


def no_columns(*_: Any) -> Row:
    """A row without columns."""
    return {}


@dataclass(frozen=True)
class Sweep:
    """Many trainings, each of which gives one row of a table.

    Args:
        name: name of the table and of the command.
        help: line for the list of sweeps.
        description: sentence for the help of this sweep.
        case: frozen dataclass of the varied settings; its fields are the key of a row.
        cases: function (number of seeds, **choices) -> all cases; a user's choices are given by keyword.
        training: function (case) -> its training.
        columns: function (case) -> columns that are known before the training.
        measure: function (case, trained network, folder of the corpus) -> columns that are measured after it.
        choices: command-line options that choose cases, with the values that each allows; () allows any number.
        corpus: corpus whose folder ``--data`` names; "" if it names a folder with one folder per corpus.
        scratch: folder for the states of interrupted trainings; a temporary one if None.
        seeds: planned number of trainings per network.
        fixed: columns with the same value in every row; a table with another value belongs to other trainings.
    """

    name: str
    help: str
    description: str | None
    case: type
    cases: Callable[..., Iterable[Any]]
    training: Callable[[Any], "Training"]
    columns: Callable[[Any], Row] = no_columns
    measure: Callable[[Any, "Trained", Path], Row] = no_columns
    choices: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    corpus: str = ""
    scratch: Path | None = None
    seeds: int = 3
    fixed: Mapping[str, Any] = field(default_factory=dict)


def name_of(case: Any) -> str:
    """The name of a case's network and of its training files."""
    module = type(case).__module__.rpartition(".")[2]
    return "-".join(map(str, (module, *astuple(case))))
