"""A quiz of five questions. The right answers and their reasons are computed from runs, not written down."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from core.analysis.scenes import WHOLES
from core.sentences.comparison import Routed, describe_share, largest_entropy
from core.sentences.routing_names import about
from core.sentences.words import capital, listed
from dashboard.pages.lab.experiments import N_DRAWS
from dashboard.pages.lab.inputs import open_scene
from dashboard.pages.lab.parts import STARTS
from dashboard.pages.lab.picture import ceiling
from dashboard.pages.lab.scenes import Knobs, LabScene, scene_of_clouds, scene_of_parts, votes_in_draws
from dashboard.pages.lab.texts import CLOUDS
from dashboard.runs.lab import compare, count_choices

BROKEN, TWO, BOTH, HOUSE = "House, its roof blown off", "Two parts of a house", "House and boat", "House"
NOISE = 0.6
KEPT = "quiz of the lab"  # entry of the session: the answers so far, by index


@dataclass(frozen=True)
class Question:
    """A question with its right answer.

    Attributes:
        text: question.
        options: possible answers.
        right: index of the right one.
        why: reason, with numbers of the run.
        settings: inputs of the page, by key, that show this scene.
    """

    text: str
    options: Sequence[str]
    right: int
    why: str
    settings: dict[str, Any]


def _of_parts(start: str, n_iters: int = 5, noise: float = 0.0) -> tuple[LabScene, list[Routed]]:
    """A scene of parts, and its runs."""
    scene = scene_of_parts(STARTS[start], noise)
    return scene, compare(scene.votes, n_iters, *Knobs().settings(scene))


def _titles(runs: Sequence[Routed]) -> list[str]:
    return [about(run.name).title for run in runs]


def _in_each(shares: Sequence[float], runs: Sequence[Routed]) -> str:
    """The shares of runs in words, as in "71% in Standard and 0% in EM"."""
    return listed([f"{share:.0%} in {title}" for share, title in zip(shares, _titles(runs), strict=True)])


def _ask_for_the_roof() -> Question:
    scene, runs = _of_parts(BROKEN)
    # The share of the roof next to an equal one, as reversed routing shares a whole among parts.
    shares = [run.coupling[-1, 0, 0] / run.coupling[0, 0, 0] for run in runs]
    return Question(
        "The roof of a house is blown off. Which routing takes it from the house altogether?",
        _titles(runs),
        int(np.argmin(shares)),
        f"{capital(describe_share(runs, -1, 0, 0, scene.outputs))}.",
        {"start": BROKEN},
    )


def _ask_for_the_ceiling() -> Question:
    scene, runs = _of_parts(TWO)
    (run,) = (run for run in runs if run.name == "reversed")
    largest, options = ceiling(run, scene.votes), [1 / 3, 1 / 2, 3 / 4, 1.0]
    return Question(
        "In reversed routing, the shares of a whole sum to 1, and every vote has length 1. How long can a whole be?",
        [f"up to {option:.2f}" for option in options],
        int(np.abs(np.array(options) - largest).argmin()),
        f"A mean of votes of length 1 is at most 1 long, and 1 is squashed to 1² / (1 + 1²) = {largest:.2f}. "
        f"Here the house reaches {run.activation[-1].max():.2f}.",
        {"start": TWO, "only": [about(run.name).title]},
    )


def _ask_for_the_iteration() -> Question:
    _, runs = _of_parts(BOTH, n_iters=10)
    (run,) = (run for run in runs if run.name == "standard")
    half = run.coupling.shape[1] // 2
    own = np.concatenate([run.coupling[:, :half, 0], run.coupling[:, half:, 1]], 1)
    first = int((own > 0.5).all(1).argmax()) + 1
    options = sorted({1, first, first + 3, 10})
    return Question(
        "A house and a boat stand side by side. After which iteration does standard routing first give more than half "
        "of every part to its own whole?",
        [f"iteration {option}" for option in options],
        options.index(first),
        f"The part that is sorted last gets from {own[0].min():.0%} in iteration 1 to {own[first - 1].min():.0%} in "
        f"iteration {first}.",
        {"start": BOTH, "iterations": 10.0},
    )


def _ask_for_the_surest() -> Question:
    scene = scene_of_clouds()
    runs = compare(scene.votes, 5, *Knobs().settings(scene))
    parts = [run.entropy[-1] / largest_entropy(run) for run in runs]
    return Question(
        "Three clouds of votes, five iterations: in which routing are the shares furthest from equal?",
        _titles(runs),
        int(np.argmin(parts)),
        f"Of the entropy that equal shares have, there is {_in_each(parts, runs)}.",
        {"scene": CLOUDS},
    )


def _ask_for_the_weakest() -> Question:
    scene, runs = _of_parts(HOUSE, noise=NOISE)
    counts = count_choices(votes_in_draws(scene, N_DRAWS), WHOLES.index("house"), 5, *Knobs().settings(scene))
    chosen = [counts[run.name][-1] for run in runs]
    each = listed([f"{title} in {n}" for title, n in zip(_titles(runs), chosen, strict=True)])
    return Question(
        f"The votes of a whole house get noise of {NOISE}. Which routing loses the house most often?",
        _titles(runs),
        int(np.argmin(chosen)),
        f"In {N_DRAWS} draws, these choose the house: {each}.",
        {"start": HOUSE, "noise": NOISE},
    )


QUESTIONS: list[Callable[[], Question]] = [
    _ask_for_the_roof,
    _ask_for_the_ceiling,
    _ask_for_the_iteration,
    _ask_for_the_surest,
    _ask_for_the_weakest,
]


def _are_answers(kept: Any) -> bool:
    """Whether a value of the session is a list of answers: each right or wrong, and the last perhaps not given."""
    if not isinstance(kept, list) or not 1 <= len(kept) <= len(QUESTIONS) + 1:
        return False
    *given, last = kept
    return all(isinstance(one, bool) for one in given) and (last is None or isinstance(last, bool))


@st.fragment
def draw_quiz() -> None:
    """Draw the question at hand with its answer, or the score at the end."""
    state, n = st.session_state, len(QUESTIONS)
    kept = state.get(KEPT)
    answers: list[bool | None] = kept if _are_answers(kept) else [None]

    def keep(answers: list[bool | None]) -> None:
        state[KEPT] = answers

    if len(answers) > n:
        st.markdown(f"**{sum(map(bool, answers))} of {n} right.**")
        st.button("Again", icon=":material/replay:", on_click=keep, args=([None],))
        return
    question = QUESTIONS[len(answers) - 1]()
    st.markdown(f"**Question {len(answers)} of {n}.** {question.text}")
    key = f"answer {len(answers)}"
    given = st.radio("Answer", question.options, index=None, key=key, disabled=answers[-1] is not None, horizontal=True)
    if given is None:
        return
    is_right = given == question.options[question.right]
    if answers[-1] is None:
        st.button("Check", type="primary", on_click=keep, args=([*answers[:-1], is_right],))
        return
    said = "Right." if is_right else f"No: {question.options[question.right]}."
    (st.success if is_right else st.info)(f"**{said}** {question.why}")
    with st.container(horizontal=True):
        label = "To the score" if len(answers) == n else "Next question"
        st.button(label, type="primary", on_click=keep, args=([*answers, None],))
        opens = {"key": f"scene {len(answers)}", "icon": ":material/science:", "args": (question.settings,)}
        if st.button("Open this scene", on_click=open_scene, **opens):
            st.rerun()  # the whole page, not the quiz alone
