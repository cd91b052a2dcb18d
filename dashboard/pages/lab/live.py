"""The picture, a fragment that is redrawn while a part is moved; the rest of the page follows when it is released."""

import streamlit as st

from core.sentences.comparison import Routed
from dashboard.components.lab import lab
from dashboard.pages.lab import parts
from dashboard.pages.lab.experiments import N_DRAWS
from dashboard.pages.lab.inputs import Chosen, take_message
from dashboard.pages.lab.picture import to_browser_data
from dashboard.pages.lab.predicted import outcome_of, question_of, subject_of
from dashboard.pages.lab.scenes import LabScene, votes_in_draws
from dashboard.runs.lab import compare, count_choices
from dashboard.screen.predict import answer_to, ask, compare_with_outcome, predicts


def hides(scene: LabScene, chosen: Chosen) -> bool:
    """Whether results stay hidden, because the user has not predicted them yet."""
    return predicts() and answer_to(subject_of(scene, chosen)) is None


def route(scene: LabScene, chosen: Chosen) -> list[Routed]:
    """Run the scene's votes through every routing."""
    return compare(scene.votes, *chosen.settings(scene))


@st.fragment
def draw_live(chosen: Chosen, only: list[str]) -> None:
    """Route the current scene, and draw it. only: names of the routings to draw; all if it is empty."""
    state = st.session_state
    scene = chosen.make_scene()
    runs = route(scene, chosen)
    statuses = chosen.experiment.check(runs, lambda whole: _choices_in_draws(scene, chosen, whole))
    version, answers = (state.lab_version, state.lab_answers) if scene.parts else (0, 0)
    drawn = [run for run in runs if run.name in only] or runs
    data = to_browser_data(scene, drawn, statuses, f"{scene.name} {version}", answers)
    if predicts():
        subject = subject_of(scene, chosen)
        ask(*question_of(scene, runs), subject)
        compare_with_outcome(subject, outcome_of(scene, runs))
    lab("lab", data | {"hidden": hides(scene, chosen)}, take_message)
    if state.pop("lab_done", False):
        st.query_params["parts"] = parts.to_address(scene.parts)
        st.rerun()


def _choices_in_draws(scene: LabScene, chosen: Chosen, whole: int) -> dict[str, list[int]]:
    """In how many of ``N_DRAWS`` draws of the noise each routing chooses a whole, after each iteration."""
    return count_choices(votes_in_draws(scene, N_DRAWS), whole, *chosen.settings(scene))
