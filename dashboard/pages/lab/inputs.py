"""The Lab's inputs: the scene, its knobs, an experiment, and the positions of the parts."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.sentences.routing_names import about
from dashboard.pages.lab import parts, scenes
from dashboard.pages.lab.experiments import EXPERIMENTS, FREE, Experiment
from dashboard.pages.lab.texts import CLOUDS, HELP, HOUSE, SCENES, TEXT
from dashboard.runs import checkpoints
from dashboard.runs.checkpoints import MAX_ITERATIONS
from dashboard.runs.lab import names, votes_of_text
from dashboard.screen.address import in_address
from dashboard.screen.checkpoint import choose_checkpoint
from dashboard.screen.inputs import BARE, WHOLE, enter_text, texts_for
from dashboard.screen.outputs import stop_on_error
from dashboard.screen.settings import choose_device
from dashboard.screen.skeleton import Screen

FIRST_COUNT = 5.0  # iterations to run at first
MAX_NOISE = 2.0  # standard deviation of the error of a vote
MAX_DRAWS = 100  # draws of the same clouds, each with another seed
KNOBS = {  # by key: label, smallest, largest and first value, and step
    "inputs": ("Inputs", 6.0, 60.0, 24.0, 1.0),
    "spread": ("Spread", 0.0, 1.0, 0.15, 0.05),
    "outliers": ("Outliers", 0.0, 0.6, 0.0, 0.05),
    "spare": ("Spare", 0.0, 2.0, 0.0, 1.0),
    "imbalance": ("Imbalance", 0.0, 0.8, 0.0, 0.1),
    "scale": ("Vote scale", 0.2, 3.0, 1.0, 0.1),
    "sharpness": ("k-means: K", 0.5, 20.0, 1.0, 0.5),
    "use": ("EM: β use", 0.0, 3.0, 1.0, 0.1),
    "ignore": ("EM: β ignore", 0.0, 3.0, 0.5, 0.1),
}
CLOUD_KNOBS = ("inputs", "spread", "outliers", "spare", "imbalance", "scale")
ROUTING_KNOBS = ("sharpness", "use", "ignore")
FIRST_KNOBS = ("spread", "outliers", "sharpness")  # of the clouds; the others are in a menu


@dataclass(frozen=True)
class Chosen:
    """The user's choices.

    ``make_scene`` returns the current scene, which changes while a part is moved.
    """

    make_scene: Callable[[], scenes.LabScene]
    knobs: scenes.Knobs
    n_iters: int
    experiment: Experiment

    def settings(self, scene: scenes.LabScene) -> tuple[int, float, float, float]:
        """The arguments of ``core.lab.compare``: iterations, sharpness, beta_use and beta_ign."""
        return self.n_iters, *self.knobs.settings(scene)


def choose(screen: Screen) -> Chosen:
    """Let the user choose a scene, its knobs and an experiment."""
    with screen.input:
        row = st.container(horizontal=True, vertical_alignment="center", gap="small")
    with row:
        name, experiment = _choose_scene()
        if name == HOUSE:
            _choose_parts()
        help = "Open the Lab as it is at first."
        st.button("Reset", icon=":material/restart_alt:", type="tertiary", on_click=open_scene, args=({},), help=help)
    with screen.controls:
        n_iters = _choose_count()
        noise = _choose_noise() if name == HOUSE else 0.0
        seed = _choose_draw() if name == CLOUDS else 0
    with screen.input:
        if name == HOUSE:
            make_scene = lambda: scenes.scene_of_parts(st.session_state.lab_parts, noise)  # noqa: E731
        elif name == TEXT:
            scene = _choose_text()
    with row:
        first = FIRST_KNOBS if name == CLOUDS else ()
        values = _sliders(*first)
        with st.popover("More" if first else "Knobs", type="tertiary"):
            others = (CLOUD_KNOBS if name == CLOUDS else ()) + ROUTING_KNOBS
            values |= _sliders(*(key for key in others if key not in first))
    if name == CLOUDS:
        scene = _make_clouds(values, seed)
    knobs = scenes.Knobs(**{key: values[key] for key in ROUTING_KNOBS})
    return Chosen(make_scene if name == HOUSE else lambda: scene, knobs, n_iters, experiment)


def open_scene(settings: dict[str, Any]) -> None:
    """Set all inputs of the page: to these values by key, and to their first values."""
    first = {key: first for key, (_, _, _, first, _) in KNOBS.items()}
    first |= {"scene": HOUSE, "start": next(iter(parts.STARTS)), "experiment": FREE.name, "only": []}
    first |= {"draw": 1.0, "noise": 0.0, "iterations": FIRST_COUNT}
    st.session_state.update(first | settings)
    st.session_state.lab_begins = True
    st.session_state.lab_opened = st.session_state.get("lab_opened", 0) + 1  # the slider begins again


def _choose_scene() -> tuple[str, Experiment]:
    """Let the user choose a scene and an experiment."""
    state = st.session_state

    def begin_experiment() -> None:
        if settings := _experiment(state.experiment).settings:
            open_scene({"experiment": state.experiment, "only": state.get("only", []), **settings})
        state.lab_begins = True

    how = {"default": HOUSE, "required": True}
    name = st.segmented_control("Scene", SCENES, **how, **in_address("scene"), **BARE) or HOUSE
    if not _is_of_scene(state.get("experiment", FREE.name), name):
        state.experiment = FREE.name
    menu = {"on_change": begin_experiment} | in_address("experiment")
    chosen = st.selectbox("Guided experiment", list(EXPERIMENTS), **menu, **BARE)
    return name, _experiment(chosen) if _is_of_scene(chosen, name) else FREE


def _experiment(name: str) -> Experiment:
    """The experiment with this name; a free one for an unknown name, as a browser can send anything."""
    return EXPERIMENTS.get(name, FREE)


def _is_of_scene(experiment: str, scene: str) -> bool:
    """Whether an experiment uses the scene; an experiment without one uses any."""
    return _experiment(experiment).settings.get("scene", scene) == scene


def _choose_count() -> int:
    """Let the user choose the number of iterations."""
    limits = {"value": FIRST_COUNT, "max_value": float(MAX_ITERATIONS)}
    return int(st.number_input("Iterations to run", **limits, **WHOLE, **in_address("iterations")))


def _choose_noise() -> float:
    """Let the user choose the noise of the parts' votes."""
    limits = {"min_value": 0.0, "max_value": MAX_NOISE, "step": 0.05, "format": "%.2f"}
    return st.number_input("Noise", value=0.0, help=HELP["noise"], **limits, **in_address("noise"))


def _choose_draw() -> int:
    """Let the user choose one of many draws of the same clouds."""
    limits = {"value": 1.0, "max_value": float(MAX_DRAWS)}
    return int(st.number_input("Draw", help=HELP["draw"], **limits, **WHOLE, **in_address("draw"))) - 1


def _sliders(*keys: str) -> dict[str, float]:
    """Draw the sliders of some knobs, and return their values by key."""
    values = {}
    for key in keys:
        label, low, high, first, step = KNOBS[key]
        with st.container(key=f"knob-{key}"):
            values[key] = st.slider(label, low, high, first, step, "%g", help=HELP[key], **in_address(key))
    return values


def choose_routings() -> list[str]:
    """Let the user choose the routings to draw; all are drawn while none is chosen."""
    titles = {about(name).title: name for name in names()}
    chosen = st.pills("Show only", list(titles), selection_mode="multi", width="content", **in_address("only"), **BARE)
    return [titles[title] for title in chosen if title in titles]


def _choose_parts() -> None:
    """Put the parts at their places in the address or at the chosen start, unless the user has moved them."""
    state = st.session_state

    def begin_again() -> None:
        state.lab_begins = True

    is_first = "start" not in state or "lab_parts" not in state
    menu = {"on_change": begin_again}
    start = st.selectbox("Begin with", list(parts.STARTS), **menu, **in_address("start"), **BARE)
    if state.pop("lab_begins", False):
        _put(parts.STARTS[start])
        st.query_params.pop("parts", None)
    elif is_first:
        given = parts.from_address(st.query_params.get("parts", ""))
        if not given:
            st.query_params.pop("parts", None)
        _put(given or parts.STARTS[start])


def _put(placed: list[parts.Part]) -> None:
    """Replace the parts in the picture, as if nobody had moved them."""
    state = st.session_state
    state.lab_parts, state.lab_version, state.lab_answers = placed, state.get("lab_version", 0) + 1, 0


def take_message() -> None:
    """Use the parts that the browser sent, unless the page has replaced them meanwhile."""
    state = st.session_state
    message = state.lab.get("scene")
    if not isinstance(message, dict) or message.get("version") != f"{HOUSE} {state.get('lab_version')}":
        return
    placed, number = parts.read(message.get("parts")), message.get("number")
    if placed and isinstance(number, int):
        state.lab_parts, state.lab_answers, state.lab_done = placed, number, bool(message.get("done"))


def _make_clouds(knobs: dict[str, float], seed: int) -> scenes.LabScene:
    """Make clouds with the settings of the knobs."""
    shape = {key: knobs[key] for key in ("spread", "outliers", "imbalance", "scale")}
    return scenes.scene_of_clouds(n_inputs=int(knobs["inputs"]), spare=int(knobs["spare"]), seed=seed, **shape)


def _choose_text() -> scenes.LabScene:
    """Let the user choose a checkpoint and a text, whose votes are the scene."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="network"):
        name = choose_checkpoint(checkpoints.readers_of_text(with_votes=True), first="dragg-sst5")
    device = choose_device()
    text = enter_text(*texts_for(checkpoints.about(name)))
    with stop_on_error():
        return scenes.scene_of_text(votes_of_text(name, device, text), name, text)
