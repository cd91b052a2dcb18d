"""The same toy in several trainings of a network: whether its pose goes round in each of them."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from core.analysis.rings import Readout, fit_plane_to_others
from core.sentences import rings
from dashboard.components.finding import finding
from dashboard.pages.smallnorb.read_off import alignment_of, fitted_to, read_off
from dashboard.pages.smallnorb.toys import are_measured
from dashboard.pages.smallnorb.turning import Turn
from dashboard.pages.smallnorb.views import TURNS
from dashboard.runs import checkpoints
from dashboard.runs import pictures as picture_runs
from dashboard.runs.rings import MeasuredTurns, scores_of_test_toys
from dashboard.runs.trainings import poses_of
from dashboard.screen import three_trainings
from dashboard.screen.markdown import escape
from dashboard.screen.outputs import go_on_after_error
from dashboard.screen.shown import Shown

LABEL = "Same toy, three trainings"
HELP = """Shows how the pose of this toy turns in trainings by the same recipe with other random numbers. The text below
the rings says whether all of them start from one network.""".replace("\n", " ")
NO_POSES = """In the other trainings, these views were not measured. Two turns of the built-in toys were, in light 1:
the azimuth at elevation 50°, and the elevation at azimuth 0°. Choose one of them, or make the trainings:
`python -m core.training {name} --seed 1`, then `python -m core.measured built_in {name}-seed-1`, and the same with
seed 2.""".replace("\n", " ")
NO_TURN = """Trainings are compared by the azimuth or the elevation that is read off the pose. So choose several views
of one toy in which the azimuth or the elevation changes, and is known.""".replace("\n", " ")
NEAREST_VIEW = "The nearest view:"
SAME_START = """All trainings go on from the same `{name}`, in which it does so for {n}. So these rings come from what
they learned after that; the card says by which loss.""".replace("\n", " ")


class OtherTurn(NamedTuple):
    """The toy in another training of the network.

    Attributes:
        label: its seed in words.
        turn: pose vectors of this toy.
        plane: map that reads directions off its poses, fitted to other toys.
    """

    label: str
    turn: Turn
    plane: Readout


def choose_trainings(name: str) -> bool:
    """Let the user ask for the same toy in the other trainings of a network."""
    return three_trainings.choose_trainings(name, LABEL, HELP)


def describe_trainings(shown: Shown, name: str, device: str, turn: Turn | None) -> list[OtherTurn]:
    """Say whether the pose of this toy goes round in the network's other trainings, too.

    Args:
        shown: record of the page.
        name, device: name and device of the network.
        turn: pose vectors of the views in the network itself; None for a single view.

    Returns:
        The other trainings in which the poses of these views are known.
    """
    if turn is None or turn.views.turned not in TURNS or turn.capsule not in picture_runs.CATEGORIES:
        st.info(NO_TURN, icon=":material/info:")
        return []
    trainings = _trainings_of(name, device, turn)
    if not trainings:
        st.info(NO_POSES.format(name=escape(name)), icon=":material/info:")
        return []
    points = {one.label: read_off(one.plane, one.turn).points for one in trainings}
    degrees, turned = np.asarray(turn.views.degrees), str(turn.views.turned)
    is_aligned = any(alignment_of(one.plane, one.turn) for one in trainings)
    view = NEAREST_VIEW if turn.between else rings.THIS_VIEW
    sentences = rings.describe_trainings(points, degrees, turned, turn.capsule, is_aligned, view)
    shown.add(finding("finding-trainings", sentences, param="view"))
    return trainings


def count_test_toys(name: str) -> str:
    """Sentences that say for how many test toys the pose goes round, in each training of a network."""
    own = checkpoints.measured("built_in", name)
    of_toys = {"in this training": scores_of_test_toys(own)} if own else {}
    of_toys |= {f"with seed {seed}": scores_of_test_toys(arrays) for seed, _, arrays in poses_of(name)}
    start = checkpoints.started_from(name)
    at_start = checkpoints.measured("built_in", start) if start else None
    if at_start is None:
        return rings.count_round(of_toys)
    n = rings.n_round(scores_of_test_toys(at_start))
    return f"{rings.count_round(of_toys)} {SAME_START.format(name=escape(start), n=n)}"


def _trainings_of(name: str, device: str, turn: Turn) -> list[OtherTurn]:
    """The other trainings in which the poses of these views are known, by the same class capsule.

    Arguments as in ``describe_trainings``.
    """
    (category, instance), views, found = fitted_to(turn), turn.views, []
    for seed, other, arrays in poses_of(name):
        turns, vectors = MeasuredTurns.of(arrays, str(views.turned)), None
        if other:
            with go_on_after_error():
                capsules, _ = picture_runs.class_capsules(other, device, views.pictures.images)
                vectors = capsules.poses[:, category].astype(np.float32)
        elif views.built_in and instance is not None and are_measured(views.built_in):
            vectors = turns.of_toy(category, instance)
        if vectors is not None:
            plane = fit_plane_to_others(turns.toys, turns.vectors, turns.degrees, category, instance)
            found.append(OtherTurn(f"seed {seed}", turn._replace(vectors=vectors, between=None, edited=None), plane))
    return found
