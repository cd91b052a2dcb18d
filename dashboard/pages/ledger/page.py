"""The ledger: claims of the five papers, with our measurements."""

from pathlib import Path

import streamlit as st

from core.ledger import PAPERS
from dashboard.pages.ledger.claims import ALL, choose, draw_picture, draw_table, draw_words, summarize
from dashboard.pages.ledger.texts import DEFINITIONS, QUESTION, VERDICTS
from dashboard.runs import ledger
from dashboard.screen.export import draw_menu
from dashboard.screen.export_files import no_files
from dashboard.screen.inputs import choose_from_menu, choose_option
from dashboard.screen.shown import Shown
from dashboard.screen.skeleton import draw_open_tab, draw_screen, make_tabs


def page() -> None:
    screen = draw_screen("Claims", QUESTION, Path(__file__).parent)
    claims = ledger.claims()
    with screen.input, st.container(horizontal=True, gap="medium"):
        with st.container(width=160):
            paper = choose_from_menu([ALL, *PAPERS], "Paper", "paper", ALL)
        verdict = choose_option([ALL, *VERDICTS], "Verdict", "judgement")
    chosen = choose(claims, paper, verdict)
    shown = Shown()
    with screen.verdict:
        st.markdown(f"**{summarize(chosen, verdict)}**")
    with screen.picture:
        draw_picture(shown, claims, paper, verdict)
    shown.add_table("claims", lambda: chosen)
    sections = {
        "Table": lambda: draw_table(chosen),
        "In words": lambda: draw_words(chosen),
        "Definitions": lambda: st.markdown(DEFINITIONS),
    }
    with screen.tabs:
        draw_open_tab(make_tabs(*sections), sections)
    with screen.actions:
        draw_menu(shown, "Claims of the papers", [("claims", shown.tables, no_files)])


page()
