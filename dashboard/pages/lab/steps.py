"""One iteration of a routing, step by step with its numbers, for one input and one output of the scene."""

import streamlit as st

from core.sentences.routing_names import about
from core.sentences.words import capital
from core.worked import Nouns
from dashboard.components.scrubber import scrubbed
from dashboard.pages.lab.inputs import Chosen
from dashboard.pages.lab.scenes import LabScene
from dashboard.pages.lab.texts import NUMBERS_OF_VOTES
from dashboard.runs.lab import names, work
from dashboard.screen.formula import draw_steps
from dashboard.screen.inputs import choose_from_menu
from dashboard.theme import make_unique


@st.fragment
def draw_step_by_step(scene: LabScene, chosen: Chosen, only: list[str]) -> None:
    """Let the user choose a routing, an input and an output, and draw the steps of the slider's iteration.

    It is a fragment, so that a move of the slider does not run the page.

    Args:
        scene: scene on screen.
        chosen: the user's choices.
        only: names of the routings that are drawn; the first of them is worked out at first.
    """
    titles = {about(name).title: name for name in names()}
    inputs = make_unique(scene.inputs)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        title = choose_from_menu(list(titles), "Routing", "worked", about(next(iter([*only, *names()]))).title)
        i = choose_from_menu(inputs, capital(scene.unit), "worked_input", inputs[0])
        j = choose_from_menu(scene.outputs, capital(scene.output), "worked_output", scene.outputs[0])
    step = min(scrubbed("worked step", "iteration", chosen.n_iters) or chosen.n_iters, chosen.n_iters)
    st.caption(f"Iteration {step} of {chosen.n_iters}: move the slider for another one. {NUMBERS_OF_VOTES[scene.name]}")
    cell = inputs.index(i), scene.outputs.index(j)
    _, *settings = chosen.settings(scene)
    nouns = Nouns(scene.unit, scene.output, scene.outputs, scene.components)
    steps = work(scene.votes, titles[title], cell, step, *settings, nouns)
    if not steps:
        st.caption("There is no formula for this routing here.")
        return
    draw_steps(steps, f"{title} {cell} {step} {scene.votes.sum()}", one_by_one=True)
