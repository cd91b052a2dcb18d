"""Whether the pose goes round with the toy: one point for each view, on a path in the colours of its directions."""

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.poses import compare_with_first
from core.analysis.rings import goes_round
from core.sentences.findings import describe_turn
from core.sentences.rings import (
    THIS_VIEW,
    describe_alignment,
    describe_direction,
    describe_edited,
    describe_map,
    describe_other,
    describe_round,
    describe_thresholds,
)
from core.sentences.words import capital
from dashboard.components.finding import finding
from dashboard.figures.rings import SIDE, SMALL, pose_map, ring
from dashboard.pages.smallnorb.direction import RoutedPair
from dashboard.pages.smallnorb.read_off import alignment_of, plane_for, read_off, read_off_by, read_off_one
from dashboard.pages.smallnorb.trainings import OtherTurn, count_test_toys
from dashboard.pages.smallnorb.turning import Pose, Turn
from dashboard.pages.smallnorb.views import TURNS, ToyViews
from dashboard.runs import checkpoints
from dashboard.runs import pictures as picture_runs
from dashboard.runs.pictures import ClassCapsules
from dashboard.runs.rings import map_of
from dashboard.screen.markdown import escape
from dashboard.screen.outputs import draw_numbers
from dashboard.screen.shown import Shown
from dashboard.whatif.change import Change

HOW_MEASURED = "python -m core.measured built_in NAME"
READ_OFF = """Each point is a view of the toy. Its angle is the {turned} that a linear map reads off the pose of
“{capsule}”: the map was fitted to {fitted}. The rim has the true directions, and a grey line joins each point with its
own. The orange diamond is where the current view should be. The score is 1 if the angles of the points around their
middle follow the direction, and 0 if they do not at all. {thresholds}"""
WIDTHS = [27, 20, 22]  # of the ring, the map and the picture of places
NAMES_HEIGHT = 300  # pixels of the table of names, which scrolls
NEAREST = "The frame marks the nearest view, not the direction to which you have turned the toy."
MAP = "The whole pose in each view, in a plane"
EDITED = "The triangle is this view with your edits. All other poses on this page are without them."
NOT_EDITED = "All poses on this page are without your edits."
NO_PLANE = "No poses of this network were measured, so no direction can be read off them yet: `{command}`."
NO_DIRECTION = "The names of these views do not say which direction changes, so their path has no true directions."
ONE_LIGHT = "Only the light changes in these views, not the direction, so their path has no true directions."


def with_edits(turn: Turn | None, change: Change, seen: RoutedPair, trained: int) -> Turn | None:
    """The turn with the pose of the pair on screen after the user's edits, if there are any.

    Args:
        turn: pose vectors of the views; None for a single view.
        change: run on screen.
        seen: pair on screen.
        trained: number of iterations in training.
    """
    if turn is None or not change.is_edited:
        return turn
    capsules = change.after.parts_to_classes.capsules[trained - 1]
    vectors = capsules[change.after.classes.index(turn.capsule)].reshape(turn.vectors.shape[1:])
    angles = (float(getattr(turn.views.pictures, angle)[seen.view]) for angle in TURNS)
    return turn._replace(edited=Pose(vectors, seen.direction or tuple(angles), seen.name, seen.view))


def describe_turning(shown: Shown, name: str, turn: Turn | None, others: dict[str, Turn | None]) -> None:
    """Say how well poses follow the direction, or how far their vectors move if none can be read off.

    Arguments as in ``draw_poses``.
    """
    if turn is None:
        return
    plane = plane_for(name, turn)
    if plane is None:
        sentences = describe_turn(compare_with_first(turn.vectors).distance, turn.names)
    else:
        degrees, found = np.asarray(turn.views.degrees), read_off(plane, turn)
        how_round = goes_round(found.points, degrees)
        turned, aligned = str(turn.views.turned), alignment_of(plane, turn)
        sentences = describe_round(how_round, found.read, degrees, found.errors, turned, aligned)
        if between := read_off_one(plane, turn, turn.between):
            here = describe_direction(between.degrees, between.found.read[0], between.found.errors[0])
            sentences[between.view] = sentences[between.view].rpartition(THIS_VIEW)[0] + here
        if edited := read_off_one(plane, turn, turn.edited):
            sentences[edited.view] += f" {describe_edited(edited.found.read[0], edited.found.errors[0])}"
        for other, theirs in list(read_off_by(others).items())[:1]:
            title, goes = checkpoints.title(other), goes_round(theirs.points, degrees)
            about_other = describe_other(title, goes, theirs.errors, degrees)
            sentences = [f"{sentence} {about_other}" for sentence in sentences]
    shown.add(finding("finding-turn", sentences, param="view"))


def draw_poses(
    shown: Shown, name: str, turn: Turn, others: dict[str, Turn | None], trainings: list[OtherTurn]
) -> DeltaGenerator:
    """Draw the ring and the map side by side, and return the place next to them.

    With other trainings, all rings are side by side, and the map is below them.

    Args:
        shown: record of the page.
        name: name of the network.
        turn: pose vectors of the views.
        others: the same for other networks by name, of which the first is drawn.
        trainings: other trainings of the network.
    """
    box = st.container(key="poses")
    if trainings:
        circle, *rings = box.columns(1 + len(trainings), gap="small")
        if turn.views.turned == TURNS[0]:
            box.caption(count_test_toys(name))
        plane, free = box.columns(WIDTHS[1:], gap="small")
    else:
        circle, plane, free, *rings = box.columns(WIDTHS, gap="small")
    points = [read_off(one.plane, one.turn).points for one in trainings]
    if trainings and (own := plane_for(name, turn)):
        points.append(read_off(own, turn).points)
    reach = 1.1 * max((float(np.abs(its).max()) for its in points), default=0)
    with circle:
        _draw_ring(shown, name, turn, others, not trainings, reach)
        if turn.edited:
            st.caption(NOT_EDITED if plane_for(name, turn) is None else EDITED)
    for place, training in zip(rings, trainings, strict=True):
        with place:
            _draw_ring_of(shown, training, reach, is_near=turn.between is not None)
    with plane:
        _draw_map(shown, turn)
    return free


def draw_names(views: ToyViews, capsules: ClassCapsules, classes: list[str]) -> DeltaGenerator:
    """Draw what each of several separate pictures is named, and return the place next to the table or for one picture.

    Args:
        views: pictures.
        capsules: class capsules of each picture.
        classes: names of the classes.
    """
    place = st.container(key="poses")
    if len(views.pictures) == 1:
        return place
    table, free = place.columns([sum(WIDTHS[:2]), WIDTHS[2]], gap="small")
    best = capsules.probabilities.argmax(1)
    shares = np.take_along_axis(capsules.probabilities, best[:, None], 1)[:, 0]
    names = zip(views.pictures.names, best, shares, strict=True)
    with table, st.container(height=NAMES_HEIGHT, border=False):
        rows = [[name, classes[k], f"{share:.1%}"] for name, k, share in names]
        draw_numbers(["picture", "named", "probability"], rows)
    return free


def _draw_ring(shown: Shown, name: str, turn: Turn, others: dict[str, Turn | None], is_one: bool, reach: float) -> None:
    """Draw the directions that are read off the pose, around the true ones.

    Args:
        shown, name, turn, others: as in ``draw_poses``.
        is_one: whether it is the only ring, which is larger and has pictures around it.
        reach: as in ``ring``.
    """
    if turn.views.turned not in TURNS:
        st.caption(ONE_LIGHT if turn.views.turned == "light" else NO_DIRECTION)
        return
    plane = plane_for(name, turn)
    if plane is None:
        st.caption(NO_PLANE.format(command=HOW_MEASURED))
        return
    degrees, dashed = np.asarray(turn.views.degrees), [found.points for found in read_off_by(others).values()]
    aligned = alignment_of(plane, turn)
    help = f"{_describe_plane(turn)} {describe_alignment(aligned)}" if aligned else _describe_plane(turn)
    title = f"{capital(turn.views.turned)} read off the pose" if is_one else "This training"
    st.markdown(f"**{title}**", help=help)
    between, edited = (read_off_one(plane, turn, pose) for pose in (turn.between, turn.edited))
    places, pictures = read_off(plane, turn), turn.views.pictures.images if is_one else None
    side, path = SIDE if is_one else SMALL, next(iter(dashed), None)
    figure = ring(places, degrees, turn.names, pictures, path, between, edited, side, reach)
    alt = f"The {turn.views.turned} read off the pose in each view, around the true directions"
    shown.draw_heatmap("Ring", figure, "ring", alt)
    shown.add_table("ring", lambda: figure.data.to_pandas())


def _draw_ring_of(shown: Shown, training: OtherTurn, reach: float, is_near: bool) -> None:
    """Draw the ring of another training.

    Args:
        shown: record of the page.
        training: the training.
        reach: as in ``ring``.
        is_near: whether the user has turned the toy away from the view that is framed.
    """
    turn = training.turn
    st.markdown(f"**{capital(training.label)}**" + ", nearest view" * is_near)
    figure = ring(read_off(training.plane, turn), np.asarray(turn.views.degrees), turn.names, side=SMALL, reach=reach)
    alt = f"The {turn.views.turned} read off the pose in each view, in the training with {training.label}"
    shown.draw_heatmap(f"Ring, {training.label}", figure, f"ring {training.label}", alt)
    shown.add_table(f"ring, {training.label}", lambda: figure.data.to_pandas())


def _draw_map(shown: Shown, turn: Turn) -> None:
    """Draw a point for each view in a plane that keeps the distances between whole poses."""
    places = map_of(turn.vectors)
    degrees = np.arange(len(turn.vectors)) if turn.views.degrees is None else np.asarray(turn.views.degrees)
    goes = goes_round(places.points, degrees, either_way=True) if turn.views.turned == TURNS[0] else None
    help = describe_map(goes, places.stress)
    st.markdown("**Whole poses (MDS)**", help=help)
    shown.draw_heatmap("Map of poses", pose_map(places.points, degrees, turn.names), "pose-map", MAP)
    if turn.between:
        st.caption(NEAREST)


def _describe_plane(turn: Turn) -> str:
    """A sentence on what the ring shows, and what its map was fitted to."""
    toy = turn.views.built_in
    is_own = toy is not None and picture_runs.CATEGORIES[toy.category] == turn.capsule
    fitted = "the nine other rendered toys of this class" if is_own else "the ten rendered toys of this class"
    return READ_OFF.format(
        turned=turn.views.turned, capsule=escape(turn.capsule), fitted=fitted, thresholds=describe_thresholds()
    ).replace("\n", " ")
