"""The parts of a network of toys, as measured over views: pictures, directions and poses."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st
from jaxtyping import UInt8
from numpy import ndarray

from core.analysis.unit_views import FACTORS
from core.datasets import toyrig
from core.pictures import thumbnails
from core.sentences.unit_views import follows, say_activation, say_pose
from dashboard.runs import checkpoints
from dashboard.runs.units import Units

SHARES = ("share", "low", "high", "own")


class ShownView(NamedTuple):
    """A view of a toy that stands for a tenth of a part's score.

    Attributes:
        toy: name of the class.
        about: toy and view in words.
        score: score of the part in it.
        picture: left picture; None if none is kept.
    """

    toy: str
    about: str
    score: float
    picture: UInt8[ndarray, "y x"] | None


@dataclass(frozen=True, eq=False)
class UnitViews:
    """A part over views of toys.

    Attributes:
        kept: arrays "views" of ``core.measured.store``.
        u: row of the part.
        classes: names of the classes.
        pictures, averages: kept pictures; none of photographs.
    """

    kept: dict[str, ndarray]
    u: int
    classes: tuple[str, ...]
    pictures: UInt8[ndarray, "p y x"] | None
    averages: UInt8[ndarray, "u y x"] | None

    @property
    def average(self) -> UInt8[ndarray, "y x"] | None:
        """The mean picture where the part's score is highest, minus that of all; None if none is kept."""
        return None if self.averages is None else self.averages[self.u]

    @property
    def tenths(self) -> list[ShownView]:
        """A view for each tenth of the score, the highest first."""
        pairs = zip(self.kept["tenths"][self.u].tolist(), self.kept["tenth_score"][self.u].tolist(), strict=True)
        return [self._shown(k, score) for k, score in pairs][::-1]

    def _shown(self, k: int, score: float) -> ShownView:
        category, instance, light, azimuth, elevation = self.kept["shown"][k].tolist()
        named = self.pictures is not None  # rendered toys have names
        toy = toyrig.KINDS[category][instance] if named else f"toy {instance + 1}"
        about = f"{toy}, azimuth {azimuth}°, elevation {elevation}°, light {light}"
        return ShownView(self.classes[category], about, score, self.pictures[k] if self.pictures is not None else None)

    @property
    def share(self) -> ndarray:
        """Share of each component's variance that each of ``FACTORS`` explains, [factor, component]."""
        return self.kept["share"][:, self.u]

    @property
    def follows(self) -> ndarray:
        """Whether each component follows each factor, [factor, component]."""
        return follows(self.kept)[:, self.u]

    @property
    def sentences(self) -> tuple[str, str]:
        """Sentences on its score, and on its pose."""
        return say_activation(self.kept, self.u), say_pose(self.kept, self.u)

    def table(self) -> pd.DataFrame:
        """One row per factor and component with the shares."""
        factor, component = (index.ravel() for index in np.indices(self.share.shape))
        numbers = {name: self.kept[name][:, self.u].astype(float).ravel() for name in SHARES}
        chance = self.kept["chance"][:, self.u].astype(float)[factor]
        columns = {"factor": np.array(FACTORS)[factor], "component": component + 1, **numbers, "chance": chance}
        return pd.DataFrame(columns | {"follows": self.follows.ravel()})


def views_of(units: Units, u: int) -> UnitViews | None:
    """A unit over views of toys; None if that is not measured. u: its row in ``units``."""
    kept = checkpoints.measured("views", units.name)
    if kept is None or kept["curve"].shape[1] != len(units.classes) or units.numbers[u] not in kept["numbers"]:
        return None
    pictures, averages = _pictures(units.name, checkpoints.stamp_of_weights("views", units.name))
    row = kept["numbers"].tolist().index(units.numbers[u])
    return UnitViews(kept, row, units.classes, pictures, averages)


@st.cache_resource(max_entries=8, show_spinner=False)
def _pictures(name: str, stamp: tuple) -> tuple[ndarray | None, ndarray | None]:
    """The kept pictures of a network's views and of its parts; None where there are none."""
    kept = checkpoints.measured("views", name)
    assert kept is not None
    try:
        shown = thumbnails.unpack(kept["pictures"], len(kept["shown"]))
        return shown, thumbnails.unpack(kept["average"], len(kept["numbers"]))
    except ValueError:
        return None, None
