"""The picture of a trace: the score that each word adds."""

from dashboard.figures.compare import signed_heatmap
from dashboard.figures.figure import Figure
from dashboard.figures.kinds import FAMILIES, PROBABILITIES, Family, Main
from tests.toy_network.trace import SumTrace


def added(trace: SumTrace) -> Figure:
    """A heat map of the score that each word adds."""
    return signed_heatmap(trace.added, trace.tokens, trace.classes, "score added", "word", "class")


def main_of(trace: SumTrace) -> Main:
    """The data of the main picture, with which pages compare runs."""
    return Main(trace.added, trace.tokens, trace.classes, "score added", row_title="class")


FAMILIES[SumTrace] = Family({"added": added, **PROBABILITIES}, main_of)
