"""The Lab's inputs: the scene, its knobs, an experiment, and where the parts are."""

from collections.abc import Callable

import streamlit as st

from core.analysis.scenes import clouds
from dashboard import runs
from dashboard.pages.lab import parts, scenes
from dashboard.pages.lab.experiments import EXPERIMENTS, FREE, Experiment
from dashboard.pages.lab.texts import CLOUDS, HELP, HOUSE, SCENES, TEXT
from dashboard.runs.lab import votes_of_text
from dashboard.shared.examples import texts_for
from dashboard.shared.inputs import BARE, IN_ADDRESS, choose_checkpoint, choose_device, enter_text
from dashboard.shared.outputs import stop_on_error

FIRST_COUNT = 5.0  # iterations
KNOBS = {  # by key: label, smallest, largest, first, step
    "noise": ("Noise", 0.0, 2.0, 0.0, 0.05),
    "inputs": ("Inputs", 6.0, 60.0, 24.0, 1.0),
    "spread": ("Spread", 0.0, 1.0, 0.15, 0.05),
    "outliers": ("Outliers", 0.0, 0.6, 0.0, 0.05),
    "imbalance": ("Imbalance", 0.0, 0.8, 0.0, 0.1),
    "scale": ("Vote scale", 0.2, 3.0, 1.0, 0.1),
    "sharpness": ("K of k-means", 0.5, 20.0, 1.0, 0.5),
    "use": ("EM: β use", 0.0, 3.0, 1.0, 0.1),
    "ignore": ("EM: β ignore", 0.0, 3.0, 0.5, 0.1),
}

CLOUD_KNOBS = ("inputs", "spread", "outliers", "imbalance", "scale")


def choose_input() -> tuple[Callable[[], scenes.Scene], scenes.Knobs, Experiment]:
    """What makes the scene as it is now, what the routings are told besides, and what the user is asked to do."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="choices"):
        name, experiment = choose_scene_and_experiment()
        if name == HOUSE:
            choose_parts()
    if name == TEXT:
        scene = choose_text()
    with st.container(horizontal=True, gap="medium", key="knobs"):
        of_scene = choose_knobs(*{HOUSE: ("noise",), CLOUDS: CLOUD_KNOBS, TEXT: ()}[name])
        knobs = scenes.Knobs(**choose_knobs("sharpness", "use", "ignore"))
    if name == HOUSE:
        return lambda: scenes.of_parts(st.session_state.lab_parts, of_scene["noise"]), knobs, experiment
    if name == CLOUDS:
        scene = make_clouds(of_scene)
    return lambda: scene, knobs, experiment


def choose_scene_and_experiment() -> tuple[str, Experiment]:
    """The scene, and what the user is asked to do in it."""
    state = st.session_state

    def begin() -> None:
        settings = EXPERIMENTS[state.experiment or FREE.name].settings
        for key, value in settings.items():
            state[key] = value
        state.lab_fresh = True

    name = st.segmented_control("Scene", SCENES, default=HOUSE, key="scene", required=True, **IN_ADDRESS, **BARE)
    menu = {"key": "experiment", "on_change": begin, "width": 260}
    chosen = st.selectbox("Guided experiment", list(EXPERIMENTS), **menu, **IN_ADDRESS, **BARE)
    if state.get("lab_experiment") != chosen:
        state.lab_experiment, state.lab_changed, state.lab_winners = chosen, [], None
    return name or HOUSE, EXPERIMENTS[chosen or FREE.name]


def choose_count() -> int:
    """How many iterations are run."""
    limits = {"min_value": 1.0, "max_value": float(runs.LARGEST_COUNT), "step": 1.0, "format": "%.0f"}
    return int(
        st.number_input("Iterations to run", value=FIRST_COUNT, key="iterations", width=260, **limits, **IN_ADDRESS)
    )


def choose_knobs(*keys: str) -> dict[str, float]:
    """A slider for each knob, in a row."""
    values = {}
    for key in keys:
        label, low, high, first, step = KNOBS[key]
        with st.container(width=118):
            help = HELP.get(key)
            values[key] = st.slider(label, low, high, first, step, key=key, help=help, **IN_ADDRESS)
    return values


def choose_parts() -> list[parts.Part]:
    """Where the parts are: as the user left them, as the address says, or where the chosen scene begins."""
    state = st.session_state

    def restart() -> None:
        state.lab_fresh = True

    is_first = "start" not in state or "lab_parts" not in state
    menu = {"key": "start", "on_change": restart, "width": 190}
    start = st.selectbox("Begin with", list(parts.STARTS), **menu, **IN_ADDRESS, **BARE) or next(iter(parts.STARTS))
    if state.pop("lab_fresh", False):
        _put(parts.STARTS[start])
        if "parts" in st.query_params:
            del st.query_params["parts"]
    elif is_first:
        _put(parts.from_address(st.query_params.get("parts", "")) or parts.STARTS[start])
    return state.lab_parts


def _put(placed: list[parts.Part]) -> None:
    state = st.session_state
    state.lab_parts, state.lab_version, state.lab_answers = placed, state.get("lab_version", 0) + 1, 0
    state.lab_changed, state.lab_winners = [], None


def take_message() -> None:
    """Take over the parts that the browser sent, unless the page has put others there meanwhile."""
    state = st.session_state
    message = state.lab.get("scene") if "lab" in state else None
    if not isinstance(message, dict) or message.get("version") != f"{HOUSE} {state.get('lab_version')}":
        return
    sent, number = parts.read(message.get("parts")), message.get("number")
    if sent and isinstance(number, int):
        state.lab_parts, state.lab_answers, state.lab_done = sent, number, bool(message.get("done"))


def make_clouds(knobs: dict[str, float]) -> scenes.Scene:
    """The clouds that the knobs describe."""
    shape = {key: knobs[key] for key in ("spread", "outliers", "imbalance", "scale")}
    return scenes.of_clouds(clouds(int(knobs["inputs"]), **shape))


def choose_text() -> scenes.Scene:
    """The votes of a text in a checkpoint."""
    device, name = choose_device(), choose_checkpoint("dragg", first="dragg-sst5")
    text = enter_text(*texts_for(runs.about(name).corpus))
    with stop_on_error():
        return scenes.of_text(*votes_of_text(name, device, text))
