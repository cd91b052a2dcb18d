"""The Lab: parts vote for wholes in the plane, and four routings of the same votes side by side."""

from pathlib import Path

import streamlit as st

from dashboard.components import scrubber
from dashboard.pages.lab.inputs import choose_count, choose_input
from dashboard.pages.lab.live import draw_live, route
from dashboard.pages.lab.results import add_figures, draw_curves, draw_numbers, draw_shares, files
from dashboard.pages.lab.texts import FORMULA, NOT_SHOWN, QUESTION, SOURCE
from dashboard.shared.export import draw_menu
from dashboard.shared.outputs import draw_formula
from dashboard.shared.shown import Shown
from dashboard.shared.skeleton import draw_open_tab, draw_screen, make_tabs


def page() -> None:
    screen = draw_screen("Lab", QUESTION, Path(__file__).parent)
    with screen.input:
        make_scene, knobs, experiment = choose_input()
    with screen.controls:
        n_iters = choose_count()
    scene = make_scene()
    with screen.verdict:
        st.markdown(experiment.task or scene.note)
    with screen.picture:
        draw_live(make_scene, knobs, n_iters, experiment)
    routed = route(scene, knobs, n_iters)
    shown = Shown()
    add_figures(shown, scene, routed)
    sections = {
        "Shares": lambda: draw_shares(shown),
        "Iterations": lambda: draw_curves(shown, routed),
        "Formula": lambda: draw_formula(FORMULA, SOURCE, NOT_SHOWN),
        "Numbers": lambda: draw_numbers(shown),
    }
    with screen.tabs:
        draw_open_tab(make_tabs(*sections), sections)
    with screen.scrubber:
        scrubber(n_iters)
    with screen.actions:
        draw_menu(shown, [("Lab", shown.tables, files(scene, knobs, routed))])


page()
