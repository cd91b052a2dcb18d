"""Surfaces of poses over azimuth and elevation, as read off by maps that were fitted to other toys."""

from typing import NamedTuple

import numpy as np
import streamlit as st
from numpy import ndarray

from core.analysis.rings import Readout
from core.analysis.surfaces import Surface, fit_directions, read_points, surface
from dashboard.runs import pictures
from dashboard.runs.checkpoints import measured, stamp_of_weights

AZIMUTHS, ELEVATIONS = np.array(pictures.AZIMUTHS, float), np.array(pictures.ELEVATIONS, float)


class KeptSurface(NamedTuple):
    """The surface of one toy, and the maps that read it off.

    Attributes:
        surface: numbers that are read off the poses from all directions of the grid.
        readouts: maps from poses to azimuth and elevation, fitted to the other test toys of the category.
        n_fitted: number of these toys.
    """

    surface: Surface
    readouts: tuple[Readout, Readout]
    n_fitted: int


def surface_of(name: str, category: int, instance: int) -> KeptSurface | None:
    """The surface of a toy in the first light; None if its poses from all directions are not kept.

    Args:
        name: name of the network.
        category, instance: the toy.
    """
    return _surface(name, stamp_of_weights("grid", name), category, instance)


@st.cache_data(max_entries=64, show_spinner=False)
def _surface(name: str, stamp: tuple, category: int, instance: int) -> KeptSurface | None:
    kept = measured("grid", name)
    if kept is None:
        return None
    toys, poses = kept["toys"], kept["grid"].reshape(len(kept["toys"]), len(ELEVATIONS) * len(AZIMUTHS), -1)
    of_category = toys[:, 0] == category
    is_toy, others = of_category & (toys[:, 1] == instance), of_category & (toys[:, 1] != instance)
    if not is_toy.any():
        return None
    directions = np.stack([np.tile(AZIMUTHS, len(ELEVATIONS)), np.repeat(ELEVATIONS, len(AZIMUTHS))], 1)
    fitted = poses[others].reshape(-1, poses.shape[2]).astype(float)
    readouts = fit_directions(fitted, np.tile(directions, (int(others.sum()), 1)))
    points = read_points(readouts, poses[is_toy][0].astype(float))
    found = surface(points.reshape(len(ELEVATIONS), len(AZIMUTHS), 3), AZIMUTHS, ELEVATIONS)
    return KeptSurface(found, readouts, int(others.sum()))


def read_off(kept: KeptSurface, poses: ndarray) -> ndarray:
    """Cosine and sine of the azimuth, and elevation in degrees, [view, 3], that are read off poses [view, v, d]."""
    return read_points(kept.readouts, poses.reshape(len(poses), -1).astype(float))
