"""The same toy in several trainings of a network: whether its pose goes round in each of them."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from core.analysis.rings import Readout, fit_plane_to_others
from core.sentences import rings
from dashboard.components.finding import finding
from dashboard.pages.smallnorb.read_off import read_off
from dashboard.pages.smallnorb.toys import are_measured
from dashboard.pages.smallnorb.turning import Turn, run_network
from dashboard.pages.smallnorb.views import TURNS
from dashboard.runs import checkpoints
from dashboard.runs import pictures as picture_runs
from dashboard.runs.rings import Turns, scores_of_test_toys
from dashboard.runs.trainings import poses_of
from dashboard.screen import three_trainings
from dashboard.screen.markdown import escape
from dashboard.screen.shown import Shown

LABEL = "Same toy, three trainings"
HELP = """Shows how the pose of this toy turns in trainings by the same recipe with other random numbers. The network's
card says if anything else differed.""".replace("\n", " ")
NO_POSES = """The other trainings are not included, only their poses of the built-in toys: at elevation 50° as the
azimuth turns, or at azimuth 0° as the elevation changes, in light 1. To see other views in them, make them:
`python -m core.training {name} --seed 1`, and the same with `--seed 2`.""".replace("\n", " ")


NO_TURN = """Trainings are compared by how a toy's pose turns. So choose several views of one toy, in which its azimuth
or its elevation changes.""".replace("\n", " ")


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
    sentences = rings.describe_trainings(points, np.asarray(turn.views.degrees), str(turn.views.turned))
    shown.add(finding("finding-trainings", sentences, param="view"))
    return trainings


def count_test_toys(name: str) -> str:
    """A sentence that says with how many test toys the pose goes round, in each training of a network."""
    own = checkpoints.measured("built_in", name)
    of_toys = {"this training": scores_of_test_toys(own)} if own else {}
    of_toys |= {f"seed {seed}": scores_of_test_toys(arrays) for seed, _, arrays in poses_of(name)}
    return rings.count_round(of_toys)


def _trainings_of(name: str, device: str, turn: Turn) -> list[OtherTurn]:
    """The other trainings in which the poses of these views are known, by the same class capsule.

    Arguments as in ``describe_trainings``.
    """
    category, views, found = list(picture_runs.CATEGORIES).index(turn.capsule), turn.views, []
    toy = views.built_in if views.built_in and views.built_in.category == category else None
    for seed, other, arrays in poses_of(name):
        turns = Turns.of(arrays, str(views.turned))
        if other:
            vectors = run_network(other, device, views.pictures.images).poses[:, category].astype(np.float32)
        elif toy is not None and are_measured(toy):
            vectors = turns.of_toy(category, toy.instance)
        else:
            continue
        left_out = toy.instance if toy else None
        plane = fit_plane_to_others(turns.toys, turns.vectors, turns.degrees, category, left_out)
        found.append(OtherTurn(f"seed {seed}", turn._replace(vectors=vectors, between=None, edited=None), plane))
    return found
