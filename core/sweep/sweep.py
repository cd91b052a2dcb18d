"""A sweep: its cases, and how a row of its table is made."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Any

Row = dict[str, Any]


@dataclass(frozen=True)
class Sweep:
    """Many trainings, each a row of one table.

    Args:
        name: of the table and of the command.
        help: a line for the list of sweeps.
        description: a sentence for the help of this one.
        case: a frozen dataclass of what is varied; its fields are the key of a row.
        cases: all cases for a number of seeds, and for values of ``choices`` as keywords where some are chosen.
        measure: trains and tests the network of a case: (case, data, device, scratch) -> row.
        choices: the lists on the command line that choose cases, with the values that each may hold; () is any number.
        corpus: the one corpus whose folder ``--data`` names; "" where it names a folder with a folder a corpus.
        scratch: where the states of stopped trainings are kept; a temporary folder where None.
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


def name_of(case: Any) -> str:
    """A name for the files of a case's training."""
    module = type(case).__module__.rpartition(".")[2]
    return "-".join(map(str, (module, *astuple(case))))
