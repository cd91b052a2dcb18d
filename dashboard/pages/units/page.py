"""Units: what each capsule, part, layer or component of a network takes and does over many texts."""

from pathlib import Path

import streamlit as st

from core.sentences.units import find_word
from dashboard.pages.units.all_units import draw_plane, draw_table
from dashboard.pages.units.idea import draw_idea
from dashboard.pages.units.panel import draw_panel, draw_readings
from dashboard.pages.units.texts import DEFINITIONS, FIND, FIND_HELP, NOT_MEASURED, QUESTION, TITLE
from dashboard.runs import checkpoints
from dashboard.runs.units import measured_networks, units_of
from dashboard.screen.address import in_address
from dashboard.screen.checkpoint import choose_checkpoint
from dashboard.screen.export import draw_menu, no_files
from dashboard.screen.inputs import BARE, choose_option_from
from dashboard.screen.markdown import escape
from dashboard.screen.shown import Shown
from dashboard.screen.skeleton import draw_open_tab, draw_screen, make_tabs


def page() -> None:
    screen = draw_screen(TITLE, QUESTION, Path(__file__).parent)
    with screen.input, st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        name = choose_checkpoint(measured_networks(), first="dragg-reversed-sst5")
        units = units_of(name)
        word = st.text_input(FIND, placeholder=FIND_HELP, max_chars=60, width=380, **BARE, **in_address("word"))
    if units is None:
        screen.picture.caption(escape(NOT_MEASURED.format(name=name)))
        return
    first = units.first
    if word.strip():
        sentence, order = find_word(units.kept, word, units.unit)
        screen.verdict.markdown(f"**{escape(sentence)}**")
        first = order[0] if order else first
    shown = Shown()
    with screen.picture:
        left, right = st.columns([3, 2], gap="large")
    with right:
        numbers = [str(number) for number in units.kept["numbers"]]
        subject = f"{name} {word.strip().lower()}"
        u = numbers.index(choose_option_from(numbers, f"Number of the {units.unit}", "unit", numbers[first], subject))
        draw_panel(shown, units, u)
    with left:
        draw_plane(shown, units, u)
        draw_readings(units, u)
    sections = {
        "All units": lambda: draw_table(units),
        "Test an idea": lambda: draw_idea(units, u),
        "Definitions": lambda: st.markdown(DEFINITIONS),
    }
    with screen.tabs:
        draw_open_tab(make_tabs(*sections), sections)
    shown.add_table("units", units.table)
    with screen.actions:
        draw_menu(shown, f"Units of {checkpoints.title(name)}", [("units", shown.tables, no_files)])


page()
