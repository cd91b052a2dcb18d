"""The turns of the fifty built-in toys, in the arrays "built_in" of ``core.measured.store``."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from core.analysis.rings import score_toys
from core.datasets.toyrig import AZIMUTHS, ELEVATIONS, INSTANCES

DIRECTIONS = {"azimuth": AZIMUTHS, "elevation": ELEVATIONS}


class MeasuredTurns(NamedTuple):
    """The pose vectors of the built-in toys as one direction changes.

    Attributes:
        toys: category and instance of each toy.
        vectors: pose vectors of the capsule of each toy's category.
        degrees: direction of each view.
    """

    toys: Int[ndarray, "toy 2"]
    vectors: Float[ndarray, "toy view v d"]
    degrees: Float[ndarray, " view"]

    @classmethod
    def of(cls, kept: Mapping[str, ndarray], turned: str) -> "MeasuredTurns":
        """The turns in the arrays "built_in". turned: a key of ``DIRECTIONS``."""
        n_azimuths = len(AZIMUTHS)
        views = slice(None, n_azimuths) if turned == "azimuth" else slice(n_azimuths, None)
        return cls(kept["toys"], kept["views"][:, views], np.array(DIRECTIONS[turned], float))

    def of_toy(self, category: int, instance: int) -> Float[ndarray, "view v d"]:
        """The pose vectors of one toy; IndexError if it is missing."""
        return self.vectors[(self.toys == (category, instance)).all(1)][0]

    def score_test_toys(self) -> Float[ndarray, " n"]:
        """The score of each test toy's pose, which says how well it goes round; 1 if it follows the direction."""
        return score_toys(*self, INSTANCES["test"])
