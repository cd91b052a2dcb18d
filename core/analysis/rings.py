"""Rings of poses as a toy turns: planes in which directions are read off, angle scores, and errors in degrees.

The measures are ours. Heinsen 2019 draws the same poses as four vectors each (figure 4).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

PENALTIES = np.logspace(-3, 5, 9)  # of ridge regression; leave-one-out chooses one
DRAWS = 200  # random orders of the views
CLEARLY = 0.5  # directions are mirrored if at most this share of the mean error is left


class Readout(NamedTuple):
    """A linear map from standardized poses to numbers, such as the cosine and the sine of a direction.

    Attributes:
        mean, scale: mean and deviation of each number of the fitted poses.
        weights: the map.
        constant: its value at the mean.
    """

    mean: Float[ndarray, " f"]
    scale: Float[ndarray, " f"]
    weights: Float[ndarray, "f k"]
    constant: Float[ndarray, " k"]

    def read(self, poses: Float[ndarray, "n f"]) -> Float[ndarray, "n k"]:
        """The numbers that are read off poses. A cosine and a sine need not lie on the unit circle."""
        return (poses - self.mean) / self.scale @ self.weights + self.constant


class Alignment(NamedTuple):
    """A change of directions that are read off, for true ones that count from elsewhere, or the other way round.

    Attributes:
        turn: constant turn that is taken off, from -180 to 180 degrees.
        is_mirrored: whether the sense is turned round afterwards.
    """

    turn: float
    is_mirrored: bool

    def apply(self, points: Float[ndarray, "n 2"]) -> Float[ndarray, "n 2"]:
        """The points turned back around 0, and mirrored."""
        cosine, sine = unit_circle(np.array([self.turn]))[0]
        turned = points @ np.array([[cosine, -sine], [sine, cosine]])
        return turned * [1, -1] if self.is_mirrored else turned


class Round(NamedTuple):
    """A score of how well points go round as a direction does.

    Attributes:
        score: 1 if the angle of each point around their middle follows the direction, up to a constant; 0 if it does
            not at all.
        by_chance: mean score of the same points in random orders.
    """

    score: float
    by_chance: float


def fit_plane(poses: Float[ndarray, "n f"], degrees: Float[ndarray, " n"]) -> Readout:
    """Fit the map from poses to the cosine and the sine of directions."""
    return fit_readout(poses, unit_circle(degrees))


def fit_plane_to_others(
    toys: Int[ndarray, "toy 2"],
    turns: Float[ndarray, "toy view v d"],
    degrees: Float[ndarray, " view"],
    category: int,
    left_out: int | None,
) -> Readout:
    """Fit the map from poses to directions on the toys of a category.

    Args:
        toys: category and instance of each toy.
        turns: pose vectors of each toy's views.
        degrees: direction of each view.
        category: index of the category.
        left_out: instance of the category that the map is not fitted to; None if it is fitted to all.

    Raises:
        ValueError: no toy has this category.
    """
    fitted = turns[(toys[:, 0] == category) & (toys[:, 1] != left_out)].astype(float)
    return fit_plane(fitted.reshape(fitted.shape[0] * fitted.shape[1], -1), np.tile(degrees, len(fitted)))


def score_toys(
    toys: Int[ndarray, "toy 2"],
    turns: Float[ndarray, "toy view v d"],
    degrees: Float[ndarray, " view"],
    instances: Sequence[int],
) -> Float[ndarray, " n"]:
    """The score of ``goes_round`` for each toy with one of these instances.

    Its directions are read off by a map that is fitted to the other toys of its category.

    Args:
        toys, turns, degrees: as in ``fit_plane_to_others``.
        instances: instances of the scored toys.
    """
    scores = []
    for (category, instance), turn in zip(toys.tolist(), turns, strict=True):
        if instance in instances:
            plane = fit_plane_to_others(toys, turns, degrees, category, instance)
            scores.append(score_of(plane.read(turn.reshape(len(turn), -1).astype(float)), degrees))
    return np.array(scores)


def fit_readout(poses: Float[ndarray, "n f"], targets: Float[ndarray, "n k"]) -> Readout:
    """Fit the map from poses to numbers by ridge regression on standardized poses."""
    from sklearn.linear_model import RidgeCV  # takes half a second to import

    mean, scale = poses.mean(0), poses.std(0)
    scale = np.where(scale > 0, scale, 1)
    found = RidgeCV(PENALTIES).fit((poses - mean) / scale, targets)
    return Readout(mean, scale, found.coef_.reshape(targets.shape[1], -1).T, np.reshape(found.intercept_, -1))


def unit_circle(degrees: Float[ndarray, " n"]) -> Float[ndarray, "n 2"]:
    """The cosine and the sine of each direction."""
    return np.stack([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))], 1)


def directions_of(points: Float[ndarray, "n 2"]) -> Float[ndarray, " n"]:
    """The direction of each point as seen from 0, in degrees from 0 to 360."""
    return np.degrees(np.arctan2(points[:, 1], points[:, 0])) % 360


def errors(points: Float[ndarray, "n 2"], degrees: Float[ndarray, " n"]) -> Float[ndarray, " n"]:
    """The angle between the direction that is read off and the true one, from -180 to 180 degrees."""
    return (directions_of(points) - degrees + 180) % 360 - 180


def constant_error(degrees: Float[ndarray, " n"]) -> float:
    """The mean distance of directions from the best constant guess, in degrees: 90 for a full turn.

    The best guess is one of the directions, or opposite to one of them.
    """
    guesses = np.concatenate([degrees, degrees + 180])
    return float(np.abs((guesses[:, None] - degrees + 180) % 360 - 180).mean(1).min())


def align(points: Float[ndarray, "n 2"], degrees: Float[ndarray, " n"]) -> Alignment:
    """Find the constant turn between directions that are read off and true ones whose zero and sense are unknown.

    The turn is the circular mean of the errors.
    """
    read = directions_of(points)
    found = [Alignment(_circular_mean(read - way * degrees), way < 0) for way in (1, -1)]
    plain, mirrored = (np.abs(errors(one.apply(points), degrees)).mean() for one in found)
    return found[1] if mirrored <= CLEARLY * plain else found[0]


def _circular_mean(degrees: Float[ndarray, " n"]) -> float:
    return float(np.degrees(np.angle(np.exp(1j * np.radians(degrees)).mean())))


def score_of(points: Float[ndarray, "n 2"], degrees: Float[ndarray, " n"]) -> float:
    """The score of ``goes_round``."""
    return _score(_angles(points), degrees, either_way=False)


def goes_round(points: Float[ndarray, "n 2"], degrees: Float[ndarray, " n"], either_way: bool = False) -> Round:
    """Score how well points go round with a direction.

    Args:
        points: a point for each view.
        degrees: direction of each view.
        either_way: whether going round in the opposite sense counts as well, as in a plane that may be mirrored.
    """
    angles = _angles(points)
    draw = np.random.default_rng(0)
    orders = [draw.permutation(len(angles)) for _ in range(DRAWS)]
    by_chance = np.mean([_score(angles[order], degrees, either_way) for order in orders])
    return Round(_score(angles, degrees, either_way), float(by_chance))


def _angles(points: Float[ndarray, "n 2"]) -> Float[ndarray, " n"]:
    """The angle of each point around their middle."""
    around = points - points.mean(0)
    return np.arctan2(around[:, 1], around[:, 0])


def _score(angles: Float[ndarray, " n"], degrees: Float[ndarray, " n"], either_way: bool) -> float:
    """The length of the mean of unit vectors at the differences between angles and directions."""
    ways = (1, -1) if either_way else (1,)
    return float(max(abs(np.exp(1j * (angles - way * np.radians(degrees))).mean()) for way in ways))
