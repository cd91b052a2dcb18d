"""The fall of accuracy with the distance from the training directions (as in Hinton et al. 2018, section 5.1)."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float
from numpy import ndarray

from core.analysis.intervals import interval_over_groups

ROUND = 360.0  # degrees in a full turn


class TrainingStage(NamedTuple):
    """A network after part of its training.

    Attributes:
        share: share of its training that is done.
        accuracy: accuracy per direction and toy, mean over seeds.
    """

    share: float
    accuracy: Float[ndarray, "direction toy"]


def distances_to_seen(
    degrees: Float[ndarray, " d"], is_seen: Bool[ndarray, " d"], is_round: bool
) -> Float[ndarray, " d"]:
    """The distance from each direction to the nearest training direction, in degrees.

    Args:
        is_round: whether the directions repeat every ``ROUND`` degrees.
    """
    apart = np.abs(degrees[:, None] - degrees[None, is_seen])
    return (np.minimum(apart, ROUND - apart) if is_round else apart).min(1)


def stages(rows: pd.DataFrame) -> dict[str, list[TrainingStage]]:
    """The stages of each network: one per share of its training at which weights were kept. The last share is 1.

    Args:
        rows: rows of the sweep "viewpoints" for one of the directions.

    Raises:
        ValueError: a toy was not tested in some direction.
    """
    by_network = {}
    for network, trainings in rows.groupby("network", sort=False):
        accuracy = np.mean([_array(values) for values in trainings["accuracy"]], 0)  # [share, direction, toy]
        if np.isnan(accuracy).any():
            raise ValueError("accuracy lacks a number for a toy and a direction, wanted one for every pair")
        shares = np.asarray(trainings["shares"].iloc[0], float).tolist()
        by_network[str(network)] = [TrainingStage(*pair) for pair in zip(shares, accuracy, strict=True)]
    return by_network


def match(rows: pd.DataFrame) -> dict[str, TrainingStage]:
    """Match the networks on seen directions: for each, take the stage closest to the lowest final accuracy.

    If several stages are equally close, take the last. Arguments and errors as in ``stages``.
    """
    by_network = stages(rows)
    is_seen = np.asarray(rows["is_seen"].iloc[0], bool)
    on_seen = {
        network: np.array([stage.accuracy[is_seen].mean() for stage in its_stages])
        for network, its_stages in by_network.items()
    }
    wanted = min(accuracies[-1] for accuracies in on_seen.values())
    matched = {}
    for network, its_stages in by_network.items():
        gap = np.abs(on_seen[network] - wanted)
        matched[network] = its_stages[int(np.flatnonzero(gap == gap.min())[-1])]
    return matched


def by_distance(networks: Mapping[str, TrainingStage], distances: Float[ndarray, " direction"]) -> pd.DataFrame:
    """The accuracy of networks by distance from the training directions; seen directions have distance 0.

    Returns:
        One row per network and distance: network, share, distance, accuracy, and low and high, the 95% bootstrap
        interval over toys.
    """
    summary = []
    for network, (share, accuracy) in networks.items():
        for distance in np.unique(distances):
            by_toy = accuracy[distances == distance].mean(0)
            summary.append((network, share, float(distance), *_mean_and_interval(by_toy)))
    return pd.DataFrame(summary, columns=["network", "share", "distance", "accuracy", "low", "high"])


def compare_on_unseen(
    first: TrainingStage, second: TrainingStage, distances: Float[ndarray, " direction"]
) -> tuple[float, float, float]:
    """The first network's accuracy on unseen directions minus the second's, and its 95% interval over toys."""
    by_toy, by_toy_of_second = (network.accuracy[distances > 0].mean(0) for network in (first, second))
    return _mean_and_interval(by_toy - by_toy_of_second)


def distances_of(rows: pd.DataFrame) -> Float[ndarray, " direction"]:
    """The distance from each direction to the nearest training direction, in degrees.

    Args:
        rows: rows as for ``match``.
    """
    degrees, is_seen = (np.asarray(rows[column].iloc[0]) for column in ("degrees", "is_seen"))
    return distances_to_seen(degrees.astype(float), is_seen.astype(bool), rows["direction"].iloc[0] == "azimuth")


def _mean_and_interval(by_toy: Float[ndarray, " toy"]) -> tuple[float, float, float]:
    return float(by_toy.mean()), *interval_over_groups(by_toy, np.arange(len(by_toy)))


def _array(nested: Sequence[Any] | ndarray) -> Float[ndarray, "share direction toy"]:
    """A table's nested lists as one array."""
    return np.array([[list(by_toy) for by_toy in by_direction] for by_direction in nested], float)
