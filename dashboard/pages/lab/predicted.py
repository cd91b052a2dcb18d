"""Predictions of a scene: the choice of its routings, or the routing that shares most decisively."""

from collections.abc import Sequence

from core.analysis.scenes import WHOLES
from core.sentences.comparison import Routed, largest_entropy
from core.sentences.routing_names import about
from dashboard.pages.lab.inputs import Chosen
from dashboard.pages.lab.parts import to_address
from dashboard.pages.lab.scenes import LabScene

DIFFER = "They differ"


def subject_of(scene: LabScene, chosen: Chosen) -> str:
    """Everything on which the outcome depends, in one text."""
    return f"{scene.name} {to_address(scene.parts)} {scene.votes.sum()} {chosen.settings(scene)}"


def question_of(scene: LabScene, runs: Sequence[Routed]) -> tuple[str, list[str]]:
    """The question on the outcome after the last iteration, and its possible answers."""
    after = f"after iteration {len(runs[0].coupling)}"
    if scene.parts:
        return f"Which whole will the routings choose {after}?", [*(f"All the {whole}" for whole in WHOLES), DIFFER]
    return f"Which routing will share most decisively {after}?", [about(run.name).title for run in runs]


def outcome_of(scene: LabScene, runs: Sequence[Routed]) -> str:
    """The right answer."""
    if scene.parts:
        choices = {run.winner for run in runs}
        j = choices.pop()
        return DIFFER if choices or j is None else f"All the {WHOLES[j]}"
    surest = min(runs, key=lambda run: run.entropy[-1] / largest_entropy(run))
    return about(surest.name).title
