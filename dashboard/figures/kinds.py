"""The figures of each kind of trace. A kind without a row in ``FAMILIES`` shows its class probabilities."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.added import import_added
from core.trace import Trace
from core.traces.agt import AGTTrace
from core.traces.cccaps import CCCapsTrace
from core.traces.dragg import DocumentTrace, OneRoutingTrace
from core.traces.drnn import DRNNTrace
from core.traces.em import EMPictureTrace, EMPlacesTrace, EMTextTrace
from dashboard.figures import plots
from dashboard.figures.figure import Figure

Plots = dict[str, Callable[..., Figure]]


@dataclass(frozen=True)
class Main:
    """The numbers of a main picture.

    Attributes:
        values: numbers [t, i, row]; there is a single t if the steps are the rows.
        columns: name of each column i.
        rows: name of each row.
        quantity: name of the numbers.
        unit: unit of a column, such as "word".
        row_title: title of the rows.
        aligned: whether columns are words, which differ from text to text and are aligned.
        unordered: "rows" or "columns" if these are capsules with numbers that depend on the training; otherwise "".
        sums: side over which shares sum to 1, "output" or "input" as in ``core.traces.dragg``; "" if none.
    """

    values: np.ndarray
    columns: list[str]
    rows: list[str]
    quantity: str
    unit: str = "word"
    row_title: str = ""
    aligned: bool = True
    unordered: str = ""
    sums: str = ""

    @property
    def row_name(self) -> str:
        """The noun for a row in a sentence."""
        return noun_of(self.row_title)


def noun_of(title: str) -> str:
    """The noun for one thing along an axis, such as "capsule" for the title "output capsule j"."""
    return title.removeprefix("output ").removesuffix(" j").split(",")[0] or "row"


def _routing_main(trace: OneRoutingTrace | DocumentTrace) -> Main:
    is_document = isinstance(trace, DocumentTrace)
    routed, unit = (trace.of_sentences(), "sentence") if is_document else (trace, "word")
    coupling = routed.inputs_to_capsules.coupling
    rows, sums = _numerals(coupling.shape[2]), routed.normalize
    return Main(coupling, routed.tokens, rows, "share", unit, "output capsule j", unordered="rows", sums=sums)


def _features_main(trace: CCCapsTrace) -> Main:
    coupling = trace.features_to_classes.coupling
    columns = _numerals(coupling.shape[1])
    return Main(coupling, columns, trace.classes, "share", "feature", "class", aligned=False, unordered="columns")


def _credit_main(trace: EMTextTrace) -> Main:
    return Main(trace.credit_of_words, trace.tokens, trace.classes, "credit", row_title="class")


def _attention_main(trace: AGTTrace) -> Main:
    values = trace.scaled_attention
    return Main(values.T[None], trace.tokens, _numerals(len(values)), "scaled attention", row_title="layer")


def _windows_main(trace: DRNNTrace) -> Main:
    values = trace.wins
    return Main(values.T[None], trace.tokens, _numerals(len(values)), "components won", row_title="window, words")


def _numerals(n: int) -> list[str]:
    """The numbers from 1 to n as names."""
    return [str(k + 1) for k in range(n)]


def _probabilities_main(trace: Trace) -> Main:
    return Main(
        trace.probabilities[:, None], ["answer"], trace.classes, "probability", "answer", "class", aligned=False
    )


@dataclass(frozen=True)
class Family:
    """The figures of one class of traces.

    Attributes:
        plots: functions that draw figures, by name; the first draws the main picture of the page.
        main: function that returns the numbers of the main picture; None if two runs cannot be subtracted.
    """

    plots: Plots
    main: Callable[..., Main] | None = None

    def main_of(self, trace: Trace) -> Main | None:
        """The numbers of the main picture of a trace; None if it has none."""
        return self.main(trace) if self.main else None

    def draw_main(self, trace: Trace, **settings: Any) -> Figure:
        """The main picture of a trace."""
        return next(iter(self.plots.values()))(trace, **settings)


PROBABILITIES: Plots = {"probabilities": plots.probabilities}
PICTURES: Plots = {
    "part": plots.part_places,
    "class": plots.class_places,
    "parts to classes": plots.parts_to_classes,
    **PROBABILITIES,
}
FEATURES: Plots = {
    "coupling": plots.feature_couplings,
    "lengths": plots.class_lengths,
    "contributions": plots.contributions,
}
ROUTING = Family({"coupling": plots.couplings, **PROBABILITIES}, _routing_main)
FAMILIES: dict[type[Trace], Family] = {
    Trace: Family(PROBABILITIES, _probabilities_main),
    OneRoutingTrace: ROUTING,
    DocumentTrace: ROUTING,
    EMTextTrace: Family({"credit": plots.credit, **PROBABILITIES}, _credit_main),
    DRNNTrace: Family({"wins": plots.wins, **PROBABILITIES}, _windows_main),
    EMPictureTrace: Family(PICTURES),
    EMPlacesTrace: Family(PICTURES),
    CCCapsTrace: Family(FEATURES, _features_main),
    AGTTrace: Family({"attention": plots.attention, **PROBABILITIES}, _attention_main),
}


def family_of(trace: Trace) -> Family:
    """The family of a trace's class, or of its nearest base class."""
    return next(FAMILIES[base] for base in type(trace).__mro__ if base in FAMILIES)


import_added("figures")  # these modules add rows to FAMILIES
