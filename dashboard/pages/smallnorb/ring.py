"""Whether the pose goes round with the toy: one point for each view, on a path in the colours of its directions."""

import numpy as np
import streamlit as st

from core.analysis.rings import DirectionPlane, directions_of, errors, goes_round
from core.sentences.rings import describe_map, describe_round
from dashboard.components.finding import finding
from dashboard.figures.rings import ReadOff, pose_map, ring
from dashboard.pages.smallnorb.networks import describe
from dashboard.pages.smallnorb.turning import ONE_VIEW, Turn
from dashboard.pages.smallnorb.views import TURNS
from dashboard.runs import pictures as picture_runs
from dashboard.runs.rings import map_of, plane_of
from dashboard.screen.markdown import escape
from dashboard.screen.shown import Shown

HOW_MEASURED = "python -m core.measured built_in NAME"
READ_OFF = """Each point is a view of the toy. Its angle is the {turned} that a linear map reads off the pose of
“{capsule}”: the map was fitted to {fitted}. The rim has the true directions, and a grey line joins each point with its
own. The orange diamond is where the current view should be."""
NO_PLANE = "No poses of this network were measured, so no direction can be read off them yet: `{command}`."
NO_DIRECTION = "The names of these views do not say which direction changes, so their path has no true directions."


def draw_ring(shown: Shown, name: str, turn: Turn | None, others: dict[str, Turn | None]) -> None:
    """Draw the ring in which the direction is read off the pose, and next to it the map of whole poses.

    Args:
        shown: record of the page.
        name: name of the network.
        turn: pose vectors of the views; None for a single view.
        others: the same for other networks by name.
    """
    if turn is None:
        st.caption(ONE_VIEW)
        return
    if turn.views.turned not in TURNS:
        st.caption(NO_DIRECTION)
        return
    plane = plane_for(name, turn)
    if plane is not None:
        shown.add(finding("finding-ring", _describe(turn, plane), param="view"))
    left, right = st.columns([4, 3], gap="small")
    with right:
        about_map = _draw_map(shown, turn)
    with left:
        if plane is None:
            st.caption(NO_PLANE.format(command=HOW_MEASURED))
            about_ring = []
        else:
            about_ring = _draw_directions(shown, turn, plane, _points_of_others(others))
    for sentence in [*about_ring, about_map]:
        st.caption(sentence)


def _draw_directions(shown: Shown, turn: Turn, plane: DirectionPlane, others: dict[str, np.ndarray]) -> list[str]:
    """Draw the ring of directions that are read off the pose, and return sentences about it.

    Args:
        shown: record of the page.
        turn: pose vectors of the views.
        plane: plane in which the direction is read off.
        others: points of other networks by name, of which the first is drawn.
    """
    degrees, found = np.asarray(turn.views.degrees), _read_off(plane, turn)
    st.markdown(f"**The {turn.views.turned} read off the pose**")
    figure = ring(found, degrees, turn.names, turn.views.pictures.images, next(iter(others.values()), None))
    alt = f"The {turn.views.turned} read off the pose in each view, around the true directions"
    shown.draw_heatmap("Ring", figure, "ring", alt)
    shown.add_table("ring", lambda: figure.data.to_pandas())
    return [" ".join([_describe_plane(turn), *map(_describe_other, others)])]


def _describe(turn: Turn, plane: DirectionPlane) -> list[str]:
    """A sentence for each view on how well the pose follows the direction."""
    degrees, found = np.asarray(turn.views.degrees), _read_off(plane, turn)
    how_round = goes_round(found.points, degrees)
    return describe_round(how_round, found.read, degrees, found.errors, str(turn.views.turned))


def _draw_map(shown: Shown, turn: Turn) -> str:
    """Draw the map of whole poses, and return a sentence about it."""
    places, degrees = map_of(turn.vectors), np.asarray(turn.views.degrees)
    st.markdown("**Distances between whole poses**")
    alt = "The whole pose in each view, in a plane"
    shown.draw_heatmap("Map of poses", pose_map(places.points, degrees, turn.names), "pose-map", alt)
    return describe_map(goes_round(places.points, degrees, either_way=True), places.stress)


def _read_off(plane: DirectionPlane, turn: Turn) -> ReadOff:
    """The directions that are read off the poses of the views."""
    points = plane.read(turn.vectors.reshape(len(turn.vectors), -1).astype(float))
    return ReadOff(points, directions_of(points), errors(points, np.asarray(turn.views.degrees)))


def plane_for(name: str, turn: Turn) -> DirectionPlane | None:
    """The plane in which the direction of these views is read off, fitted to other toys of the class."""
    category = list(picture_runs.CATEGORIES).index(turn.capsule)
    toy = turn.views.built_in
    left_out = toy.instance if toy is not None and toy.category == category else None
    return plane_of(name, str(turn.views.turned), category, left_out)


def _points_of_others(others: dict[str, Turn | None]) -> dict[str, np.ndarray]:
    """The points of other networks, by name; without those that have none."""
    points = {}
    for name, turn in others.items():
        if turn is not None and (plane := plane_for(name, turn)) is not None:
            points[name] = _read_off(plane, turn).points
    return points


def _describe_plane(turn: Turn) -> str:
    """A sentence on what the ring shows, and what its map was fitted to."""
    toy = turn.views.built_in
    is_own = toy is not None and picture_runs.CATEGORIES[toy.category] == turn.capsule
    fitted = "the nine other rendered toys of this class" if is_own else "the ten rendered toys of this class"
    return READ_OFF.format(turned=turn.views.turned, capsule=escape(turn.capsule), fitted=fitted).replace("\n", " ")


def _describe_other(name: str) -> str:
    """A sentence on the dashed path."""
    return f"The dashed path is that of {escape(describe(name))}."
