"""The picture, a fragment that is redrawn while a part is moved; the rest of the page follows when it is released."""

import streamlit as st

from dashboard.components.lab import lab
from dashboard.pages.lab import parts
from dashboard.pages.lab.answer import data_of, route, to_asked
from dashboard.pages.lab.inputs import Chosen, take_message
from dashboard.pages.lab.predicted import outcome_of, question_of, subject_of
from dashboard.pages.lab.scenes import LabScene
from dashboard.screen.predict import answer_to, ask, compare_with_outcome, predicts


def hides(scene: LabScene, chosen: Chosen) -> bool:
    """Whether results stay hidden, because the user has not predicted them yet."""
    return predicts() and answer_to(subject_of(scene, chosen)) is None


@st.fragment
def draw_live(chosen: Chosen, only: list[str]) -> None:
    """Route the current scene, and draw it. only: names of the routings to draw; all if it is empty."""
    state = st.session_state
    scene = chosen.make_scene()
    runs = route(scene, chosen)
    version, answers = (state.lab_version, state.lab_answers) if scene.parts else (0, 0)
    data = data_of(scene, chosen, runs, only, f"{scene.name} {version}", answers)
    more = {"hidden": hides(scene, chosen), "asked": to_asked(scene, chosen, only) if scene.parts else None}
    if predicts():
        subject = subject_of(scene, chosen)
        ask(*question_of(scene, runs), subject)
        compare_with_outcome(subject, outcome_of(scene, runs))
    lab("lab", data | more, take_message)
    if state.pop("lab_done", False):
        st.query_params["parts"] = parts.to_address(scene.parts)
        st.rerun()
