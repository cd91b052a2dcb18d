"""Pictures of both runs: classes in pairs, main pictures on one scale, their difference, and sliders."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from core.sentences.differences import describe_answers, describe_changes, place_of
from core.sentences.words import quote
from core.trace import Trace
from dashboard.components.finding import finding
from dashboard.components.scrubber import slider
from dashboard.components.sides import sides
from dashboard.figures import plots
from dashboard.figures.aligned import Aligned, align_columns, have_different_sums, hold
from dashboard.figures.compare import stacked_pictures, three_pictures, with_title
from dashboard.figures.figure import Figure, begin_at
from dashboard.figures.kinds import family_of
from dashboard.figures.lines import lines_over
from dashboard.pages.compare.texts import IN_LABELS, MATCHED, OTHER_KIND, OTHER_SUMS, UNMATCHED
from dashboard.runs import checkpoints
from dashboard.screen.export_files import Line, answer_line
from dashboard.screen.inputs import MAX_SHOWN, Cell, choose_number_from
from dashboard.screen.markdown import escape
from dashboard.screen.shown import Shown
from dashboard.theme import TWO_RUNS

LABELS = {"iteration": "Routing iteration", "layer": "Layer", "window": "Window, words"}
ADDRESSES = {"iteration": "t"}  # names in the address that differ from the unit of the steps
PATTERNS = [[1, 0], [5, 3]]  # lines of the left run are full, those of the right one dashed

MAX_PAIRS = 6  # pairs of capsules or features that a sentence lists
Names = tuple[str, str]


def are_paired(traces: list[Trace]) -> bool:
    """Whether both runs have the same classes and the same kind of steps."""
    first, second = traces
    same_values = first.has_lengths == second.has_lengths
    return first.classes == second.classes and first.along == second.along and same_values


def draw_finding(
    shown: Shown, traces: list[Trace], both: Aligned | None, names: Names, settings: str, classes: list[np.ndarray]
) -> None:
    """Say in one line which settings differ, what both runs predict, and which cell differs most.

    Args:
        shown: record of the page.
        traces: traces of both runs.
        both: aligned runs; None if they cannot be subtracted.
        names: names of both runs.
        settings: sentence on the settings in which the runs differ.
        classes: values of the classes of each run, [t, k].
    """
    parts = [[settings]]
    if are_paired(traces):
        kinds = (traces[0].classes, traces[1].classes)
        parts.append(describe_answers(names, kinds, (classes[0], classes[1]), not traces[0].has_lengths))
    if both is not None:
        noun = both.main.row_name
        rows = [name if noun == "class" else f"{noun} {name}" for name in both.row_labels]
        columns = [quote(name) if both.main.aligned else f"{both.main.unit} {name}" for name in both.labels]
        parts.append(describe_changes(both.first, both.second, columns, rows, names))
    n_steps = max(map(len, parts))
    sentences = [" ".join(part[min(t, len(part) - 1)] for part in parts) for t in range(n_steps)]
    shown.add(finding("finding", sentences, param=traces[0].along))


def draw_classes(shown: Shown, traces: list[Trace], classes: list[np.ndarray], names: Names) -> None:
    """Draw the classes of both runs: as pairs of bars if they are the same, otherwise below each other.

    Args:
        shown: record of the page.
        traces: traces of both runs.
        classes: values of the classes of each run, [t, k].
        names: names of both runs.
    """
    if are_paired(traces):
        first = traces[0]
        shown.add(sides("sides", names, classes, first.classes, not first.has_lengths, first.along))
        return
    for k, (name, trace, values) in enumerate(zip(names, traces, classes, strict=True)):
        shown.add(sides(f"sides {k}", [name], [values], trace.classes, not trace.has_lengths, trace.along, k))


def draw_pictures(
    shown: Shown, traces: list[Trace], both: Aligned | None, names: Names, steps: list[int | None]
) -> None:
    """Draw both runs and their difference below each other, or each run on its own scale if there is no difference.

    Args:
        shown: record of the page.
        traces: traces of both runs.
        both: aligned runs; None if they cannot be subtracted.
        names: names of both runs.
        steps: fixed iteration of each run, or None.
    """
    if both is None:
        st.caption((OTHER_SUMS if have_different_sums(*traces) else OTHER_KIND).replace("\n", " "))
        for title, figure in _apart(traces, names, steps).items():
            _draw_picture(shown, title, figure, title, picks=False)
        return
    if both.is_matched:
        st.caption(escape(describe_pairs(both, names)))
    for title, figure in three_pictures(both, names, [place_of(name) for name in names]).items():
        alt = f"{title}: {both.main.quantity} of every {both.main.unit}"
        _draw_picture(shown, title, figure, alt, picks=True)
    shown.add_table("cells", lambda: cell_table(both, names))


def _apart(traces: list[Trace], names: Names, steps: list[int | None]) -> dict[str, Figure]:
    """The main pictures of two runs that cannot be subtracted."""
    mains = align_columns(traces[0], traces[1], (steps[0], steps[1]))
    if mains:
        figures = stacked_pictures(mains, names)
    else:
        figures = {name: family_of(trace).draw_main(trace) for name, trace in zip(names, traces, strict=True)}
    starts = [step or trace.own_step for trace, step in zip(traces, steps, strict=True)]
    along = [trace.along for trace in traces]
    titled = zip(figures.items(), along, starts, strict=True)
    return {title: begin_at(figure, param, start) for (title, figure), param, start in titled}


def _draw_picture(shown: Shown, title: str, figure: Figure, alt: str, picks: bool) -> None:
    """Draw a picture with its title. Every picture is a main one in the export menu, which adds the title itself."""
    record = shown.by_model.setdefault(title, Shown())
    picked = {"i": "column", "j": "row"} if picks else None
    record.draw_heatmap(title, with_title(figure, title), f"picture {title}", alt, picked)
    record.figures[title] = figure


def describe_pairs(both: Aligned, names: Names) -> str:
    """Say how the capsules or features of two trainings are paired."""
    noun = both.main.row_name if both.main.unordered == "rows" else both.main.unit
    pairs = [f"{first} with {second}" for first, second in both.partners if first and second]
    listed = ", ".join(pairs) if len(pairs) <= MAX_PAIRS else IN_LABELS
    unit = both.main.unit if both.main.unordered == "rows" else "word"
    sentence = MATCHED.format(What=noun.capitalize(), what=noun, unit=unit, pairs=listed).replace("\n", " ")
    unmatched = [
        f"{noun} {number} ({name})" for name, numbers in zip(names, both.unmatched, strict=True) for number in numbers
    ]
    return f"{sentence} {UNMATCHED.format(names=', '.join(unmatched))}" if unmatched else sentence


def line_at(trace: Trace, step: int | None) -> Line:
    """The answers of a run at every step, or only at its fixed iteration."""
    line = answer_line(trace)
    return line if step is None else line._replace(sentences=[line.sentences[min(step, trace.n_steps) - 1]])


def choose_cell(both: Aligned, subject: str) -> Cell:
    """Let the user choose or click the cell with a frame in all pictures; at first the one that differs most."""
    differences = np.nan_to_num(np.abs(both.changed[-1]))
    i, j = np.unravel_index(differences.argmax(), differences.shape)
    word, row, chosen = st.columns([1, 1, 2], vertical_alignment="bottom")
    with word:
        column = choose_number_from(len(both.labels), both.main.unit.capitalize(), "column", int(i), subject)
    with row:
        title = both.main.row_name.capitalize()
        picked = choose_number_from(differences.shape[1], title, "row", int(j), subject)
    chosen.text(quote(both.labels[column], MAX_SHOWN))
    return Cell(column, picked)


def draw_cell(shown: Shown, both: Aligned, names: Names, cell: Cell) -> None:
    """Draw one cell's numbers of both runs over the iterations, or as two numbers if there is only one step."""
    a, b = (values[:, cell.word, cell.capsule] for values in (both.first, both.second))
    if len(a) > 1:
        values = np.stack([a, b], 1)
        figure = lines_over(values, both.main.quantity, list(names), colours=TWO_RUNS, dashes=PATTERNS)
        shown.draw_charts({"This cell in both runs": figure}, columns=2)
        return
    for column, title, value in zip(st.columns(3), (*names, "difference"), (a[0], b[0], b[0] - a[0]), strict=True):
        column.metric(f"{both.main.quantity}, {escape(title)}", "none" if np.isnan(value) else f"{value:.4f}")


def draw_steps(shown: Shown, traces: list[Trace], names: Names) -> None:
    """Draw the classes of both runs over the steps."""
    shown.draw_charts({name: _classes_over(trace) for name, trace in zip(names, traces, strict=True)}, columns=2)


def _classes_over(trace: Trace) -> Figure:
    return plots.class_lengths(trace) if trace.has_lengths else plots.probabilities(trace)


def cell_table(both: Aligned, names: Names) -> pd.DataFrame:
    """One row per step, word and row of the pictures, counted from 1, with both numbers and their difference."""
    t, i, j = (index.ravel() for index in np.indices(both.first.shape))
    columns, rows = np.array(both.labels, dtype=object)[i], np.array(both.row_labels, dtype=object)[j]
    numbers = {names[0]: both.first.ravel(), names[1]: both.second.ravel(), "difference": both.changed.ravel()}
    return pd.DataFrame({"step": t + 1, "position": i + 1, both.main.unit: columns, "row": rows, **numbers})


def classes_of(traces: list[Trace], steps: list[int | None]) -> list[np.ndarray]:
    """The values of the classes of both runs, [t, k]; a fixed iteration is repeated at every step."""
    return [hold(trace.probabilities, step) for trace, step in zip(traces, steps, strict=True)]


def draw_scrubbers(shown: Shown, traces: list[Trace], steps: Sequence[int | None], signals: dict[str, int]) -> None:
    """Draw one slider for both runs if their steps are of one kind, otherwise one per run without a fixed iteration."""
    moving = [trace for trace, step in zip(traces, steps, strict=True) if step is None] or traces
    for along in dict.fromkeys(trace.along for trace in moving):
        driven = [trace for trace in traces if trace.along == along]
        n_steps, address = min(trace.n_steps for trace in driven), ADDRESSES.get(along, along)
        trained = checkpoints.trained_with([trace.model for trace in driven]) if along == "iteration" else set()
        mark = {"trained": max(trained)} if len(trained) == 1 else {}  # two networks may not share one
        shown.draw_scrubber(slider(n_steps, LABELS[along], signals, along, address, driven[0].own_step, **mark))
