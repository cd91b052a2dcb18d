"""The data of the picture, for the page and for a browser that asks while a part is dragged."""

import math
from typing import Any

from core.sentences.comparison import Routed
from dashboard.pages.lab import parts
from dashboard.pages.lab.experiments import EXPERIMENTS, FREE, N_DRAWS
from dashboard.pages.lab.inputs import KNOBS, MAX_NOISE, Chosen
from dashboard.pages.lab.picture import to_browser_data
from dashboard.pages.lab.scenes import Knobs, LabScene, scene_of_parts, votes_in_draws
from dashboard.runs.checkpoints import MAX_ITERATIONS
from dashboard.runs.lab import compare, count_choices

LONGEST_VERSION = 40  # characters


def route(scene: LabScene, chosen: Chosen) -> list[Routed]:
    """Run the scene's votes through every routing."""
    return compare(scene.votes, *chosen.settings(scene))


def drawn_of(runs: list[Routed], only: list[str]) -> list[Routed]:
    """The runs to draw: those with these names, or all if there are none."""
    return [run for run in runs if run.name in only] or runs


def data_of(
    scene: LabScene, chosen: Chosen, runs: list[Routed], only: list[str], version: str, answers: int
) -> dict[str, Any]:
    """The data for the browser.

    Args:
        scene: scene to draw.
        chosen: the user's choices.
        runs: runs of all routings.
        only: names of the routings to draw; all if it is empty.
        version, answers: as in ``to_browser_data``.
    """

    def count_in_draws(whole: int) -> dict[str, list[int]]:
        return count_choices(votes_in_draws(scene, N_DRAWS), whole, *chosen.settings(scene))

    return to_browser_data(scene, drawn_of(runs, only), chosen.experiment.check(runs, count_in_draws), version, answers)


def to_asked(scene: LabScene, chosen: Chosen, only: list[str]) -> dict[str, Any]:
    """The settings that the browser sends along with moved parts."""
    settings = dict(zip(("sharpness", "use", "ignore"), chosen.knobs.settings(scene), strict=True))
    settings |= {"noise": scene.noise, "n_iters": chosen.n_iters}
    return settings | {"experiment": chosen.experiment.name, "only": only}


def answer(message: Any) -> dict[str, Any] | None:
    """The data for parts that a browser sends while one is dragged; None if the message is invalid."""
    try:
        asked, version, number = message["asked"], message["version"], message["number"]
        placed = parts.read(message["parts"])
        noise, n_iters = _read(asked, "noise", 0, MAX_NOISE), int(_read(asked, "n_iters", 1, MAX_ITERATIONS))
        knobs = Knobs(*(_read(asked, key, *KNOBS[key][1:3]) for key in ("sharpness", "use", "ignore")))
        experiment = EXPERIMENTS.get(asked["experiment"], FREE)
        only = [name for name in asked["only"] if isinstance(name, str)]
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    if not placed or type(number) is not int or not isinstance(version, str) or len(version) > LONGEST_VERSION:
        return None
    scene = scene_of_parts(placed, noise)
    chosen = Chosen(lambda: scene, knobs, n_iters, experiment)
    return data_of(scene, chosen, route(scene, chosen), only, version, number)


def _read(asked: dict[str, Any], key: str, low: float, high: float) -> float:
    """A number between two limits. ValueError if it is none."""
    value = float(asked[key])
    if not math.isfinite(value):
        raise ValueError(f"{key} is {value}, wanted a finite number")
    return min(max(value, low), high)
