"""Surfaces of poses over azimuth and elevation: three numbers that are read off each pose, and their errors.

The measures are ours.
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from core.analysis.rings import Readout, errors, fit_readout, unit_circle


class Surface(NamedTuple):
    """The directions that are read off a toy's poses from all directions of a grid.

    Attributes:
        points: cosine and sine of the azimuth, and elevation in degrees, of each pose.
        azimuth_errors: azimuth that is read off minus the true one, from -180 to 180 degrees.
        elevation_errors: elevation that is read off minus the true one, in degrees.
        width: mean part of the cosine and sine that points to the true azimuth: 1 if exact, 0 if nothing is read off.
        height: degrees by which the elevation that is read off rises with each true degree: 1 if exact.
        constant_error: mean error of the best constant guess of the elevation, in degrees.
    """

    points: Float[ndarray, "elevation azimuth 3"]
    azimuth_errors: Float[ndarray, "elevation azimuth"]
    elevation_errors: Float[ndarray, "elevation azimuth"]
    width: float
    height: float
    constant_error: float


def fit_directions(poses: Float[ndarray, "n f"], directions: Float[ndarray, "n 2"]) -> tuple[Readout, Readout]:
    """Fit the maps from poses to the cosine and sine of the azimuth, and to the elevation in degrees.

    Args:
        poses: poses of some toys.
        directions: azimuth and elevation of each, in degrees.
    """
    azimuth, elevation = directions.T
    return fit_readout(poses, unit_circle(azimuth)), fit_readout(poses, elevation[:, None])


def read_points(readouts: tuple[Readout, Readout], poses: Float[ndarray, "n f"]) -> Float[ndarray, "n 3"]:
    """The cosine and sine of the azimuth and the elevation in degrees that are read off poses."""
    return np.concatenate([readout.read(poses) for readout in readouts], 1)


def surface(
    points: Float[ndarray, "elevation azimuth 3"], azimuths: Float[ndarray, " a"], elevations: Float[ndarray, " e"]
) -> Surface:
    """Measure how well points follow the directions of a grid.

    Args:
        points: numbers that are read off each pose.
        azimuths, elevations: true directions of the grid, in degrees.
    """
    true = np.tile(azimuths, len(elevations))
    flat = points.reshape(-1, 3)
    rise = np.polyfit(np.repeat(elevations, len(azimuths)), flat[:, 2], 1)[0]
    return Surface(
        points,
        errors(flat[:, :2], true).reshape(points.shape[:2]),
        points[..., 2] - elevations[:, None],
        float((flat[:, :2] * unit_circle(true)).sum(1).mean()),
        float(rise),
        float(np.abs(elevations - np.median(elevations)).mean()),
    )
