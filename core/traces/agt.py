"""Traces of AGT (Guo 2017): the attention, gate and features of each layer."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from numpy import ndarray

from core.analysis.phrases import SELECTED, phrases, scaled, selected, selected_words
from core.quantities import array
from core.sentences.naming import Naming, Sides
from core.tables import Cells
from core.trace import Trace


@dataclass(frozen=True, kw_only=True, eq=False)
class AGTTrace(Trace, kind="agt"):
    """A run of AGT.

    Axes: t, the layers l = 0, 1, ..; a, the layers with an attention, which are the lowest ones; g, the layers with a
    gate, which are l = 1 and above.

    Args:
        known: whether a word is in the vocabulary.
        attention: softmax of the scores over the words (eq. 6).
        scores: m_ln.
        gates: T_l.
        features: y_l.
    """

    paper: ClassVar[str] = "guo2017"
    page: ClassVar[str] = "agt"
    inner_unit: ClassVar[str] = "layer"
    along: ClassVar[str] = "layer"
    naming: ClassVar[Naming] = Naming(
        {"": Sides("word", "class")}, examples=("drop:{word}", "gate:layer 2=0", "attention:layer 1")
    )
    STARTS: ClassVar[dict[str, int]] = {"t": 1, "a": 1, "g": 2}
    THRESHOLD: ClassVar[float] = SELECTED  # the paper's value

    known: ndarray = array("i", bool)
    attention: ndarray = array("a i")
    scores: ndarray = array("a i")
    gates: ndarray = array("g h")
    features: ndarray = array("t h")

    def __post_init__(self) -> None:
        super().__post_init__()
        n_layers, n_attending, n_gates = len(self.features), len(self.attention), len(self.gates)
        if n_gates != max(0, n_layers - 1) or n_attending > n_layers:
            raise ValueError(f"{n_layers} layers have {n_gates} gates and {n_attending} attentions")

    @classmethod
    def title_of(cls, settings: Mapping[str, Any], task: str) -> str:
        return f"Attention by layer (AGT){'' if settings.get('aligned') else ', usual start'}"

    @classmethod
    def weighs_by(cls, settings: Mapping[str, Any]) -> str:
        return "attention"

    @property
    def scaled_attention(self) -> ndarray:
        """Attention as a share of what the most attended word of its layer gets [a, i]."""
        return scaled(self.attention)

    def phrases(self, threshold: float = THRESHOLD) -> list[list[tuple[int, int]]]:
        """For each layer with an attention, the runs [start, end) of words that it selects.

        Args:
            threshold: scaled attention above which a word is selected.
        """
        return [phrases(row) for row in selected(self.attention, threshold)]

    @property
    def cells(self) -> Cells:
        return Cells("attention", self.attention, {"word": self.names_of_words})

    def summary(self) -> Iterator[str]:
        yield from self._heading(f"{len(self.tokens)} words")
        yield from self._probabilities("read off layer", range(1, self.n_steps + 1))
        for layer, chosen in enumerate(selected(self.attention), 1):
            yield f"layer {layer} selects: {' '.join(selected_words(self.names_of_words, chosen))}"
