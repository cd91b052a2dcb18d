"""Scenes: the votes to route, and their names and forms in the picture."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy import ndarray

from core.analysis import scenes
from core.analysis.poses import principal
from core.sentences.comparison import TextVotes
from core.sentences.words import quote
from dashboard.pages.lab.parts import STARTS, Part
from dashboard.pages.lab.texts import CLOUDS, HOUSE, TEXT

# Words that short names leave out or abbreviate.
SHORT = {"the ": "", "capsule ": "", "very ": "v. ", "negative": "neg.", "positive": "pos."}
SETTINGS = {"n_inputs": "inputs", "seed": "random seed"}  # names of the clouds' settings that differ on screen
ANY_OF_SHORT = "|".join(SHORT)


@dataclass(frozen=True)
class Knobs:
    """The settings of the routings.

    Attributes:
        sharpness: K of k-means routing.
        use, ignore: EM's betas for a capsule with an equal share of the inputs.
    """

    sharpness: float = 1.0
    use: float = 1.0
    ignore: float = 0.5

    def settings(self, scene: "LabScene") -> tuple[float, float, float]:
        """The arguments of ``core.lab.compare`` after the iterations: sharpness, beta_use and beta_ign."""
        return self.sharpness, self.use / scene.inputs_per_capsule, self.ignore / scene.inputs_per_capsule


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
        clouds: clouds with their centres; None for other scenes.
        note: sentence on the way the votes are drawn.
        code: Python that evaluates to the votes.
        noise: standard deviation of the error of each vote of a part.
        details: the scene's name among those of its kind, or its settings.
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
    noise: float = 0.0
    details: str = ""

    @property
    def short_names(self) -> list[str]:
        """Short names of the outputs."""
        return [re.sub(ANY_OF_SHORT, lambda match: SHORT[match[0]], name) for name in self.outputs]

    @property
    def output(self) -> str:
        """The noun for an output."""
        return "whole" if self.parts else "capsule"

    @property
    def components(self) -> Sequence[str]:
        """The names of the numbers of a vote, in LaTeX; none for a text, whose votes are long."""
        of_pose = ("x", "y", r"s\cos\alpha", r"s\sin\alpha")
        return of_pose if self.parts else ("x", "y") if self.clouds else ()

    @property
    def inputs_per_capsule(self) -> float:
        """The number of inputs per capsule if they were shared equally; 1 for parts, which are few."""
        return 1.0 if self.parts else max(1.0, len(self.inputs) / len(self.outputs))


def scene_of_parts(parts: list[Part], noise: float) -> LabScene:
    """The scene of parts that vote for a house and a boat. noise: standard deviation of the error of each vote."""
    poses, kinds = np.array([part.pose for part in parts]), [part.kind for part in parts]
    votes = scenes.house_or_boat(poses, kinds, noise=noise)
    inputs = [f"the {kind}" if kinds.count(kind) == 1 else f"part {k}" for k, kind in enumerate(kinds, 1)]
    outputs = [f"the {whole}" for whole in scenes.WHOLES]
    poses_in_code = ", ".join(f"scenes.pose({part.x}, {part.y}, {part.angle}, {part.size})" for part in parts)
    code = f"scenes.directions(scenes.house_or_boat(np.array([{poses_in_code}]), {kinds}, noise={noise}))"
    details = _name_of(parts) + (f", noise {noise:g}" if noise else "")
    directions = scenes.directions(votes)
    return LabScene(HOUSE, directions, votes, inputs, outputs, "part", parts, code=code, noise=noise, details=details)


def _name_of(parts: list[Part]) -> str:
    """The name of a first scene, or of one that the user made from it."""
    return next((name for name, placed in STARTS.items() if placed == parts), "parts moved by hand")


def votes_in_draws(scene: LabScene, n: int) -> ndarray:
    """The votes of a scene of parts in n draws of its noise, [n, i, j, h]. The first draw is the one on screen."""
    poses, kinds = np.array([part.pose for part in scene.parts]), [part.kind for part in scene.parts]
    draws = [scenes.house_or_boat(poses, kinds, noise=scene.noise, seed=seed) for seed in range(n)]
    return np.stack([scenes.directions(votes) for votes in draws])


def scene_of_clouds(**settings: float) -> LabScene:
    """The scene of clouds of votes. settings: arguments of ``core.analysis.scenes.clouds``."""
    made = scenes.clouds(**settings)
    arguments = ", ".join(f"{name}={value!r}" for name, value in settings.items())
    n_inputs, n_capsules = made.votes.shape[:2]
    n_centres = len(made.centres)
    inputs = [f"input {i}" for i in range(1, n_inputs + 1)]
    outputs = [f"cloud {j}" for j in range(1, n_centres + 1)]
    outputs += [f"spare {j}" for j in range(1, n_capsules - n_centres + 1)]
    note = "A dot is a vote, its colour the capsule that it is for. Each input casts one vote per capsule: the one for "
    note += "its own cloud falls near the others there, and its other votes fall anywhere."
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
        details=", ".join(f"{SETTINGS.get(name, name)} {value:g}" for name, value in settings.items()),
    )


def scene_of_text(text_votes: TextVotes, name: str, text: str) -> LabScene:
    """The scene of a text's votes, drawn in the plane of their first two principal components.

    Args:
        text_votes: votes of the text, with their names.
        name: name of the checkpoint.
        text: text as typed.
    """
    plane = principal(text_votes.votes, 2)
    n_components = text_votes.votes.shape[2]
    note = f"Votes have {n_components} components; this plane shows {plane.share:.0%} of their variance (PCA)."
    if text_votes.unit == "part":
        note += " In the network each part has an activation; here every part counts as certain."
    inputs = list(map(quote, text_votes.inputs)) if text_votes.unit == "word" else text_votes.inputs
    code = f"lab.votes_of_text(zoo.load({name!r}), {text!r}).votes"
    names = inputs, text_votes.outputs, text_votes.unit
    return LabScene(TEXT, text_votes.votes, plane.points, *names, note=note, code=code, details=quote(text))
