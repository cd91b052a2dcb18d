"""The data of a scene and its runs for the browser."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy import ndarray

from core.analysis.scenes import KINDS, MAX_PARTS, PLACES, WHOLES, compose, means, pose
from core.sentences.clouds import describe_clouds, describe_equal_shares
from core.sentences.comparison import (
    Routed,
    describe_choices,
    describe_differences,
    describe_routed,
    describe_sureness,
)
from core.sentences.findings import describe_routing, surest
from core.sentences.reasons import describe_reasons, most_telling
from core.sentences.routing_names import about
from dashboard.pages.lab.experiments import Status
from dashboard.pages.lab.parts import FRAME, to_browser
from dashboard.pages.lab.scenes import LabScene
from dashboard.pages.lab.texts import TEXT

ARCH = [[0.55 * np.cos(turn), 0.8 * np.sin(turn) - 0.4] for turn in np.linspace(0, np.pi, 13)]
SHAPES = {  # outlines at size 1
    "triangle": [[-1.9, -0.75], [1.9, -0.75], [0, 0.75]],
    "rectangle": [[-1.6, -0.65], [1.6, -0.65], [1.6, 0.65], [-1.6, 0.65]],
    "bar": [[-0.18, -0.75], [0.18, -0.75], [0.18, 0.75], [-0.18, 0.75]],
    "semicircle": ARCH,
}
HULL = [[-1.6, 0.65], [1.6, 0.65], [1.05, -0.65], [-1.05, -0.65]]
OWN_SHAPES = {("boat", "rectangle"): HULL}  # outlines that a whole draws in its own way
ROLES = {  # of each kind of part in the wholes
    "triangle": "Roof of the house, or sail of the boat.",
    "rectangle": "Wall of the house, or hull of the boat, which is drawn with slanted sides.",
    "bar": "Chimney of the house, or mast of the boat.",
    "semicircle": "Door of the house, or pennant of the boat.",
}
SHORTEST = re.compile(r"^cloud | \d+$(?<=spare \d)")  # left out: "cloud 2" becomes "2", and "spare 1" becomes "spare"
LINES = 28  # lines of text that fit in the height of the plane
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
    guided = any(status.sentence for status in statuses)
    seconds = [status.sentence for status in statuses]
    if scene.parts and not guided and len(runs) > 1:
        seconds = describe_differences(runs, scene.inputs, scene.outputs)
    elif scene.clouds is not None and not guided:
        seconds = [describe_equal_shares(scene.clouds)] * len(verdicts)
    outcomes = [
        {"verdict": verdict, "status": second, "done": status.done}
        for verdict, second, status in zip(verdicts, seconds, statuses, strict=True)
    ]
    return {
        "version": version,
        "answers": answers,
        "start": len(verdicts),
        "names": [SHORTEST.sub("", name) for name in scene.short_names],
        "inputs": scene.inputs,
        "guided": any(seconds),
        "kinds": KINDS,
        "most": MAX_PARTS,
        "shapes": SHAPES,
        "roles": ROLES,
        "wholes": [[_rounded(line) for line in outlines_of_whole(pose(0, 0), j)] for j in range(len(WHOLES))],
        "frame": frame_of(scene),
        "parts": to_browser(scene.parts),
        "votes": _rounded(scene.drawn) if scene.parts else [],
        "points": None if scene.parts else _rounded(scene.drawn),
        "averages": None if scene.parts else _rounded(scene.drawn.mean(0)),
        "labels": _labels(scene),
        "outcomes": outcomes,
        "runs": [_run(run, scene) for run in runs],
    }


def frame_of(scene: LabScene) -> Sequence[float]:
    """The visible part of the plane: left, top, width and height, with y downwards."""
    return FRAME if scene.parts else _plane_around(scene.drawn)


def outline(kind: str, at: ndarray, whole: str = "") -> ndarray:
    """The outline [n, 2] of a part at a pose, as it is drawn in a whole if one is given."""
    x, y, u, v = at
    return np.array(OWN_SHAPES.get((whole, kind), SHAPES[kind])) @ np.array([[u, v], [-v, u]]) + [x, y]


def outlines_of_whole(at: ndarray, number: int) -> list[ndarray]:
    """The outlines [n, 2] of all parts of a whole at a pose. number: index of the whole."""
    places = zip(KINDS, PLACES[number], strict=True)
    return [outline(kind, compose(at, place), WHOLES[number]) for kind, place in places]


def sentences(run: Routed, scene: LabScene) -> list[str]:
    """The findings and reasons of a routing, one text per iteration. The reasons are those for the first part."""
    reasons = (of_inputs[0] for of_inputs in _reasons(run, scene))
    return [f"{finding} {reason}".strip() for finding, reason in zip(findings(run, scene), reasons, strict=True)]


def findings(run: Routed, scene: LabScene) -> list[str]:
    """The findings on a routing of the scene, one sentence per iteration."""
    if scene.clouds is not None:
        return describe_clouds(run, scene.clouds)
    if scene.parts:
        return describe_routed(run, scene.inputs, scene.outputs, scene.unit)
    most = surest(run.coupling[-1], scene.inputs)
    return describe_routing(run.coupling, scene.inputs, scene.outputs, most, scene.unit, run.normalize)


def _run(run: Routed, scene: LabScene) -> dict[str, Any]:
    """The data of one routing."""
    return {
        "title": about(run.name).title,
        "quantity": "activation" if run.name == "EM" else "length" + _limit(ceiling(run, scene.votes)),
        "sums": f"Shares of each {scene.unit if run.normalize == 'output' else scene.output} sum to 1.",
        "coupling": _rounded(run.coupling),
        "largest": [float(c.max()) for c in run.coupling],
        "activation": _rounded(run.activation),
        "ceiling": ceiling(run, scene.votes),
        "means": _rounded(means(run.coupling, scene.drawn)),
        "winners": run.winners,
        "choices": [_choice(run, t, scene) for t in range(len(run.coupling))],
        "sentences": findings(run, scene),
        "reasons": _reasons(run, scene),
    }


def _reasons(run: Routed, scene: LabScene) -> list[list[str]]:
    """The reasons for the shares in each iteration: of each part, or of one input if there are many."""
    if scene.parts:
        of_each = [describe_reasons(run, i, scene.inputs, scene.outputs) for i in range(len(scene.inputs))]
        return [list(at) for at in zip(*of_each, strict=True)]
    telling = [most_telling(run, t) for t in range(len(run.coupling))]
    return [[describe_reasons(run, i, scene.inputs, scene.outputs)[t]] for t, i in enumerate(telling)]


def _limit(largest: float) -> str:
    """The largest possible length in words, if it is less than 1."""
    return f", at most {largest:.2f}" if largest < 1 else ""


def ceiling(run: Routed, votes: ndarray) -> float:
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


def _labels(scene: LabScene) -> list[list[int]]:
    """The dots, as [i, j], at which the words of a text are written: each at its longest vote, where there is room."""
    if scene.name != TEXT:
        return []
    points, height = scene.drawn, frame_of(scene)[3] / LINES
    length = np.linalg.norm(points, axis=-1)
    best = length.argmax(1)
    written: list[tuple[float, float, float]] = []
    labels = []
    for i in length.max(1).argsort()[::-1].tolist():
        (x, y), width = points[i, best[i]].tolist(), 0.6 * height * len(scene.inputs[i])
        if all(abs(y - y2) > height or x > x2 + width2 or x2 > x + width for x2, y2, width2 in written):
            written.append((x, y, width))
            labels.append([i, int(best[i])])
    return labels


def _rounded(values: ndarray) -> list:
    """Nested lists of the values with four decimals."""
    return np.round(values, 4).tolist()
