"""Runs of a text and poses of toys in other trainings of a network: kept ones, or live ones."""

from typing import NamedTuple

import streamlit as st
from numpy import ndarray

from core.measured import trainings
from core.trace import Trace
from dashboard.runs import texts
from dashboard.runs.checkpoints import about, known, measured


class TrainingPoses(NamedTuple):
    """The poses of the built-in toys in another training of a network.

    Attributes:
        seed: its seed.
        name: its name if its weights are here and these poses are theirs; otherwise "".
        arrays: arrays "built_in" of ``core.measured.store``.
    """

    seed: int
    name: str
    arrays: dict[str, ndarray]


def runs_of(trace: Trace, device: str, text: str, n_iters: int | None) -> dict[int, Trace]:
    """The runs of a text through other trainings of a network, by seed; empty if there is none.

    Args:
        trace: run of the text through the network itself.
        device, text, n_iters: as in ``texts.run``. A kept run has only the trained number of iterations.

    Raises:
        ValueError: as in ``texts.run``.
    """
    name = trace.model
    others = {seed: other for seed, other in trainings.find_trainings(name).items() if other in known()}
    live = {seed: texts.run(other, device, text, n_iters) for seed, other in others.items()}
    kept = {
        seed: run
        for seed, runs in _kept(name, about(name).version).items()
        for run in runs
        if (run.tokens, run.spans) == (trace.tokens, trace.spans)
    }
    return dict(sorted((kept | live).items()))


def poses_of(name: str) -> list[TrainingPoses]:
    """The poses of the built-in toys in the other trainings of a network in which they were measured, by seed."""
    found = {seed: ("", arrays) for seed, arrays in _kept_poses(name, about(name).version).items()}
    for seed, other in trainings.find_trainings(name).items():
        if other in known() and (arrays := measured(trainings.POSES, other)):
            found[seed] = other, arrays
    return [TrainingPoses(seed, *found[seed]) for seed in sorted(found)]


@st.cache_resource(max_entries=16, show_spinner=False)
def _kept_poses(name: str, version: str) -> dict[int, dict[str, ndarray]]:
    """The kept poses of other trainings, by seed. ``version`` is for the cache."""
    return trainings.read_poses(name)


@st.cache_resource(max_entries=16, show_spinner=False)
def _kept(name: str, version: str) -> dict[int, list[Trace]]:
    """The kept runs of other trainings, by seed. ``version`` is for the cache."""
    return trainings.read_runs(name)
