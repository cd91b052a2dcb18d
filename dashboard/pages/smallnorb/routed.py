"""The routed view: its classes, the places that a part or a score uses, and the parts that feed each class."""

from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from core.edits import DropCapsule
from core.sentences.findings import describe_places
from core.sentences.words import capital
from core.traces.em import EMPlacesTrace
from dashboard.components.buttons import pin_button
from dashboard.components.finding import finding
from dashboard.components.verdict import KeptAnswers, verdict
from dashboard.figures.em import capsule_table, part_heatmap
from dashboard.figures.kinds import PICTURES
from dashboard.figures.lines import lines_over
from dashboard.figures.pictures import location_table
from dashboard.pages.smallnorb.direction import RoutedPair
from dashboard.pages.smallnorb.doubts import doubt_of
from dashboard.pages.smallnorb.networks import describe, limits_of
from dashboard.pages.smallnorb.texts import TITLE
from dashboard.pages.smallnorb.views import ToyViews
from dashboard.runs import pictures as picture_runs
from dashboard.screen import inputs
from dashboard.screen.export import draw_export_menu
from dashboard.screen.markdown import escape
from dashboard.screen.outputs import after_iterations, draw_notices, draw_numbers, iteration_notes, stop_on_error
from dashboard.screen.pins import pin_run
from dashboard.screen.shown import Shown
from dashboard.screen.unit_link import name_unit
from dashboard.whatif.change import Change

PART_TAKES, CLASS_SCORE = "What a part takes in", "What a score is made of"


class Overlay(NamedTuple):
    """The values over the picture.

    Attributes:
        title: ``PART_TAKES`` or ``CLASS_SCORE``.
        plot: name of the figure in ``PICTURES``.
        setting: part or class, as an argument of the figure.
    """

    title: str
    plot: str
    setting: dict[str, int]

    def quantity(self, trace: EMPlacesTrace) -> np.ndarray:
        """The values over the picture, [t, row, column]."""
        ((name, number),) = self.setting.items()
        return trace.taken_from[..., number] if name == "part" else trace.credit_by_place[..., number]

    @property
    def code(self) -> str:
        """Python arguments of ``trace.plot`` for this figure, over the left picture of a pair named ``sample``."""
        ((name, number),) = self.setting.items()
        return f"{self.plot!r}, {name}={number}, picture=sample[0]"


def run_networks(names: list[str], device: str, pair: np.ndarray) -> list[EMPlacesTrace]:
    """Run a pair through the networks with the largest number of iterations, and draw notices."""
    with stop_on_error():
        traces = [picture_runs.run_pair(name, device, pair) for name in names]
    draw_notices(notice for trace in traces for notice in trace.notices)
    return traces


def draw_classes(
    shown: Shown,
    traces: list[EMPlacesTrace],
    trained: int,
    change: Change,
    kept: list[picture_runs.ClassCapsules],
    views: ToyViews,
    seen: RoutedPair,
) -> None:
    """Draw the classes of each network as bars at the scrubbed iteration.

    Args:
        shown: record of the page.
        traces: traces of the networks.
        trained: number of iterations in training.
        change: run on screen of the first network.
        kept: class capsules of every view, by each network.
        views: views or pictures.
        seen: pair on screen.
    """
    for trace, capsules in zip(traces, kept, strict=True):
        if len(traces) > 1:
            st.markdown(f"**{escape(describe(trace.model))}**")
        is_changed = change.is_edited and trace is traces[0]
        old = {"before": change.before.probabilities[: trace.n_steps]} if is_changed else {}
        n = len(capsules.probabilities)
        notes = [f"{capital(views.noun)} {k + 1} of {n}, {after_iterations(trained)}." for k in range(n)]
        answers = KeptAnswers(capsules.probabilities, seen.view + 1, notes)
        options = {"start": min(trained, trace.n_steps), "kept": None if is_changed else answers, **old}
        options["doubt"] = doubt_of(trace.model, views, seen)
        notes = iteration_notes(trace, trained)
        shown.add(verdict(f"verdict-{trace.model}", trace.probabilities, trace.classes, notes, **options))


def draw_actions(shown: Shown, trace: EMPlacesTrace, seen: RoutedPair, overlay: Overlay) -> None:
    """Draw the button that pins the run on screen, and the export menu."""
    pin_button(lambda address: pin_run("smallnorb", trace.model, "", address))
    draw_export_menu(shown, TITLE, [trace], seen.sample, trace.n_steps, overlay.code, not_shown=limits_of(trace))


def draw_finding(shown: Shown, trace: EMPlacesTrace, change: Change, part: int) -> None:
    """Draw one sentence per iteration on the leading class and a part, and on a run in which this part is switched off.

    Args:
        shown: record of the page.
        trace: trace on screen.
        change: run on screen.
        part: index of the part.
    """
    second, off, without = trace.parts_to_classes, switch_off(part), None
    is_off = not {off, DropCapsule(part)}.isdisjoint(change.applied)  # without a routing, it is the first one
    if not is_off:
        edited = change.run.edited((*change.applied, off)).trace
        without = edited.first(trace.n_steps).parts_to_classes.scores
    values = trace.used, second.effect, trace.taken_from, trace.probabilities, second.benefit, second.cost
    name = name_unit(trace.model, part + 1, "part")
    shown.add(finding("finding-places", describe_places(*values, trace.classes, part, without, is_off, name)))


def switch_off(part: int) -> DropCapsule:
    """The edit that switches a part off: no place can send anything to it."""
    return DropCapsule(part, routing=0)


def choose_overlay(trace: EMPlacesTrace, part: int, subject: str) -> Overlay:
    """Let the user choose what is drawn over the picture: the places of a part, or of a class.

    Args:
        trace: trace of the run.
        part: index of the chosen part.
        subject: value that identifies the routed pair.
    """
    title = inputs.choose_from_menu(
        [CLASS_SCORE, PART_TAKES], "Shown over the left picture", "over", CLASS_SCORE, bare=True
    )
    if title == PART_TAKES:
        return Overlay(title, "part", {"part": part})
    leading = trace.classes[int(trace.probabilities[-1].argmax())]
    name = inputs.choose_option_from(trace.classes, "Class", "class", leading, subject)
    return Overlay(title, "class", {"k": trace.classes.index(name)})


def draw_overlay(shown: Shown, trace: EMPlacesTrace, picture: np.ndarray, overlay: Overlay) -> None:
    """Draw the left picture of the routed view, and over it the places that a part or a class uses."""
    figure = PICTURES[overlay.plot](trace, picture=picture, **overlay.setting)
    shown.of(trace).draw_heatmap(overlay.title, figure, "places")


def caption(trace: EMPlacesTrace, views: ToyViews, view: str) -> str:
    """The routed view and toy, the device and the network in an escaped sentence. view: name of the view."""
    return escape(f"Routed: {view} ({views.toy}). Network: {describe(trace.model)}. Device: {trace.device}.")


def draw_cell(trace: EMPlacesTrace, part: int) -> None:
    """Draw what each class uses of a part after the last iteration shown."""
    second = trace.parts_to_classes
    use = second.gate[-1, part] * second.coupling[-1, part]
    rows = [
        [name, f"{d:.3f}", f"{e:+.3f}"] for name, d, e in zip(trace.classes, use, second.effect[-1, part], strict=True)
    ]
    draw_numbers(["class", f"D_use of part {part + 1}", "added to its score"], rows)
    st.caption(
        f"{capital(after_iterations(trace.n_steps))}. "
        "Each class takes a share of this part, and the size of the share changes the class's score."
    )


def draw_part(shown: Shown, trace: EMPlacesTrace) -> None:
    """Draw the contribution of each part to each class; a click picks a part."""
    st.caption(
        "The part you choose here is drawn over the picture above. To choose another part, click a column or use the "
        "arrow keys."
    )
    second = trace.parts_to_classes
    figure = part_heatmap(second.gate[..., None] * second.coupling, trace.classes)
    shown.draw_heatmap("Parts to classes", figure, "parts", "D_use of every part for every class", {"i": "part"})


def draw_progress(shown: Shown, trace: EMPlacesTrace) -> None:
    """Draw the probability and the score of every class over the iterations."""
    charts = {
        "Class if routing stopped here": lines_over(trace.probabilities, "probability", trace.classes, [0, 1]),
        "Bang per bit of each class": lines_over(trace.parts_to_classes.scores, "a_k = benefit - cost", trace.classes),
    }
    shown.draw_charts(charts, columns=2)


def add_tables(shown: Shown, trace: EMPlacesTrace, part: int) -> None:
    """Record the tables of the routed view. part: index of the chosen part."""
    shown.add_table("classes", lambda: capsule_table(trace.parts_to_classes, trace.classes))
    shown.add_table("places", lambda: places_table(trace, part))


def places_table(trace: EMPlacesTrace, part: int) -> pd.DataFrame:
    """Make a table of the numbers over the picture, for this part and every class."""
    credit = {f"credit, {name}": trace.credit_by_place[..., k] for k, name in enumerate(trace.classes)}
    taken = {f"D_use, part {part + 1}": trace.taken_from[..., part]}
    return location_table(taken | credit, trace.centres["first"], trace.centres["step"])
