"""The trace of a run: the score that each word adds."""

from dataclasses import dataclass
from typing import ClassVar

from numpy import ndarray

from core.quantities import array
from core.trace import Trace


@dataclass(frozen=True, kw_only=True, eq=False)
class SumTrace(Trace, kind="toy-sum"):
    """A trace of the toy network.

    known: whether the vocabulary has each word.
    added: score that each word adds to each class, at each step.
    """

    page: ClassVar[str] = "toy_network"

    known: ndarray = array("i", bool)
    added: ndarray = array("t i k")
