"""The description of a sweep: its cases, and the function that makes a row of its table."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Any

Row = dict[str, Any]


@dataclass(frozen=True)
class Sweep:
    """Many trainings, each of which gives a row of one table.

    Args:
        name: of the table and of the command.
        help: a line for the list of sweeps.
        description: a sentence for the help of this one.
        case: a frozen dataclass of what is varied; its fields are the key of a row.
        cases: (number of seeds, **choices) -> all cases; choices are given by keyword where a user makes some.
        measure: trains and tests the network of a case: (case, data, device, scratch) -> row.
        choices: options of the command line that choose cases, with the values each allows; () allows any number.
        corpus: whose folder ``--data`` names; "" if it names a folder with a folder for each corpus.
        scratch: folder for the states of interrupted trainings; a temporary one if None.
        seeds: trainings of each network that are planned.
        fixed: columns with the value that every row has; a table with another value is of other trainings.
    """

    name: str
    help: str
    description: str
    case: type
    cases: Callable[..., Iterable[Any]]
    measure: Callable[[Any, Path, str, Path | None], Row]
    choices: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    corpus: str = ""
    scratch: Path | None = None
    seeds: int = 3
    fixed: Mapping[str, Any] = field(default_factory=dict)


def name_of(case: Any) -> str:
    """The name of a case's network and of the files of its training."""
    module = type(case).__module__.rpartition(".")[2]
    return "-".join(map(str, (module, *astuple(case))))
