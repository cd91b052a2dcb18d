"""A rule of the user, tested on a unit."""

import streamlit as st

from dashboard.pages.units.texts import IDEA, IDEA_HELP, IDEA_HOW, IDEA_ON_SENTENCES, IDEA_ON_SPLIT
from dashboard.runs.unit_ideas import reads_split, score_idea
from dashboard.runs.units import Units
from dashboard.screen.address import in_address
from dashboard.screen.markdown import escape
from dashboard.screen.outputs import go_on_after_error


def draw_idea(units: Units, u: int) -> None:
    """Let the user write a rule, and say how well it predicts when the unit is active."""
    label = IDEA.format(unit=units.unit, number=units.numbers[u])
    pattern = st.text_input(label, placeholder=IDEA_HELP, max_chars=200, **in_address("idea"))
    if pattern.strip():
        with go_on_after_error():
            st.markdown(f"**{escape(score_idea(units, u, pattern.strip()))}**")
    on = escape(IDEA_ON_SPLIT.format(data=units.data)) if reads_split(units) else IDEA_ON_SENTENCES
    st.caption(f"{IDEA_HOW} {on}")
