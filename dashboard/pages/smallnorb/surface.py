"""Azimuth and elevation together: a net of the numbers that are read off a toy's poses."""

import numpy as np
import pandas as pd
import streamlit as st

from core.sentences.surfaces import describe_other_surface, describe_point, describe_surface
from dashboard.components.finding import finding, frames
from dashboard.figures.surfaces import Seen, net
from dashboard.pages.smallnorb.direction import RoutedPair
from dashboard.pages.smallnorb.doubts import BEYOND
from dashboard.pages.smallnorb.turning import run_network
from dashboard.pages.smallnorb.views import LIGHT, ToyViews
from dashboard.runs import checkpoints
from dashboard.runs import pictures as picture_runs
from dashboard.runs.surfaces import AZIMUTHS, ELEVATIONS, KeptSurface, read_off, surface_of
from dashboard.screen.outputs import draw_numbers
from dashboard.screen.shown import Shown

HOW_MEASURED = "python -m core.measured poses NAME --data DIR"
NOT_KEPT = "Poses from all directions appear here once they have been measured for this network: `{command}`."
ONLY_TEST_TOYS = "Poses from all directions are kept for the 25 test toys. Choose toy {toys} or {last} of any category."
ONLY_BUILT_IN = "Choose a built-in toy to see what its pose holds from all directions."
ABOUT = (
    "Each knot of the net is the pose of “{capsule}” from one direction, in light 1. Its colour is the azimuth, as in "
    "the ring. Linear maps read the azimuth's cosine and sine, and the elevation, off the pose. They were fitted to "
    "the {n} other test toys of this category from all directions. If all were "
    "exact, the net would lie on the grey tube. The view on screen is orange, with a diamond where it should be. Not "
    "shown: the rest of the pose's 16 numbers, what a linear map misses, and directions between the knots. Drag the "
    "plot to turn it."
)
NOT_THE_RINGS = (
    "The ring's errors differ: it reads the azimuth at one elevation, by a map that was fitted to other toys at that "
    "elevation alone. Here one map reads all directions, which is harder."
)
IN_LIGHTS = " The view on screen may be in another light than the net."


def draw_surface(shown: Shown, names: list[str], device: str, views: ToyViews, seen: RoutedPair) -> None:
    """Draw the net of a test toy, a sentence for each view, and the errors at each elevation.

    Args:
        shown: record of the page.
        names: names of the network and of others, of which the first is drawn as a grey net.
        device: device of the networks.
        views: views of the toy.
        seen: pair on screen.
    """
    toy = views.built_in
    if toy is None:
        st.caption(ONLY_BUILT_IN)
        return
    kept = {name: found for name in names if (found := surface_of(name, toy.category, toy.instance))}
    if names[0] not in kept:
        st.caption(_why_not(toy.instance))
        return
    this, *others = kept.values()
    points = _points(this, names[0], device, views, seen)
    about_others = [describe_other_surface(checkpoints.title(name), kept[name].surface) for name in list(kept)[1:2]]
    sentences = [_describe(this, point, about_others) for point in points]
    shown.add(finding("finding-surface", sentences, param="view"))
    left, right = st.columns([5, 3], gap="medium")
    with left:
        other = others[0].surface.points if others else None
        figure = net(this.surface.points, AZIMUTHS, ELEVATIONS, points, other)
        alt = "The directions read off the pose from all directions, as a net around a tube of true ones"
        shown.draw_in_space("all directions", figure, "surface", alt)
        frames("frames of the surface", "surface")
    with right:
        _draw_errors(this)
        in_lights = IN_LIGHTS if toy.lighting or views.turned == LIGHT else ""
        st.caption(ABOUT.format(capsule=picture_runs.CATEGORIES[toy.category], n=this.n_fitted) + in_lights)
    shown.add_table("all directions", lambda: surface_table(this))


def _why_not(instance: int) -> str:
    """A sentence on why no surface is drawn."""
    if instance not in picture_runs.TRAINED_ON:
        return NOT_KEPT.format(command=HOW_MEASURED)
    *numbers, last = (str(k + 1) for k in picture_runs.TESTED_ON)
    return ONLY_TEST_TOYS.format(toys=", ".join(numbers), last=last)


def _points(kept: KeptSurface, name: str, device: str, views: ToyViews, seen: RoutedPair) -> list[Seen]:
    """The views that the scrubber steps through; the direction to which the toy was turned replaces the nearest."""
    category, pictures = views.built_in.category, views.pictures
    places = read_off(kept, run_network(name, device, pictures.images).poses[:, category])
    directions = zip(pictures.azimuth.tolist(), pictures.elevation.tolist(), strict=True)
    points = [Seen(*view) for view in zip(places, directions, pictures.names, strict=True)]
    if seen.direction:
        (place,) = read_off(kept, run_network(name, device, seen.pair[None]).poses[:, category])
        is_trained = ELEVATIONS[0] <= seen.direction[1] <= ELEVATIONS[-1]
        points[seen.view] = Seen(place, seen.direction, seen.name, is_trained)
    return points


def _describe(kept: KeptSurface, view: Seen, about_others: list[str]) -> str:
    """The sentences for one view."""
    low, middle, high = (int(ELEVATIONS[k]) for k in (0, len(ELEVATIONS) // 2, -1))
    beyond = [] if view.is_trained else [f"{BEYOND.format(low=low, high=high)} So its point is hollow."]
    about_view = describe_point(view.point, view.direction)
    return " ".join([describe_surface(kept.surface, middle), *about_others, about_view, *beyond])


def _draw_errors(kept: KeptSurface) -> None:
    """Draw a table of the mean errors at each elevation."""
    st.markdown("**Off on average, from all azimuths**")
    columns = (np.abs(kept.surface.azimuth_errors).mean(1), np.abs(kept.surface.elevation_errors).mean(1))
    rows = [[f"elevation {e:.0f}°", f"{a:.0f}°", f"{b:.1f}°"] for e, a, b in zip(ELEVATIONS, *columns, strict=True)]
    draw_numbers(["seen from", "azimuth", "elevation"], rows)
    st.caption(NOT_THE_RINGS)


def surface_table(kept: KeptSurface) -> pd.DataFrame:
    """One row for each direction of the grid: true ones, numbers that are read off, and errors in degrees."""
    elevation, azimuth = (direction.ravel() for direction in np.meshgrid(ELEVATIONS, AZIMUTHS, indexing="ij"))
    cosine, sine, read = kept.surface.points.reshape(-1, 3).T
    return pd.DataFrame(
        {
            "azimuth": azimuth,
            "elevation": elevation,
            "cosine read off": cosine,
            "sine read off": sine,
            "elevation read off": read,
            "azimuth error": kept.surface.azimuth_errors.ravel(),
            "elevation error": kept.surface.elevation_errors.ravel(),
        }
    )
