"""The Lab: parts in the plane vote for wholes, and all routings of the same votes are side by side."""

from functools import partial
from pathlib import Path

import streamlit as st

from core.sentences.routing_names import about
from dashboard.components.scrubber import slider
from dashboard.pages.lab.answer import drawn_of, route
from dashboard.pages.lab.for_class import draw_for_class
from dashboard.pages.lab.handout import to_handout
from dashboard.pages.lab.inputs import choose, choose_routings
from dashboard.pages.lab.live import draw_live, hides
from dashboard.pages.lab.picture import sentences
from dashboard.pages.lab.results import (
    add_planes,
    add_shares,
    draw_curves,
    draw_numbers,
    draw_shares,
    files,
    formula_of,
)
from dashboard.pages.lab.steps import draw_step_by_step
from dashboard.pages.lab.texts import BEGIN, NOT_SHOWN, QUESTION, SOURCE
from dashboard.screen.export import draw_menu
from dashboard.screen.export_files import Line
from dashboard.screen.inputs import offer_share_link
from dashboard.screen.lab_links import draw_links_to_networks
from dashboard.screen.outputs import draw_formula, draw_limits
from dashboard.screen.predict import choose_predicting
from dashboard.screen.shown import Shown
from dashboard.screen.skeleton import draw_open_tab, draw_screen, make_tabs


def page() -> None:
    screen = draw_screen("Lab", QUESTION, Path(__file__).parent)
    chosen = choose(screen)
    scene = chosen.make_scene()
    with screen.verdict, st.container(horizontal=True, vertical_alignment="center"):
        st.container(key="task").markdown(chosen.experiment.task or scene.note or BEGIN)
        only = choose_routings()
        choose_predicting("predicts in lab")
    with screen.picture:
        draw_live(chosen, only)
    routed = route(scene, chosen)
    drawn, shown = drawn_of(routed, only), Shown()
    if st.session_state.get("export"):  # the export menu is open
        add_planes(shown, scene, drawn)
    add_shares(shown, scene, drawn, routed)
    sections = {
        "Shares": lambda: draw_shares(shown),
        "Step by step": lambda: draw_step_by_step(scene, chosen, only),
        "For class": lambda: draw_for_class(lambda: to_handout(scene, routed, chosen.experiment.task)),
        "Iterations": lambda: draw_curves(shown, drawn, scene),
        "Formula": lambda: draw_formula(formula_of(drawn), SOURCE),
        "Numbers": lambda: draw_numbers(shown),
    }
    with screen.tabs:
        draw_links_to_networks([about(name).title for name in only])
        if hides(scene, chosen):
            st.caption("The sections below the picture are hidden until you have answered.")
        else:
            draw_open_tab(make_tabs(*sections), sections)
    with screen.scrubber:
        experiment = chosen.experiment
        opened = st.session_state.get("lab_opened", 0)
        subject = f"{experiment.name} {opened}" if experiment.begins_at or opened else ""
        shown.draw_scrubber(slider(chosen.n_iters, start=experiment.begins_at, subject=subject))
    draw_limits(screen.limits, NOT_SHOWN)
    with screen.actions:
        offer_share_link({})
        steps = [f"{scene.name}, iteration {t} of {chosen.n_iters}" for t in range(1, chosen.n_iters + 1)]
        scene_files = partial(files, scene, chosen.settings(scene), routed)
        lines = [Line("iteration", steps), *(Line("iteration", sentences(run, scene)) for run in drawn)]
        draw_menu(shown, "Lab", [("Lab", shown.tables, scene_files)], lines=lines)


page()
