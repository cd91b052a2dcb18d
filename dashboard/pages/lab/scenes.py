"""Scenes: the votes to route, and their names and forms in the picture."""

import re
from dataclasses import dataclass, field

import numpy as np
from numpy import ndarray

from core.analysis import scenes
from core.analysis.poses import principal
from core.sentences.comparison import TextVotes
from core.sentences.words import quote
from dashboard.pages.lab.parts import Part
from dashboard.pages.lab.texts import CLOUDS, HOUSE, TEXT

SHORT = {"the ": "", "capsule ": "", "very ": "v. ", "negative": "neg.", "positive": "pos."}
SHORTER = "|".join(SHORT)


@dataclass(frozen=True)
class Knobs:
    """The settings of the routings.

    Attributes:
        sharpness: K of k-means routing.
        use, ignore: EM's betas, for an equal share of the inputs.
    """

    sharpness: float = 1.0
    use: float = 1.0
    ignore: float = 0.5


@dataclass(frozen=True, eq=False)
class LabScene:
    """The votes of a scene.

    Attributes:
        name: one of ``SCENES``.
        votes: votes to route, [i, j, h].
        drawn: votes to draw: poses of wholes, [i, j, 4], or points, [i, j, 2].
        inputs, outputs: names of the inputs and outputs.
        unit: unit of the inputs, in the singular.
        parts: parts that vote; empty if the votes are points.
        clouds: the clouds, if the votes are of clouds.
        note: sentence on the way they are drawn.
        code: Python that evaluates to the votes.
    """

    name: str
    votes: ndarray
    drawn: ndarray
    inputs: list[str]
    outputs: list[str]
    unit: str
    parts: list[Part] = field(default_factory=list)
    clouds: scenes.Clouds | None = None
    note: str = ""
    code: str = ""

    @property
    def short_names(self) -> list[str]:
        """Short names of the outputs."""
        return [re.sub(SHORTER, lambda match: SHORT[match[0]], name) for name in self.outputs]

    @property
    def inputs_per_capsule(self) -> float:
        """The number of inputs per capsule if they were shared equally; 1 for parts, which are few."""
        return 1.0 if self.parts else max(1.0, len(self.inputs) / len(self.outputs))


def of_parts(parts: list[Part], noise: float) -> LabScene:
    """Parts that vote for a house and a boat."""
    poses, kinds = np.array([part.pose for part in parts]), [part.kind for part in parts]
    votes = scenes.house_or_boat(poses, kinds, noise=noise)
    inputs = [f"the {kind}" if kinds.count(kind) == 1 else f"part {k}" for k, kind in enumerate(kinds, 1)]
    outputs = [f"the {whole}" for whole in scenes.WHOLES]
    placed = ", ".join(f"scenes.pose({part.x}, {part.y}, {part.angle}, {part.size})" for part in parts)
    code = f"scenes.directions(scenes.house_or_boat(np.array([{placed}]), {kinds}, noise={noise}))"
    return LabScene(HOUSE, scenes.directions(votes), votes, inputs, outputs, "part", parts, code=code)


def of_clouds(**settings: float) -> LabScene:
    """Clouds of votes. settings: arguments of ``core.analysis.scenes.clouds``."""
    made = scenes.clouds(**settings)
    arguments = ", ".join(f"{name}={value!r}" for name, value in settings.items())
    n_inputs, n_capsules = made.votes.shape[:2]
    n_centres = len(made.centres)
    inputs = [f"input {i}" for i in range(1, n_inputs + 1)]
    outputs = [f"cloud {j}" for j in range(1, n_centres + 1)]
    outputs += [f"spare {j}" for j in range(1, n_capsules - n_centres + 1)]
    note = "A dot is a vote, its colour the capsule that it is for. A vote far from its cloud belongs elsewhere."
    return LabScene(
        CLOUDS,
        made.votes,
        made.votes,
        inputs,
        outputs,
        "input",
        clouds=made,
        note=note,
        code=f"scenes.clouds({arguments}).votes",
    )


def of_text(cast: TextVotes, name: str, text: str) -> LabScene:
    """The votes of a text, drawn in the plane of their first two principal components.

    Args:
        cast: votes of the text.
        name: name of the checkpoint.
        text: the text.
    """
    plane = principal(cast.votes, 2)
    note = f"Votes have {cast.votes.shape[2]} components; this plane shows {plane.share:.0%} of their variance (PCA)."
    if cast.unit == "part":
        note += " In the network each part has an activation; here every part counts as certain."
    inputs = [quote(token) for token in cast.inputs] if cast.unit == "word" else cast.inputs
    code = f"lab.votes_of_text(zoo.load({name!r}), {text!r}).votes"
    return LabScene(TEXT, cast.votes, plane.points, inputs, cast.outputs, cast.unit, note=note, code=code)
