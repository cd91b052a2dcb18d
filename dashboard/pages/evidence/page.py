"""Measurements over whole test splits: whether the answer depends on the words that a picture ranks highest."""

from pathlib import Path

import streamlit as st

from dashboard.pages.evidence.measures import MEASURES
from dashboard.pages.evidence.tables import draw_picture, draw_table, draw_words, routings
from dashboard.pages.evidence.texts import DEFINITIONS, QUESTION
from dashboard.screen.export import draw_menu, no_files
from dashboard.screen.inputs import choose_from_menu, choose_option
from dashboard.screen.shown import Shown
from dashboard.screen.skeleton import draw_open_tab, draw_screen, make_tabs

ALL = "all"


def page() -> None:
    screen = draw_screen("Evidence", QUESTION, Path(__file__).parent)
    routing_by_name = routings()
    with screen.input, st.container(horizontal=True, gap="medium"):
        measure = choose_option(list(MEASURES), "Measure", "measure")
        with st.container(width=120):
            routing = choose_from_menu([ALL, *dict.fromkeys(routing_by_name.values())], "Routing", "routing", ALL)
        way = choose_option(["masked", "removed"], "Words are", "deleted") if MEASURES[measure].by_way else "masked"
    names = [name for name, own_routing in routing_by_name.items() if routing in (ALL, own_routing)]
    shown = Shown()
    with screen.verdict:
        st.markdown(MEASURES[measure].meaning.replace("\n", " "))
    with screen.picture:
        draw_picture(shown, measure, names, way)
    sections = {
        "Table": lambda: draw_table(names, way),
        "In words": lambda: draw_words(measure, names, way),
        "Definitions": lambda: st.markdown(DEFINITIONS),
    }
    with screen.tabs:
        draw_open_tab(make_tabs(*sections), sections)
    if shown.figures:
        with screen.actions:
            draw_menu(shown, f"Evidence: {measure}", [("evidence", shown.tables, no_files)])


page()
