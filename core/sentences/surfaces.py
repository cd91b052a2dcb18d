"""Sentences on how well poses hold azimuth and elevation together, over all directions of a toy."""

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from core.analysis.rings import directions_of, errors
from core.analysis.surfaces import Surface
from core.sentences.rings import FAR_OFF, FOLLOWS, THIS_VIEW

CONSTANT_AZIMUTH = 90  # degrees, mean error of a constant guess of an azimuth
COLLAPSED = 0.3  # width of a net, as a share of the tube's, below which it collapses
HOLDS = {  # whether the azimuth and the elevation can be read off
    (True, True): "holds both directions",
    (True, False): "holds the azimuth, but not the elevation",
    (False, True): "holds the elevation, but not the azimuth",
    (False, False): "holds neither direction",
}


def describe_surface(found: Surface, middle: float) -> str:
    """Say which directions a toy's pose holds, how far off they are read, and how much of the tube its net fills.

    Args:
        found: surface of the toy.
        middle: best constant guess of the elevation, in degrees.
    """
    azimuth, elevation = (float(np.abs(off).mean()) for off in (found.azimuth_errors, found.elevation_errors))
    return (
        f"Over {found.azimuth_errors.size} views, the pose of this toy {_holds(azimuth, elevation)}: the azimuth read "
        f"off it is {azimuth:.0f}° off on average (a constant guess: {CONSTANT_AZIMUTH}°), the elevation "
        f"{elevation:.1f}° (always {middle:.0f}°: {found.constant_error:.1f}°). {_describe_size(found)}"
    )


def describe_other_surface(name: str, found: Surface) -> str:
    """Say the same of another network's pose, whose net is grey."""
    azimuth, elevation = (float(np.abs(off).mean()) for off in (found.azimuth_errors, found.elevation_errors))
    return (
        f"The grey net is that of another network, “{name}”: its pose {_holds(azimuth, elevation)} ({azimuth:.0f}° and "
        f"{elevation:.1f}° off). {_describe_size(found)}"
    )


def describe_point(point: Float[ndarray, " 3"], direction: tuple[float, float]) -> str:
    """Say which azimuth and elevation are read off one pose.

    Args:
        point: cosine and sine of the azimuth, and elevation in degrees, as read off.
        direction: true azimuth and elevation, in degrees.
    """
    azimuth, elevation = direction
    off = abs(float(errors(point[None, :2], np.array([azimuth]))[0]))
    read = round(float(directions_of(point[None, :2])[0])) % 360
    return (
        f"{THIS_VIEW} azimuth {azimuth:.0f}°, read off as {read}° ({off:.0f}° off); elevation {elevation:.0f}°, read "
        f"off as {point[2]:.0f}° ({abs(point[2] - elevation):.0f}° off)."
    )


def _holds(azimuth: float, elevation: float) -> str:
    """The verb for two mean errors in degrees."""
    return HOLDS[azimuth <= FAR_OFF, elevation <= FOLLOWS]


def _describe_size(found: Surface) -> str:
    """A sentence on the size of the net, of which a collapsed one has little."""
    width, height = (f"{round(100 * share)}%" for share in (found.width, found.height))
    verb = "collapses to" if found.width < COLLAPSED else "has"
    return f"Its net {verb} {width} of the width of the tube of true directions and {height} of its height."
