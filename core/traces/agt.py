"""Traces of AGT (Guo 2017): what each layer attends to, lets in and holds."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from numpy import ndarray

from core.analysis.phrases import composed, selected
from core.quantities import array
from core.trace import Trace
from core.traces.base import read_words, to_array

if TYPE_CHECKING:
    import core.checkpoint


@dataclass(frozen=True, kw_only=True, eq=False)
class AGTTrace(Trace, kind="agt"):
    """t: layers l = 0, 1, ..; a: those of them that attend, the lowest; g: those with a gate, which are l = 1 and
    above.

    known: whether a word has a vector of its own.
    attention: softmax of the scores m_ln over the words (eq. 6).
    gates: T_l. features: y_l.
    """

    along: ClassVar[str] = "layer"
    STARTS: ClassVar[dict[str, int]] = {"t": 1, "a": 1, "g": 2}

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

    def summary(self) -> Iterator[str]:
        yield f"{self.model} on {self.device}, {len(self.tokens)} words"
        yield from self._probabilities("read off layer", range(1, self.n_steps + 1))
        for layer, chosen in enumerate(selected(self.attention), 1):
            yield f"layer {layer} selects: {' '.join(composed(self.tokens, chosen))}"


def trace(checkpoint: "core.checkpoint.Checkpoint", text: str, n_iters: int | None = None) -> AGTTrace:
    """Every layer of a run; arguments and errors as of ``core.explain``."""
    if n_iters is not None:
        raise ValueError(f"{checkpoint.name} has layers, not iterations: their number is fixed.")
    encoded, about = read_words(checkpoint, text)
    layers = checkpoint.model.layers(**encoded)
    logits = checkpoint.model.classify(layers.features[0])
    arrays = {name: to_array(values[0]) for name, values in layers._asdict().items()}
    return AGTTrace(probabilities=to_array(logits.softmax(-1)), **arrays, **about)
