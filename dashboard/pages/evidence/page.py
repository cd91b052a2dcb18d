"""Measurements over whole test splits: a scorecard of all routings, and the figures of one network."""

from pathlib import Path

import streamlit as st

from core.measured.evidence.scorecard import QUESTIONS, RULES
from dashboard.components.scorecard import scorecard
from dashboard.pages.evidence.network import choose_measure, draw_measure, draw_replies, draw_table, draw_words
from dashboard.pages.evidence.scorecard import measured_networks, rows, summarize
from dashboard.pages.evidence.texts import CAUTION, DEFINITIONS, NOT_MEASURED, QUESTION, ROUTINGS, SAY
from dashboard.runs import checkpoints
from dashboard.runs.evidence import evidence_to_show
from dashboard.screen.evidence import routing_of
from dashboard.screen.export import draw_menu
from dashboard.screen.export_files import no_files
from dashboard.screen.inputs import BARE, choose_option
from dashboard.screen.links import draw_page_link
from dashboard.screen.measuring import how_to_measure
from dashboard.screen.network_menu import choose_network
from dashboard.screen.shown import Shown
from dashboard.screen.skeleton import Screen, draw_open_tab, draw_screen, make_tabs


def page() -> None:
    screen = draw_screen("Evidence", QUESTION, Path(__file__).parent)
    names = sorted(checkpoints.known(), key=lambda name: [routing_of(name) != routing for routing in ROUTINGS])
    draw_scorecard(screen, names[0])
    shown, sections = Shown(), {}
    with screen.tabs:
        with st.container(gap="medium"):
            st.header("One network at a time", anchor=False)
            name = choose_network("Network", names_of(st.query_params.get("routing"), names), "checkpoint", **BARE)
        evidence = evidence_to_show(name)
        if evidence is None:
            st.caption(NOT_MEASURED.format(how=how_to_measure(name)))
        else:
            draw_replies(name, evidence)
            with st.container(horizontal=True, gap="medium"):
                measure = choose_measure()
                way = choose_option(["masked", "removed"], "Deleted words are", "deleted")
            draw_measure(shown, measure, name, evidence, way)
            draw_page_link(name, "Test a text of your own with this network", inspect="Test it")
            sections["Table"] = lambda: draw_table(name, evidence, way)
            sections["In words"] = lambda: draw_words(name, evidence, way)
    sections["Definitions"] = lambda: st.markdown(DEFINITIONS)
    with screen.tabs:
        draw_open_tab(make_tabs(*sections), sections)
    if shown.figures:
        with screen.actions:
            title, tables = f"{measure}: {checkpoints.title(name)}", ("evidence", shown.tables, no_files)
            draw_menu(shown, title, [tables], network=name)


def draw_scorecard(screen: Screen, first: str) -> None:
    """Draw what the routings add up to, a link to a test of one's own text, the rules, and one row per routing.

    Args:
        screen: places of the page.
        first: network that the link opens.
    """
    measured = measured_networks()
    with screen.verdict, st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.markdown(f"**{summarize(measured)}**", width="stretch")
        draw_page_link(first, "Test your own text", inspect="Test it")
        with st.popover("The rules", icon=":material/rule:", type="tertiary"):
            for question, rule in RULES.items():
                st.markdown(f"**{question}** {' '.join(rule.split())}")
    with screen.picture:
        scorecard("scorecard", "Routing", list(QUESTIONS), SAY, rows(measured))
        st.caption(CAUTION.replace("\n", " "))


def names_of(routing: str | None, names: list[str]) -> list[str]:
    """The names of networks, those of a routing first: an address of an earlier version may name one."""
    return sorted(names, key=lambda name: routing_of(name) != routing)


page()
