"""The figures of a trace by name, as pages and ``Trace.plot`` draw them."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from dashboard.figures.em import credit_heatmap
from dashboard.figures.figure import Figure, together
from dashboard.figures.lines import lines_over
from dashboard.figures.routing import coupling_heatmap
from dashboard.figures.windows import wins_heatmap

if TYPE_CHECKING:
    import altair

Plots = dict[str, Callable[[Any], Figure]]


def probabilities(trace: Any) -> Figure:
    """The class probabilities over the steps of a trace."""
    return lines_over(trace.probabilities, "probability", trace.classes, [0, 1], along=trace.along)


def couplings(trace: Any) -> Figure:
    """The coupling coefficients of words, or of the sentences of a document."""
    of_sentences = getattr(trace, "of_sentences", None)
    routed = of_sentences() if of_sentences else trace
    unit = "sentence" if of_sentences else "word"
    return coupling_heatmap(routed.inputs_to_capsules.coupling, routed.tokens, routed.normalize, unit)


def credit(trace: Any) -> Figure:
    """The credit of each word for each class of two EM routings."""
    return credit_heatmap(trace.credit_of_words, trace.tokens, trace.pieces_of_words, trace.classes)


def wins(trace: Any) -> Figure:
    """The components that each window wins at each word, and the words that carry its decision."""
    return wins_heatmap(trace.wins, trace.tokens, trace.decisive, trace.components)


ROUTING: Plots = {"coupling": couplings, "probabilities": probabilities}
PLOTS: dict[str, Plots] = {  # by kind of trace; the first of each is the main picture of its page
    "dragg": ROUTING,
    "dragg-documents": ROUTING,
    "em-sst": {"credit": credit, "probabilities": probabilities},
    "drnn": {"wins": wins, "probabilities": probabilities},
}


def chart(trace: Any, name: str) -> "altair.VConcatChart":
    """A figure of a trace as an Altair chart with a slider, titled by its name."""
    return together({f"{name}, {trace.model}": PLOTS[trace.kind][name](trace)})
