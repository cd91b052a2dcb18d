"""The data of a scene and its runs for the browser."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy import ndarray

from core.analysis.scenes import KINDS, MAX_PARTS, PLACES, compose, means
from core.sentences.comparison import Routed, describe_choices, describe_clouds, describe_routed, describe_sureness
from core.sentences.findings import describe_routing, surest
from core.sentences.routing_names import about
from dashboard.pages.lab.experiments import Status
from dashboard.pages.lab.parts import FRAME, Part, to_browser
from dashboard.pages.lab.scenes import LabScene

ARCH = [[0.55 * np.cos(turn), 0.8 * np.sin(turn) - 0.4] for turn in np.linspace(0, np.pi, 13)]
SHAPES = {  # outlines at size 1
    "triangle": [[-1.9, -0.75], [1.9, -0.75], [0, 0.75]],
    "rectangle": [[-1.6, -0.65], [1.6, -0.65], [1.6, 0.65], [-1.6, 0.65]],
    "bar": [[-0.18, -0.75], [0.18, -0.75], [0.18, 0.75], [-0.18, 0.75]],
    "semicircle": ARCH,
}
AROUND, CLOSE_STEP = 2.0, 0.5  # margin of a close-up, and step to which it is rounded, in units of the plane
SHORTEST = re.compile(r"^cloud | \d+$(?<=spare \d)")  # left out: "cloud 2" becomes "2", and "spare 1" becomes "spare"
MARGIN = 1.15  # factor for the distance of the farthest point


def to_browser_data(
    scene: LabScene, runs: Sequence[Routed], statuses: Sequence[Status], version: str, answers: int
) -> dict[str, Any]:
    """The data for ``components/lab.js``.

    Args:
        scene: scene to draw.
        runs: runs of all routings.
        statuses: progress of the experiment at each iteration.
        version: value that changes when the page, not the user, moves the parts.
        answers: number of the message that the data answer.
    """
    verdicts = describe_choices(runs, scene.outputs) if scene.parts else describe_sureness(runs)
    outcomes = [
        {"verdict": verdict, "status": status.sentence, "done": status.done}
        for verdict, status in zip(verdicts, statuses, strict=True)
    ]
    return {
        "version": version,
        "answers": answers,
        "start": len(verdicts),
        "names": [SHORTEST.sub("", name) for name in scene.short_names],
        "inputs": scene.inputs,
        "guided": any(status.sentence for status in statuses),
        "kinds": KINDS,
        "most": MAX_PARTS,
        "shapes": SHAPES,
        "places": PLACES.tolist(),
        "frame": frame_of(scene),
        "close": _close_up(scene.parts) if scene.parts else frame_of(scene),
        "parts": to_browser(scene.parts),
        "votes": _rounded(scene.drawn) if scene.parts else [],
        "points": None if scene.parts else _rounded(scene.drawn),
        "outcomes": outcomes,
        "runs": [_run(run, scene) for run in runs],
    }


def frame_of(scene: LabScene) -> Sequence[float]:
    """The visible part of the plane: left, top, width and height, with y downwards."""
    return FRAME if scene.parts else _plane_around(scene.drawn)


def outline(kind: str, at: ndarray) -> ndarray:
    """The outline [n, 2] of a part at a pose."""
    x, y, u, v = at
    return np.array(SHAPES[kind]) @ np.array([[u, v], [-v, u]]) + [x, y]


def outlines_of_whole(at: ndarray, number: int) -> list[ndarray]:
    """The outlines [n, 2] of all parts of a whole at a pose. number: index of the whole."""
    return [outline(kind, compose(at, place)) for kind, place in zip(KINDS, PLACES[number], strict=True)]


def sentences(run: Routed, scene: LabScene) -> list[str]:
    """One sentence per iteration on a routing of the scene."""
    if scene.clouds is not None:
        return describe_clouds(run, scene.clouds)
    if scene.parts:
        return describe_routed(run, scene.inputs, scene.outputs, scene.unit)
    most = surest(run.coupling[-1], scene.inputs)
    return describe_routing(run.coupling, scene.inputs, scene.outputs, most, scene.unit, run.normalize)


def _run(run: Routed, scene: LabScene) -> dict[str, Any]:
    """The data of one routing."""
    curves = {"entropy": run.entropy, "change": run.change, about(run.name).objective: run.objective}
    return {
        "title": about(run.name).title,
        "coupling": _rounded(run.coupling),
        "largest": [float(c.max()) for c in run.coupling],
        "activation": _rounded(run.activation),
        "ceiling": _ceiling(run, scene.votes),
        "means": _rounded(means(run.coupling, scene.drawn)),
        "winners": run.winners,
        "choices": [_choice(run, t, scene) for t in range(len(run.coupling))],
        "sentences": sentences(run, scene),
        "curves": [[name, _rounded(values)] for name, values in curves.items()],
    }


def _ceiling(run: Routed, votes: ndarray) -> float:
    """The largest possible activation: 1, or the activation of the longest vote if the shares of a capsule sum to 1."""
    if run.normalize == "output":
        return 1.0
    longest = float((votes**2).sum(-1).max())
    return longest / (1 + longest)


def _choice(run: Routed, t: int, scene: LabScene) -> str:
    """The choice of a routing, in a word or two; "" if capsules do not compete."""
    j = run.winners[t]
    if not scene.parts:
        return ""
    if j is not None:
        return scene.short_names[j]
    return "both" if run.finds_both(t) else "undecided"


def _plane_around(points: ndarray) -> list[float]:
    """A plane centred on 0 that contains all points, with the proportions of ``FRAME``."""
    _, _, width, height = FRAME
    reach = np.abs(points).reshape(-1, 2).max(0).clip(1e-6)
    unit = MARGIN * max(reach[0] / width, reach[1] / height)
    return [-unit * width, -unit * height, 2 * unit * width, 2 * unit * height]


def _close_up(placed: Sequence[Part]) -> list[float]:
    """The part of the plane around the parts, rounded so that it seldom changes while a part is moved."""
    x, y = np.array([(part.x, -part.y) for part in placed]).T
    low = np.floor(np.array([x.min(), y.min()]) / CLOSE_STEP) * CLOSE_STEP - AROUND
    high = np.ceil(np.array([x.max(), y.max()]) / CLOSE_STEP) * CLOSE_STEP + AROUND
    return [*low.tolist(), *(high - low).tolist()]


def _rounded(values: ndarray) -> list:
    """Nested lists of the values with four decimals."""
    return np.round(values, 4).tolist()
