"""The figures of a trace by name, as pages and ``Trace.plot`` draw them."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from dashboard.figures.figure import Figure, together
from dashboard.figures.lines import lines_over
from dashboard.figures.routing import coupling_heatmap

if TYPE_CHECKING:
    import altair

Plots = dict[str, Callable[[Any], Figure]]


def probabilities(trace: Any) -> Figure:
    """The class probabilities over the steps of a trace."""
    return lines_over(trace.probabilities, "probability", trace.classes, [0, 1])


def couplings(trace: Any) -> Figure:
    """The coupling coefficients of words, or of the sentences of a document."""
    of_sentences = getattr(trace, "of_sentences", None)
    routed = of_sentences() if of_sentences else trace
    unit = "sentence" if of_sentences else "word"
    return coupling_heatmap(routed.inputs_to_capsules.coupling, routed.tokens, routed.normalize, unit)


ROUTING: Plots = {"coupling": couplings, "probabilities": probabilities}
PLOTS: dict[str, Plots] = {  # by kind of trace; the first of each is the main picture of its page
    "dragg": ROUTING,
    "dragg-documents": ROUTING,
}


def chart(trace: Any, name: str) -> "altair.VConcatChart":
    """A figure of a trace as an Altair chart with a slider, titled by its name."""
    return together({f"{name}, {trace.model}": PLOTS[trace.kind][name](trace)})
