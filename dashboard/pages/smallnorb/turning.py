"""The pose vectors of a toy as it turns (figures 4, 6 and 7 of the paper)."""

from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.poses import compare_with_first
from core.sentences.findings import describe_turn, stress_in_words
from dashboard.components.finding import finding, frames
from dashboard.figures.figure import Figure
from dashboard.figures.poses import trajectories, turn_curves, turn_table
from dashboard.figures.trajectories import trajectories_in_space
from dashboard.pages.smallnorb.direction import RoutedPair
from dashboard.pages.smallnorb.texts import MEASURED_AT, REPEATED, TEST_TOYS, UNMEASURED
from dashboard.pages.smallnorb.views import LIGHT, TURNS, ToyViews, other_direction
from dashboard.runs import checkpoints
from dashboard.runs import pictures as picture_runs
from dashboard.screen.inputs import choose_option
from dashboard.screen.markdown import escape
from dashboard.screen.outputs import draw_notices, stop_on_error
from dashboard.screen.shown import Shown

QUANTITIES = {"distance": "|v - v_0| / |v_0|", "norm": "|v| / |v_0|", "cosine": "cos(v, v_0)"}
ONE_VIEW = "A path needs several views of one toy: add more, or say that these pictures are views of one toy."


class Pose(NamedTuple):
    """The pose of the pair on screen, where it is none of the views' poses.

    Attributes:
        vectors: pose vectors, [v, d].
        direction: azimuth and elevation, in degrees.
        name: name of the direction.
        view: index of the nearest view.
    """

    vectors: np.ndarray
    direction: tuple[float, float]
    name: str
    view: int


class Turn(NamedTuple):
    """The pose vectors of one class capsule in several views.

    Attributes:
        vectors: pose vectors, [view, v, d].
        capsule: name of the class with the largest mean probability over the views.
        views: the views.
        between: the same capsule in the direction to which the user has turned the toy; None in one of the views.
        edited: the same capsule in the pair on screen, with the user's edits; None without edits.
    """

    vectors: np.ndarray
    capsule: str
    views: ToyViews
    between: Pose | None = None
    edited: Pose | None = None

    @property
    def names(self) -> list[str]:
        """The names of the views."""
        return list(self.views.pictures.names)

    @property
    def changes(self) -> str:
        """The name of the quantity that changes from view to view, for axes and colours."""
        return "view" if self.views.turned is None else name_with_unit(self.views.turned)


def name_with_unit(turned: str) -> str:
    """The name of a quantity that changes from view to view, with its unit."""
    return turned if turned == LIGHT else f"{turned}, degrees"


def run_network(name: str, device: str, images: np.ndarray) -> picture_runs.ClassCapsules:
    """Compute the class capsules of pairs of pictures, uint8 [n, 2, y, x], and draw notices."""
    with stop_on_error():
        capsules, notices = picture_runs.class_capsules(name, device, images)
    draw_notices(notices)
    return capsules


def turn_of(name: str, device: str, views: ToyViews, seen: RoutedPair, classes: list[str]) -> Turn | None:
    """The pose vectors of the class with the largest mean probability; None for a single view, or for several toys.

    Args:
        name: name of the network.
        device: device of the network.
        views: views of the toy.
        seen: pair on screen.
        classes: names of the classes.
    """
    if len(views.pictures) < 2 or not views.is_one_toy:
        return None
    capsules, between = run_network(name, device, views.pictures.images), None
    winner = int(capsules.probabilities.mean(0).argmax())
    if seen.direction:
        vectors = run_network(name, device, seen.pair[None]).poses[0, winner]
        between = Pose(vectors.astype(np.float32), seen.direction, seen.name, seen.view)
    return Turn(np.ascontiguousarray(capsules.poses[:, winner], np.float32), classes[winner], views, between)


def turns_of(
    names: list[str], device: str, views: ToyViews, seen: RoutedPair, classes: list[str]
) -> dict[str, Turn | None]:
    """``turn_of`` for several networks, by name."""
    return {name: turn_of(name, device, views, seen, classes) for name in names}


def draw_space(shown: Shown, turn: Turn | None, about: str) -> None:
    """Draw the trajectories of the pose vectors in space, and one sentence per view on how far they moved.

    Args:
        shown: record of the page.
        turn: pose vectors of the views.
        about: sentence on how well a direction can be read off the network's poses.
    """
    if turn is None:
        st.caption(ONE_VIEW)
        return
    space = picture_runs.projected(turn.vectors, 3)
    figure = trajectories_in_space(space.points, turn.names, turn.views.degrees, turn.changes)
    alt = "The path of each pose vector through the views, in space"
    shown.draw_in_space("space", figure, "space", alt)
    frames("frames", "space")
    sentences = describe_turn(compare_with_first(turn.vectors).distance, turn.names)
    shown.add(finding("finding-turn", sentences, param="view"))
    st.caption(
        f"These are the pose vectors of “{escape(turn.capsule)}”, the class with the highest mean probability over "
        f"these views. Drag the plot to rotate it. {_describe_stress(space.stress)} {escape(about)}"
    )


def draw_plane(shown: Shown, turn: Turn | None) -> None:
    """Draw the pose vectors of all views in a plane (figure 4 of the paper)."""
    if turn is None:
        st.caption(ONE_VIEW)
        return
    figure, stress = _plane(turn)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        shown.draw_heatmap("Pose vectors in a plane", figure, "plane", "The pose vectors of every view in a plane")
    right.caption(
        f"This is figure 4 of Heinsen 2019. Each view is a closed line through the four pose vectors of "
        f"“{escape(turn.capsule)}”, the class with the highest mean probability over these views. The current view is "
        f"bold. {_describe_stress(stress)}"
    )


def _plane(turn: Turn) -> tuple[Figure, float]:
    """The figure of the plane, and its stress."""
    plane = picture_runs.projected(turn.vectors, 2)
    return trajectories(plane.points, turn.names, turn.views.degrees, turn.changes), plane.stress


def _describe_stress(stress: float) -> str:
    kept = f"How well the plot keeps the distances between pose vectors: {stress_in_words(stress)}"
    return f"{kept} (Stress-1 is {stress:.3f}; 0 is exact, 0.2 is poor)."


def choose_quantity(turn: Turn | None) -> str:
    """Let the user choose how pose vectors are compared with the first view's."""
    if turn is None or turn.views.turned is None:
        return next(iter(QUANTITIES))
    return choose_option(list(QUANTITIES), "Compare each pose vector v with the first view's v_0, by", "quantity")


def draw_against_first(shown: Shown, name: str, turn: Turn | None, quantity: str) -> None:
    """Draw this toy, and all test toys if they were measured for these views (figures 6 and 7 of the paper).

    Args:
        shown: record of the page.
        name: name of the checkpoint.
        turn: pose vectors of the views.
        quantity: one of ``QUANTITIES``.
    """
    if turn is None or turn.views.turned is None:
        st.caption("The names of these views do not say which angle changes." if turn else ONE_VIEW)
        return
    if turn.views.turned == LIGHT:
        st.caption("The chart follows each pose vector from light to light. The direction stays the same.")
    others = measured_turns(name, turn.views)
    all_toys = compare_with_first(np.empty((0, *turn.vectors.shape)) if others is None else others)
    this_toy = getattr(compare_with_first(turn.vectors), quantity)
    charts = turn_curves(getattr(all_toys, quantity), this_toy, turn.views.degrees, turn.changes, QUANTITIES[quantity])
    if others is None and turn.views.turned != LIGHT:
        st.caption(f"{REPEATED} {UNMEASURED}")
    elif others is not None:
        measured_on = escape(str(checkpoints.measured("poses", name)["data"]))
        st.caption(f"{REPEATED} {TEST_TOYS}{_elsewhere(turn.views)} Measured on {measured_on}.")
    shown.draw_charts(charts, columns=2)


def _elsewhere(views: ToyViews) -> str:
    """A sentence on this toy's fixed direction if it is not that of the test toys; "" otherwise."""
    other = other_direction(str(views.turned))
    here = float(getattr(views.pictures, other)[0])
    is_elsewhere = not np.isnan(here) and here != MEASURED_AT[other]
    return f" This toy, whose line is bold, is seen at {other} {here:.0f}° instead." if is_elsewhere else ""


def measured_turns(name: str, views: ToyViews) -> np.ndarray | None:
    """The pose vectors of the test toys, [toy, view, v, d], if these views have the same directions."""
    measured = checkpoints.measured("poses", name)
    if views.turned not in TURNS:
        return None
    directions = picture_runs.AZIMUTHS if views.turned == "azimuth" else picture_runs.ELEVATIONS
    return measured[views.turned] if measured and np.array_equal(views.degrees, directions) else None


def add_tables(
    shown: Shown, turn: Turn | None, capsules: picture_runs.ClassCapsules, views: ToyViews, classes: list[str]
) -> None:
    """Record the tables of all views."""
    shown.add_table("views", lambda: views_table(views, capsules, classes))
    if turn is None:
        return
    shown.add_table("plane", lambda: _plane(turn)[0].data.to_pandas())
    shown.add_table("space", lambda: space_table(turn))
    shown.add_table("pose vectors", lambda: vectors_table(turn.vectors, turn.names))
    if views.turned is not None:
        shown.add_table("turned", lambda: against_first_table(turn))


def against_first_table(turn: Turn) -> pd.DataFrame:
    """Make a table of every quantity, one row per view and pose vector."""
    this_toy = compare_with_first(turn.vectors)
    values = {label: getattr(this_toy, key)[None] for key, label in QUANTITIES.items()}
    return turn_table(values, ["this toy"], turn.views.degrees, turn.changes)


def space_table(turn: Turn) -> pd.DataFrame:
    """Make a table of the points in space, one row per view and pose vector."""
    points = picture_runs.projected(turn.vectors, 3).points
    places = vectors_table(points, turn.names)
    return places.rename(columns={f"component {d}": axis for d, axis in enumerate("xyz", 1)})


def views_table(views: ToyViews, capsules: picture_runs.ClassCapsules, classes: list[str]) -> pd.DataFrame:
    """Make a table of the classes of every view."""
    names = views.pictures.names
    columns = dict(zip(classes, capsules.probabilities.T, strict=True))
    return pd.DataFrame({"view": np.arange(1, len(names) + 1), "name": list(names)} | columns)


def vectors_table(vectors: np.ndarray, names: list[str]) -> pd.DataFrame:
    """Make a table of vectors [view, v, d], one row per view and vector, counted from 1."""
    view, v = (index.ravel() for index in np.indices(vectors.shape[:2]))
    columns = {f"component {d + 1}": vectors[..., d].ravel() for d in range(vectors.shape[2])}
    return pd.DataFrame({"view": view + 1, "name": np.array(names, dtype=object)[view], "pose vector": v + 1} | columns)
