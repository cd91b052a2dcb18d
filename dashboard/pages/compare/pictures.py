"""Pictures of both runs: classes in pairs, main pictures on one scale, their difference, and sliders."""

from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from core.sentences.differences import describe_changes
from core.sentences.words import quote
from core.trace import Trace
from dashboard.components.finding import finding
from dashboard.components.scrubber import slider
from dashboard.components.verdict import A_AND_B, paired, verdict
from dashboard.figures import plots
from dashboard.figures.aligned import Aligned, have_different_sums, hold
from dashboard.figures.compare import three_pictures
from dashboard.figures.figure import Figure, begin_at
from dashboard.figures.kinds import family_of
from dashboard.figures.lines import lines_over
from dashboard.pages.compare.texts import MATCHED, OTHER_KIND, OTHER_SUMS, UNMATCHED
from dashboard.screen.export import Line, answer_line
from dashboard.screen.inputs import MAX_SHOWN, Cell, choose_number_from
from dashboard.screen.outputs import side_by_side
from dashboard.screen.shown import Shown
from dashboard.theme import TWO_RUNS

NO_BREAK = "\u00a0"
LABELS = {"iteration": "Routing iteration", "layer": "Layer", "window": "Window, words"}
ADDRESSES = {"iteration": "t"}  # names in the address that differ from the unit of the steps


def draw_classes(shown: Shown, traces: list[Trace], classes: list[np.ndarray]) -> None:
    """Draw the classes of both runs: as pairs of bars if they are the same, otherwise side by side.

    Args:
        shown: record of the page.
        traces: traces of both runs.
        classes: values of the classes of each run, [t, k].
    """
    first, second = traces
    if first.classes == second.classes and first.along == second.along:
        percent = not (first.has_lengths or second.has_lengths)
        shown.add(paired("paired", *classes, first.classes, percent, first.along, words=A_AND_B))
        return
    for letter, trace, values in zip("AB", side_by_side(traces), classes, strict=True):
        notes = [f"{letter} · {trace.model}"] * len(values)
        percent = not trace.has_lengths
        shown.add(verdict(f"verdict {letter}", values, trace.classes, notes, percent, param=trace.along))


def draw_pictures(
    shown: Shown, traces: list[Trace], both: Aligned | None, settings: str, steps: list[int | None]
) -> None:
    """Draw A, B and B - A below each other, or A and B on their own scales if they cannot be subtracted.

    Args:
        shown: record of the page.
        traces: traces of both runs.
        both: aligned runs; None if they cannot be subtracted.
        settings: sentence on the settings in which A and B differ.
        steps: fixed iteration of each run, or None.
    """
    if both is None:
        st.markdown(f"{settings} {OTHER_SUMS if have_different_sums(*traces) else OTHER_KIND}")
        for letter, trace, step in zip("AB", traces, steps, strict=True):
            _draw_labelled(letter, partial(_draw_single, shown, letter, trace, step))
        return
    rows = [_name_of_row(both, *pair) for pair in both.rows]
    changes = describe_changes(both.first, both.second, both.names, rows, both.main.quantity)
    sentences = [f"{settings} {sentence}" for sentence in changes]
    sentences_by_step = sentences * (traces[0].n_steps if len(sentences) == 1 else 1)
    shown.add(finding("finding", sentences_by_step, param=traces[0].along))
    if both.is_matched:
        noun = both.main.row_name if both.main.unordered == "rows" else both.main.unit
        caption = [MATCHED.format(what=noun, What=noun.capitalize()).replace("\n", " ")]
        sides = zip("AB", both.unmatched, strict=True)
        unmatched = [f"{noun} {name} of {letter}" for letter, names in sides for name in names]
        caption += [UNMATCHED.format(names=", ".join(unmatched))] if unmatched else []
        st.caption(" ".join(caption))
    for title, figure in three_pictures(both).items():
        alt = f"{title}: {both.main.quantity} of every {both.main.unit}"
        _draw_labelled(title, lambda title=title, figure=figure, alt=alt: _draw_picture(shown, title, figure, alt))
    shown.add_table("cells", lambda: cell_table(both))


def _name_of_row(both: Aligned, first: str, second: str) -> str:
    """The name of a row in a sentence. first, second: its names in the two runs, "" where it is missing."""
    noun = both.main.row_name
    if first == second:
        return f"{noun} {first}"
    names = [f"{name} of {letter}" for letter, name in (("A", first), ("B", second)) if name]
    return f"{noun} {' and '.join(names)}"


def line_at(trace: Trace, step: int | None) -> Line:
    """The answers of a run at every step, or only at its fixed iteration."""
    line = answer_line(trace)
    return line if step is None else line._replace(sentences=[line.sentences[min(step, trace.n_steps) - 1]])


def _draw_labelled(title: str, draw: Callable[[], None]) -> None:
    """Draw a picture with its title at the left."""
    label, picture = st.columns([1.3, 24], gap="small", vertical_alignment="center")
    label.markdown(f"**{title}**".replace(" ", NO_BREAK))
    with picture:
        draw()


def _draw_single(shown: Shown, letter: str, trace: Trace, step: int | None) -> None:
    """Draw the main picture of one run on its own scale, beginning at its fixed iteration."""
    figure = begin_at(family_of(trace).draw_main(trace), trace.along, step or trace.own_step)
    record = shown.by_model.setdefault(letter, Shown())
    record.draw_heatmap(f"{letter}, {trace.model}", figure, f"picture {letter}")


def _draw_picture(shown: Shown, title: str, figure: Figure, alt: str) -> None:
    record = shown.by_model.setdefault(title, Shown())  # so that every picture is a main one in the export menu
    record.draw_heatmap(title, figure, f"picture {title}", alt, {"i": "column", "j": "row"})


def choose_cell(both: Aligned, subject: str) -> Cell:
    """Let the user choose or click the cell with a frame in all pictures; at first the one that differs most."""
    differences = np.nan_to_num(np.abs(both.changed[-1]))
    i, j = np.unravel_index(differences.argmax(), differences.shape)
    word, row, chosen = st.columns([1, 1, 2], vertical_alignment="bottom")
    with word:
        column = choose_number_from(len(both.names), both.main.unit.capitalize(), "column", int(i), subject)
    with row:
        title = (both.main.row_title or "row").capitalize()
        picked = choose_number_from(differences.shape[1], title, "row", int(j), subject)
    chosen.text(quote(both.names[column], MAX_SHOWN))
    return Cell(column, picked)


def draw_cell(shown: Shown, both: Aligned, cell: Cell) -> None:
    """Draw one cell's numbers of both runs over the iterations, or as two numbers if there is only one step."""
    a, b = (values[:, cell.word, cell.capsule] for values in (both.first, both.second))
    if len(a) > 1:
        figure = lines_over(np.stack([a, b], 1), both.main.quantity, ["A", "B"], colours=TWO_RUNS)
        shown.draw_charts({"The chosen cell in A and in B": figure}, columns=2)
        return
    for column, title, value in zip(st.columns(3), ("A", "B", "B - A"), (a[0], b[0], b[0] - a[0]), strict=True):
        column.metric(f"{both.main.quantity}, {title}", "none" if np.isnan(value) else f"{value:.4f}")


def draw_iterations(shown: Shown, traces: list[Trace]) -> None:
    """Draw the classes of both runs over the steps."""
    titled = zip("AB", traces, strict=True)
    charts = {f"{letter}: {trace.model}": _classes_over(trace) for letter, trace in titled}
    shown.draw_charts(charts, columns=2)


def _classes_over(trace: Trace) -> Figure:
    return plots.class_lengths(trace) if trace.has_lengths else plots.probabilities(trace)


def cell_table(both: Aligned) -> pd.DataFrame:
    """One row per step, word and row of the pictures, counted from 1, with A, B and B - A."""
    t, i, j = (index.ravel() for index in np.indices(both.first.shape))
    names, rows = np.array(both.names, dtype=object)[i], np.array(both.row_names, dtype=object)[j]
    numbers = {"A": both.first.ravel(), "B": both.second.ravel(), "B - A": both.changed.ravel()}
    return pd.DataFrame({"step": t + 1, "position": i + 1, both.main.unit: names, "row": rows, **numbers})


def classes_of(traces: list[Trace], steps: list[int | None]) -> list[np.ndarray]:
    """The values of the classes of both runs, [t, k]; a fixed iteration is repeated at every step."""
    return [hold(trace.probabilities, step) for trace, step in zip(traces, steps, strict=True)]


def draw_scrubbers(shown: Shown, traces: list[Trace], steps: list[int | None], signals: dict[str, int]) -> None:
    """Draw one slider for both runs if their steps are of one kind, otherwise one per run without a fixed iteration."""
    moving = [trace for trace, step in zip(traces, steps, strict=True) if step is None] or traces
    for along in dict.fromkeys(trace.along for trace in moving):
        driven = [trace for trace in traces if trace.along == along]
        n_steps, address = min(trace.n_steps for trace in driven), ADDRESSES.get(along, along)
        shown.draw_scrubber(slider(n_steps, LABELS[along], signals, along, address, driven[0].own_step))
