"""Traces of DRNN (Wang 2018): the network's output with windows of 1, 2, .. words."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from numpy import ndarray

from core.analysis.windows import decisive_words
from core.quantities import array
from core.sentences.naming import Naming, Sides
from core.tables import Cells
from core.trace import Trace

MAX_WINDOW = 40  # words in the largest window that is run, unless the trained window is larger
SUMMARIZED = (1, 2, 3, 5, 10, 15, 20, 30, 40)  # windows that a summary has


@dataclass(frozen=True, kw_only=True, eq=False)
class DRNNTrace(Trace, kind="drnn"):
    """A run of DRNN. Axis t: windows of 1, 2, .. words.

    Args:
        window: words in the window that the network was trained with.
        unit, pooling: as in ``DRNNConfig``.
        components: size of the pooled vector.
        wins: number of components of the pooled vector to which position i contributes most.
        evidence: contribution of position i to each logit.
        known: whether a word is in the vocabulary.
    """

    paper: ClassVar[str] = "wang2018"
    page: ClassVar[str] = "drnn"
    inner_unit: ClassVar[str] = "component"
    along: ClassVar[str] = "window"
    naming: ClassVar[Naming] = Naming({"": Sides("word", "class")}, examples=("drop:{word}", "replace:{word}=TEXT"))

    window: int
    unit: str
    pooling: str
    components: int
    wins: ndarray = array("t i")
    evidence: ndarray = array("t i k")
    known: ndarray = array("i", bool)

    @classmethod
    def title_of(cls, settings: Mapping[str, Any], task: str) -> str:
        return "Windows (DRNN)"

    @classmethod
    def weighs_by(cls, settings: Mapping[str, Any]) -> str:
        return "windows"

    @property
    def own_step(self) -> int:
        return min(self.window, self.n_steps)

    @property
    def decisive(self) -> list[tuple[int, int]]:
        """For each window, the words [start, end) that carry its decision."""
        by_window = zip(self.evidence, self.probabilities, strict=True)
        return [decisive_words(evidence, p, window) for window, (evidence, p) in enumerate(by_window, 1)]

    @property
    def cells(self) -> Cells:
        return Cells("evidence", self.evidence, {"word": self.names_of_words, "class": self.classes})

    @property
    def drawn(self) -> tuple[Cells, ...]:
        return Cells("wins", self.wins, {"word": self.names_of_words}), self.cells

    def summary(self) -> Iterator[str]:
        yield from self._heading(f"{len(self.tokens)} words")
        yield from self._probabilities("with a window, in words, of", tuple(w for w in SUMMARIZED if w <= self.n_steps))
        if self.window <= self.n_steps:
            start, end = self.decisive[self.window - 1]
            words = " ".join(self.names_of_words[start:end])
            yield f"it was trained with a window of {self.window}; the words that carry its decision there: {words}"
