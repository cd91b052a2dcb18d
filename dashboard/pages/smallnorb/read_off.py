"""Directions of a toy that are read off its poses."""

import numpy as np

from core.analysis.rings import Alignment, Readout, align, directions_of, errors
from dashboard.figures.rings import OnePose, ReadOff
from dashboard.pages.smallnorb.turning import Pose, Turn
from dashboard.pages.smallnorb.views import TURNS
from dashboard.runs import pictures as picture_runs
from dashboard.runs.rings import plane_of


def read_off(plane: Readout, turn: Turn) -> ReadOff:
    """The directions that are read off the poses of the views, aligned with angles that file names state."""
    points, aligned = _points(plane, turn), alignment_of(plane, turn)
    if aligned:
        points = aligned.apply(points)
    return ReadOff(points, directions_of(points), errors(points, np.asarray(turn.views.degrees)))


def _points(plane: Readout, turn: Turn) -> np.ndarray:
    """The cosine and the sine that are read off the pose of each view."""
    return plane.read(turn.vectors.reshape(len(turn.vectors), -1).astype(float))


def alignment_of(plane: Readout, turn: Turn) -> Alignment | None:
    """The turn between azimuths that are read off and those that file names state; None for other views.

    Nobody knows from which side a user's names count. Elevations always count from the ground.
    """
    if turn.views.turned != TURNS[0] or not turn.views.pictures.how:
        return None
    return align(_points(plane, turn), np.asarray(turn.views.degrees))


def read_off_one(plane: Readout, turn: Turn, pose: Pose | None) -> OnePose | None:
    """The direction that is read off one pose, aligned as in ``read_off``; None without a pose."""
    if pose is None:
        return None
    points, aligned = plane.read(pose.vectors.reshape(1, -1).astype(float)), alignment_of(plane, turn)
    if aligned:
        points = aligned.apply(points)
    degrees = float(pose.direction[TURNS.index(turn.views.turned)])
    found = ReadOff(points, directions_of(points), errors(points, np.array([degrees])))
    name = f"{pose.name}, with your edits" if pose is turn.edited else pose.name
    return OnePose(found, degrees, name, pose.view)


def plane_for(name: str, turn: Turn) -> Readout | None:
    """The plane in which the direction of these views is read off, fitted to other toys; None if there is none."""
    if turn.views.turned not in TURNS or turn.capsule not in picture_runs.CATEGORIES:  # a user's network has its own
        return None
    return plane_of(name, str(turn.views.turned), *fitted_to(turn))


def fitted_to(turn: Turn) -> tuple[int, int | None]:
    """The category whose toys planes are fitted to, and the instance that they leave out: the toy on screen, if any."""
    category, toy = list(picture_runs.CATEGORIES).index(turn.capsule), turn.views.built_in
    return category, toy.instance if toy is not None and toy.category == category else None


def read_off_by(others: dict[str, Turn | None]) -> dict[str, ReadOff]:
    """The directions that are read off the poses of other networks, by name; without those that have none."""
    return {
        name: read_off(plane, turn)
        for name, turn in others.items()
        if turn is not None and (plane := plane_for(name, turn)) is not None
    }
