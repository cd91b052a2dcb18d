"""Two runs of any text, model, iteration or edits: both on one scale, and their difference."""

from pathlib import Path

import streamlit as st

from core.sentences.differences import describe_settings, name_runs
from dashboard.figures.aligned import align_runs
from dashboard.pages.compare import pictures
from dashboard.pages.compare.pinned import draw_pinned
from dashboard.pages.compare.sides import (
    choose_models,
    choose_sides,
    fill_in_pins,
    offer_link,
    settings_of,
)
from dashboard.pages.compare.texts import APPLY, NOT_SHOWN, QUESTION
from dashboard.runs import checkpoints
from dashboard.screen.export import draw_export_menu
from dashboard.screen.inputs import choose_iterations, count_picks
from dashboard.screen.outputs import draw_limits
from dashboard.screen.settings import choose_device
from dashboard.screen.shown import Shown
from dashboard.screen.skeleton import draw_open_tab, draw_screen, make_tabs


def page() -> None:
    screen = draw_screen("Compare", QUESTION, Path(__file__).parent)
    device = choose_device()
    with screen.input:
        fill_in_pins()
        columns = [column.container(gap="xxsmall") for column in st.columns(2, gap="large")]
        models = choose_models(columns)
    trained = checkpoints.trained_with(models)
    with screen.controls:
        n_iters = choose_iterations(max(trained)) if trained else 1
        st.button("Run", key="run texts", type="primary", icon=":material/play_arrow:", help=APPLY)
    sides = choose_sides(models, columns, n_iters)
    with screen.input:
        traces = [side.run(device, n_iters) for side in sides]
    settings = settings_of(sides, traces)
    names = name_runs(settings)
    steps = [side.step if trace.along == "iteration" else None for side, trace in zip(sides, traces, strict=True)]
    classes = pictures.classes_of(traces, steps)
    both = align_runs(*traces, tuple(steps))
    shown = Shown()
    cell_section = {"This cell": lambda cell: pictures.draw_cell(shown, both, names, cell)}
    sections = {
        "Pinned runs": lambda _: draw_pinned(device),
        **({} if both is None else cell_section),
        "Steps": lambda _: pictures.draw_steps(shown, traces, names),
        "Numbers": lambda _: shown.draw_tables(traces[:1]),
    }
    with screen.picture:
        pictures.draw_finding(shown, traces, both, names, describe_settings(settings), classes)
        left, right = st.columns([2, 1], gap="large")
        with left:
            pictures.draw_pictures(shown, traces, both, names, steps)
        with right:
            pictures.draw_classes(shown, traces, classes, names)
    cell, signals = None, {}
    with screen.tabs:
        tabs = make_tabs(*sections)
        if both is not None:
            with tabs["This cell"]:
                cell = pictures.choose_cell(both, " ".join(f"{side.name} {side.text} {side.edits}" for side in sides))
            signals = {"picked": cell.word * both.first.shape[2] + cell.capsule, "turn": count_picks(cell)}
        draw_open_tab(tabs, sections, cell)
    with screen.scrubber:
        pictures.draw_scrubbers(shown, traces, steps, signals)
    draw_limits(screen.limits, NOT_SHOWN)
    with screen.actions:
        offer_link(sides)
        lines = [pictures.line_at(trace, step) for trace, step in zip(traces, steps, strict=True)]
        about = {"names": names, "lines": lines, "texts": [side.text for side in sides], "not_shown": NOT_SHOWN}
        draw_export_menu(shown, "Compare", traces, None, None, **about)


page()
