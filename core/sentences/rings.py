"""Sentences on how well a pose goes round as a toy turns."""

from collections.abc import Mapping

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from core.analysis.rings import Alignment, Round, constant_error, directions_of, errors, score_of
from core.sentences.words import listed, quote

GOES_ROUND, ROUGHLY = 0.8, 0.5  # scores from which on a pose goes round, and does so roughly
FULL_TURN = ("goes round once", "goes round roughly", "does not go round")
PART_OF_A_TURN = ("turns with it", "roughly turns with it", "does not turn with it")
THREE_QUARTERS = 270.0  # degrees between the first and the last view of a full turn
HALF_TURN = 135.0  # degrees: a larger error is nearer to half a turn than to a quarter
FAR_OFF = 45.0  # degrees: a mean error that seems to contradict a good score
THIS_VIEW = "This view:"
FOLLOWS = 8.0  # degrees: an elevation that is less far off on average is followed; the middle one always is 11 off


def describe_round(
    found: Round,
    read: Float[ndarray, " n"],
    degrees: Float[ndarray, " n"],
    errors: Float[ndarray, " n"],
    turned: str,
    aligned: Alignment | None = None,
) -> list[str]:
    """Say how well a pose follows the toy's direction, and for each view which direction is read off.

    Args:
        found: how well the points go round.
        read: direction read off each view's pose, in degrees.
        degrees: direction of each view.
        errors: difference of the two, from -180 to 180.
        turned: name of the direction, such as "azimuth".
        aligned: change of the directions that are read off, if the true ones come from file names.
    """
    off = float(np.abs(errors).mean())
    if turned == "azimuth":
        how = f"score {found.score:.2f} of 1; with the views in random order, {found.by_chance:.2f}"
        begin = f"As this toy turns, its pose {_verb(found.score, degrees)} ({how})."
    else:
        begin = f"As the {turned} changes, the pose {_follows(off)}."
    guess = f"always guessing one angle: {constant_error(degrees):.0f}°"
    mean = f"The {turned} read off it is {off:.0f}° off on average ({guess})."
    if aligned:
        mean += f" {describe_alignment(aligned)}"
    if turned == "azimuth" and found.score >= ROUGHLY and off > FAR_OFF:
        mean += " The score counts angles around the middle of the path, and the azimuth counts around that of the rim."
    if turned == "azimuth" and (half_turns := int((np.abs(errors) > HALF_TURN).sum())):
        mean += f" In {half_turns} of {len(errors)} views, it is off by about half a turn, as if front were back."
    return [f"{begin} {mean} {describe_direction(*view)}" for view in zip(degrees, read, errors, strict=True)]


def describe_alignment(aligned: Alignment) -> str:
    """Say which constant turn is taken off directions before they are compared with those of file names."""
    off = f"This is after a constant turn of {abs(aligned.turn):.0f}° was taken off"
    why = "the true angles come from the file names, which may count from another direction"
    if not aligned.is_mirrored:
        return f"{off}: {why}."
    return f"{off} and the direction was mirrored: {why} and the other way round."


def describe_direction(true: float, read: float, error: float) -> str:
    """Say which direction is read off one pose; all in degrees."""
    return f"{THIS_VIEW} {true:.0f}°, read off as {round(read) % 360}° ({abs(error):.0f}° off)."


def describe_edited(read: float, error: float) -> str:
    """Say which direction is read off the pose of this view after the user's edits, in degrees."""
    return f"With your edits, it is read off as {round(read) % 360}° ({abs(error):.0f}° off)."


def describe_other(name: str, found: Round, errors: Float[ndarray, " n"], degrees: Float[ndarray, " n"]) -> str:
    """Say how well the pose of another network follows the toy's direction. Arguments as in ``describe_round``."""
    how = f"{_verb(found.score, degrees)} (score {found.score:.2f}, {np.abs(errors).mean():.0f}° off on average)"
    return f"The dashed path is that of another network, “{name}”: its pose {how}."


def describe_trainings(
    points: Mapping[str, Float[ndarray, "n 2"]],
    degrees: Float[ndarray, " n"],
    turned: str,
    capsule: str,
    is_aligned: bool = False,
    view: str = THIS_VIEW,
) -> list[str]:
    """Say how well the pose of a toy follows its direction in other trainings: sentences for each view.

    Args:
        points: cosine and sine that are read off each view's pose, by training.
        degrees: direction of each view.
        turned: name of the direction, such as "azimuth".
        capsule: name of the class whose capsule has the poses.
        is_aligned: whether a constant turn was taken off the directions of each training, as in ``align``.
        view: words for the view on screen.
    """
    said = []
    for training, its in points.items():
        off, score = float(np.abs(errors(its, degrees)).mean()), score_of(its, degrees)
        if turned == "azimuth":
            said.append(f"{_verb(score, degrees)} (score {score:.2f}, {off:.0f}° off on average; {training})")
        else:
            said.append(f"{_follows(off)} the {turned} ({off:.0f}° off on average; {training})")
    begin = f"In the other trainings, the pose of {quote(capsule)}"
    aligned = " Each is after a constant turn of its own was taken off." if is_aligned else ""
    read = {training: directions_of(its) for training, its in points.items()}
    return [
        f"{begin} {listed(said)}.{aligned} {view} {true:.0f}°, read off as "
        f"{listed([f'{round(its[k]) % 360}° ({training})' for training, its in read.items()])}."
        for k, true in enumerate(degrees)
    ]


def count_round(scores: Mapping[str, Float[ndarray, " toys"]]) -> str:
    """Say for how many toys the pose goes round once in each training.

    Args:
        scores: score of each toy, by words for the training, such as "with seed 1".
    """
    counts = [f"{n_round(values)} {name}" for name, values in scores.items()]
    n = len(next(iter(scores.values())))
    how = f"goes round once (score {GOES_ROUND} or more)"
    return f"As the {n} rendered test toys turn once, at elevation 50° in light 1, the pose {how} for {listed(counts)}."


def n_round(scores: Float[ndarray, " toys"]) -> int:
    """The number of toys whose pose goes round once."""
    return int((scores >= GOES_ROUND).sum())


def describe_thresholds() -> str:
    """Say which scores the words for a pose mean, over a full turn and over a part of one."""
    scores = (f"{GOES_ROUND} or more", f"{ROUGHLY} or more", f"below {ROUGHLY}")
    said = (
        f"{score}: “{full}” or “{part}”" for score, full, part in zip(scores, FULL_TURN, PART_OF_A_TURN, strict=True)
    )
    return f"The words for a score, over a full turn or a part of one: {'; '.join(said)}."


def _verb(score: float, degrees: Float[ndarray, " n"]) -> str:
    """The verb for a score over a full turn, or over a part of one."""
    once, roughly, never = FULL_TURN if np.ptp(degrees) > THREE_QUARTERS else PART_OF_A_TURN
    return once if score >= GOES_ROUND else roughly if score >= ROUGHLY else never


def _follows(off: float) -> str:
    """The verb for a mean error of elevations, in degrees."""
    return "follows" if off <= FOLLOWS else "hardly follows"


def describe_map(found: Round | None, stress: float) -> str:
    """Say how well the points in a plane of distances go round, and how well the plane keeps the distances.

    Args:
        found: how well they go round; None if the directions are unknown.
        stress: Stress-1 of the plane.
    """
    score = f"As a ring, this path has score {found.score:.2f} (random order: {found.by_chance:.2f}). " if found else ""
    return (
        "Multidimensional scaling (MDS) keeps the distances between poses as well as a plane can. Its axes mean "
        f"nothing. {score}Stress-1 is {stress:.2f} (0 is exact, 0.2 is poor)."
    )
