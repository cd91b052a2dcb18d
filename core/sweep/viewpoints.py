"""Accuracy on unseen directions: capsules compared with convolutions (Hinton et al. 2018, section 5)."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import product
from pathlib import Path
from typing import cast

import numpy as np
import pandas as pd
from jaxtyping import Int
from numpy import ndarray

from core.datasets import ViewSubset, smallnorb
from core.models import EMSmallNORB
from core.models.convolutional import ConvolutionalSmallNORB
from core.sweep.sweep import Row, Sweep
from core.training.augment import Looks
from core.training.metrics import outputs
from core.training.recipes import RECIPES
from core.training.recipes.smallnorb import SmallNORBTraining
from core.training.run import Trained, kept_checkpoints
from core.training.schedules import Schedule

BASE = cast(SmallNORBTraining, RECIPES["em-smallnorb"].short)
NETWORKS = {"EM routing": EMSmallNORB, "convolutions": ConvolutionalSmallNORB}
SEEN = {  # labels of the views that are trained on: a contiguous third of each column of ``smallnorb.INFO``
    "azimuth": (30, 32, 34, 0, 2, 4),
    "elevation": (0, 1, 2),
}
# Convolutions learn faster than routings, so the two can be matched only in early states.
KEPT = (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)
SCHEDULE = Schedule(epochs=20, lr=1e-3, warmup=100, decay=0.99, evaluations=1, kept=KEPT)
LOOKS = Looks(0, 0, 0, 0, 0)  # pairs are only shifted, because the question is about directions
SHIFT = 3  # largest shift, in pixels of the halved pictures
EVERY = 3  # every third test view is measured
AT_ONCE = 1024  # pairs that are halved in one step


@dataclass(frozen=True)
class ViewpointCase:
    """One training.

    Args:
        network: a key of ``NETWORKS``.
        direction: a key of ``SEEN``; only views in these directions are trained on.
    """

    network: str
    direction: str
    seed: int


def cases(seeds: int) -> Iterator[ViewpointCase]:
    """Yield both networks for both directions, seed by seed."""
    for seed, direction, network in product(range(seeds), SEEN, NETWORKS):
        yield ViewpointCase(network, direction, seed)


def training(case: ViewpointCase) -> "ViewpointTraining":
    """The training of a case: the shipped network's, but on a third of the directions, and pairs are only shifted."""
    settings = {f.name: getattr(BASE, f.name) for f in fields(BASE)}
    own = {"schedule": SCHEDULE, "looks": LOOKS, "shift": SHIFT, "seed": case.seed, "further": None}
    return ViewpointTraining(**settings | own, architecture=case.network, direction=case.direction)


@dataclass(frozen=True, kw_only=True)
class ViewpointTraining(SmallNORBTraining):
    """The network with routings, or with only convolutions, trained on half-size views in ``SEEN`` directions.

    Args:
        architecture: a key of ``NETWORKS``.
        direction: a key of ``SEEN``.
    """

    architecture: str
    direction: str

    def make_network(self) -> EMSmallNORB:
        return NETWORKS[self.architecture](self.network)

    def splits(self, data: Path) -> tuple[ViewSubset, ViewSubset, ViewSubset]:
        train, dev, test = super().splits(data)
        measured = ViewSubset(test.views, test.numbers[::EVERY])
        return halved(self._seen(train)), halved(self._seen(dev)), halved(measured)

    def _seen(self, split: ViewSubset) -> ViewSubset:
        """The views in the directions that are trained on."""
        labels = _labels(split, self.direction)
        return ViewSubset(split.views, split.numbers[np.isin(labels, SEEN[self.direction])])


def halved(split: ViewSubset) -> ViewSubset:
    """Load the views into memory with half the pixels per side, each the mean of four: 48, as in Hinton et al. 2018."""
    parts = (split.batch(numbers)[0] for numbers in np.array_split(np.arange(len(split)), len(split) // AT_ONCE + 1))
    smaller = [images.reshape(*images.shape[:2], images.shape[2] // 2, 2, -1, 2).mean((3, 5)) for images in parts]
    images = np.concatenate([part.round().astype(np.uint8) for part in smaller])
    views = smallnorb.Views(images, split.views.categories[split.numbers], split.views.info[split.numbers])
    return ViewSubset(views, np.arange(len(views)))


def _labels(split: ViewSubset, direction: str) -> Int[ndarray, " n"]:
    """The label of each view's azimuth or elevation."""
    return split.views.info[split.numbers, list(smallnorb.INFO).index(direction)]


def measure(case: ViewpointCase, trained: Trained, data: Path) -> Row:
    """The columns on directions.

    "degrees" are the directions of the test views, and "is_seen" says which of them were trained on. "accuracy" is per
    direction and toy, with the weights after each share of the training in "shares": [share][direction][toy], so
    that the networks can be compared at stages where they are equally good on seen directions.
    """
    direction, test = case.direction, cast(ViewSubset, trained.test)
    labels, toys = _labels(test, direction), test.toys
    distinct = np.unique(labels)
    degrees = smallnorb.directions(test.views.info[test.numbers])[:, list(SEEN).index(direction)]
    checkpoints = kept_checkpoints(trained)
    accuracy = []
    for checkpoint in checkpoints.values():
        given = np.concatenate([scores.argmax(-1) == targets for scores, targets in outputs(checkpoint, test)])
        right = pd.Series(given, [labels, toys]).groupby(level=[0, 1]).mean().unstack()
        accuracy.append(right.to_numpy().tolist())
    return {
        "shares": list(checkpoints),
        "degrees": [float(degrees[labels == label][0]) for label in distinct],
        "is_seen": np.isin(distinct, SEEN[direction]).tolist(),
        "accuracy": accuracy,
    }


SWEEP = Sweep(
    name="viewpoints",
    help="capsules compared with convolutions on unseen directions, on smallNORB",
    description=__doc__,
    case=ViewpointCase,
    cases=cases,
    training=training,
    measure=measure,
    corpus="smallnorb",
)
