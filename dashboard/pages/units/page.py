"""Units: what each capsule, part, layer or component of a network takes and does over many texts."""

from pathlib import Path

import streamlit as st

from core.datasets import corpus_of
from dashboard.pages.units.all_units import draw_plane
from dashboard.pages.units.corpus import choose_corpus, draw_measuring
from dashboard.pages.units.export import draw_export
from dashboard.pages.units.finder import draw_answer, draw_finder, find
from dashboard.pages.units.naming import choose_unit, with_given_names
from dashboard.pages.units.panel import draw_panel
from dashboard.pages.units.readings import draw_readings, page_link
from dashboard.pages.units.sections import sections_of
from dashboard.pages.units.texts import MEASURE_TAB, NOT_MEASURED, NOT_MEASURED_HERE, QUESTION, TITLE
from dashboard.runs import checkpoints
from dashboard.runs.checkpoints import is_of_session
from dashboard.runs.unit_views import views_of
from dashboard.runs.units import measured_networks
from dashboard.screen.checkpoint import choose_checkpoint
from dashboard.screen.links import draw_page_link
from dashboard.screen.markdown import escape
from dashboard.screen.shown import Shown
from dashboard.screen.skeleton import draw_open_tab, draw_screen, make_tabs


def page() -> None:
    screen = draw_screen(TITLE, QUESTION, Path(__file__).parent)
    with screen.input, st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        asked_for = st.query_params.get("checkpoint", "")
        name = choose_checkpoint(measured_networks(asked_for), first="dragg-reversed-sst5")
        units = choose_corpus(name)
    measure = {MEASURE_TAB: lambda: draw_measuring(name)} if checkpoints.record_of(name).reads == "text" else {}
    if units is None:
        may_measure = corpus_of(checkpoints.about(name).corpus) and not is_of_session(name)
        screen.picture.caption(escape((NOT_MEASURED if may_measure else NOT_MEASURED_HERE).format(name=name)))
        with screen.tabs:
            draw_open_tab(make_tabs(*measure), measure) if measure else None
        return
    units, shown = with_given_names(units), Shown()
    with screen.input:
        asked = draw_finder(units)
    says, first = find(units, asked) if asked else ("", None)
    with screen.verdict:
        draw_answer(units, says)
    with screen.picture, st.container(key="units"):
        left, right = st.columns([3, 2], gap="large")
    with right:
        u = choose_unit(units, units.first if first is None else first, f"{name} {asked}")
        draw_panel(shown, units, u)
    with left:
        draw_plane(shown, units, u)
        draw_page_link(name, page_link(units))
        views = views_of(units, u)
        draw_readings(shown, units, u, views)
    sections = sections_of(shown, units, u, views, measure)
    with screen.tabs:
        draw_open_tab(make_tabs(*sections), sections)
    with screen.actions:
        draw_export(shown, units)


page()
