"""Planes in which directions are read off poses, and planes that keep distances between whole poses."""

import numpy as np
import streamlit as st
from numpy import ndarray

from core.analysis.poses import Places
from core.analysis.rings import Readout, fit_plane_to_others
from core.measured.turns import MeasuredTurns
from dashboard.runs import pictures
from dashboard.runs.checkpoints import measured, stamp_of_weights
from dashboard.runs.kept import BY_CONTENT


def plane_of(name: str, turned: str, category: int, left_out: int | None) -> Readout | None:
    """The plane in which a direction is read off the poses of a category; None if no poses were measured.

    Args:
        name: name of the network.
        turned: a key of ``DIRECTIONS``.
        category: index of the category.
        left_out: instance of the category that the plane is not fitted to.
    """
    return _plane(name, stamp_of_weights("built_in", name), turned, category, left_out)


@st.cache_data(max_entries=256, show_spinner=False)
def _plane(name: str, stamp: tuple, turned: str, category: int, left_out: int | None) -> Readout | None:
    kept = measured("built_in", name)
    if kept is None:
        return None
    turns = MeasuredTurns.of(kept, turned)
    return fit_plane_to_others(turns.toys, turns.vectors, turns.degrees, category, left_out)


def scores_of_test_toys(arrays: dict[str, ndarray]) -> ndarray:
    """The score of the pose of each test toy, which says how well it goes round. arrays: the arrays "built_in"."""
    return _scores(MeasuredTurns.of(arrays, "azimuth"))


@st.cache_data(max_entries=32, show_spinner=False, hash_funcs=BY_CONTENT)
def _scores(turns: MeasuredTurns) -> ndarray:
    return turns.score_test_toys()


def map_of(vectors: ndarray) -> Places:
    """Points that keep the distances between whole poses [view, v, d]: one point for each view, [view, 2]."""
    whole = np.ascontiguousarray(vectors.reshape(len(vectors), 1, -1))
    places = pictures.projected(whole, 2)
    return places._replace(points=places.points[:, 0])
