"""The picture, a fragment that is redrawn while a part is moved; the rest of the page follows when it is released."""

from collections.abc import Sequence

import streamlit as st

from core.sentences.comparison import Routed
from dashboard.components.lab import lab
from dashboard.pages.lab import parts
from dashboard.pages.lab.inputs import Chosen, take_message
from dashboard.pages.lab.picture import to_browser_data
from dashboard.pages.lab.scenes import LabScene
from dashboard.runs.lab import compare


def route(scene: LabScene, chosen: Chosen) -> list[Routed]:
    """Run the scene's votes through every routing."""
    return compare(scene.votes, *chosen.settings(scene))


@st.fragment
def draw_live(chosen: Chosen) -> None:
    """Route the current scene, and draw it."""
    state = st.session_state
    scene = chosen.make_scene()
    runs = route(scene, chosen)
    statuses = chosen.experiment.check(runs, _changed_minds(runs))
    version, answers = (state.lab_version, state.lab_answers) if scene.parts else (0, 0)
    lab("lab", to_browser_data(scene, runs, statuses, f"{scene.name} {version}", answers), take_message)
    if state.pop("lab_done", False):
        st.query_params["parts"] = parts.to_address(scene.parts)
        st.rerun()


def _changed_minds(runs: Sequence[Routed]) -> list[list[str]]:
    """The names of the routings that have left their first choice, in order, grouped by move."""
    state = st.session_state
    if state.get("lab_winners") is None:
        state.lab_winners, state.lab_changed = {run.name: run.winner for run in runs}, []
    before = {name for names in state.lab_changed for name in names}
    now = [run.name for run in runs if run.winner not in (None, state.lab_winners.get(run.name))]
    if new := [name for name in now if name not in before]:
        state.lab_changed.append(new)
    return state.lab_changed
