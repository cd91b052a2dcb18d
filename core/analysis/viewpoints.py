"""How accuracy falls with the distance from the directions trained on (as in Hinton et al. 2018, section 5.1)."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float
from numpy import ndarray

from core.analysis.intervals import interval_over_groups

ROUND = 360.0  # degrees


class Matched(NamedTuple):
    """A network after that share of its training with which it is as good on what it has seen as the others.

    Attributes:
        share: of its training.
        accuracy: on each toy in each direction, the mean over seeds.
    """

    share: float
    accuracy: Float[ndarray, "direction toy"]


def to_seen(degrees: Float[ndarray, " d"], is_seen: Bool[ndarray, " d"], is_round: bool) -> Float[ndarray, " d"]:
    """The distance of each direction to the nearest one that was trained on, in degrees.

    Args:
        is_round: whether directions begin anew after ``ROUND`` degrees.
    """
    apart = np.abs(degrees[:, None] - degrees[None, is_seen])
    return (np.minimum(apart, ROUND - apart) if is_round else apart).min(1)


def match(rows: pd.DataFrame) -> dict[str, Matched]:
    """Each network as good on the directions trained on as the one that is least good there at the end.

    Of the shares of its training that were kept, that with the nearest accuracy counts.

    Args:
        rows: of the sweep "viewpoints", for one of the directions.
    """
    by_network = {}
    for network, trainings in rows.groupby("network", sort=False):
        accuracy = np.mean([_array(values) for values in trainings["accuracy"]], 0)  # [share, direction, toy]
        by_network[str(network)] = np.asarray(trainings["shares"].iloc[0], float), accuracy
    is_seen = np.asarray(rows["is_seen"].iloc[0], bool)
    on_seen = {network: accuracy[:, is_seen].mean((1, 2)) for network, (_, accuracy) in by_network.items()}
    wanted = min(of_shares[-1] for of_shares in on_seen.values())
    matched = {}
    for network, (shares, accuracy) in by_network.items():
        k = int(np.abs(on_seen[network] - wanted).argmin())
        matched[network] = Matched(float(shares[k]), accuracy[k])
    return matched


def by_distance(rows: pd.DataFrame) -> pd.DataFrame:
    """The accuracy of the matched networks by the distance from the directions trained on; 0 on those themselves.

    Args:
        rows: as ``match`` takes them.

    Returns:
        A row for each network and distance: network, share, distance, accuracy, and low and high, the 95% bootstrap
        interval over toys.
    """
    distances = _distances(rows)
    summary = []
    for network, (share, accuracy) in match(rows).items():
        for distance in np.unique(distances):
            of_toys = accuracy[distances == distance].mean(0)
            summary.append((network, share, float(distance), *_mean(of_toys)))
    return pd.DataFrame(summary, columns=["network", "share", "distance", "accuracy", "low", "high"])


def on_unseen(rows: pd.DataFrame, first: str, second: str) -> tuple[float, float, float]:
    """By how much a network's accuracy on unseen directions exceeds another's, and its 95% interval over toys.

    Args:
        rows: as ``match`` takes them.
    """
    matched, is_unseen = match(rows), _distances(rows) > 0
    of_toys = [matched[network].accuracy[is_unseen].mean(0) for network in (first, second)]
    return _mean(of_toys[0] - of_toys[1])


def _distances(rows: pd.DataFrame) -> Float[ndarray, " d"]:
    degrees, is_seen = (np.asarray(rows[column].iloc[0]) for column in ("degrees", "is_seen"))
    return to_seen(degrees.astype(float), is_seen.astype(bool), rows["direction"].iloc[0] == "azimuth")


def _mean(of_toys: Float[ndarray, " toy"]) -> tuple[float, float, float]:
    return float(of_toys.mean()), *interval_over_groups(of_toys, np.arange(len(of_toys)))


def _array(nested: ndarray) -> Float[ndarray, "share direction toy"]:
    """A table's nested lists as one array."""
    return np.array([[list(of_direction) for of_direction in of_share] for of_share in nested], float)
