"""Pairs of networks whose units can be matched, and the matches."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import streamlit as st
from jaxtyping import Int
from numpy import ndarray

from core.analysis.unit_match import Matches, Taken, match_common
from core.measured.trainings import find_trainings
from dashboard.runs import checkpoints
from dashboard.runs.checkpoints import is_of_session
from dashboard.runs.units import Units, measured_networks, units_of

MIN_WORDS = 20  # words that both networks must have, for a correlation to mean anything


@dataclass(frozen=True, eq=False)
class MatchedUnits:
    """The matched units of two networks.

    Attributes:
        units, other: units of both networks.
        matches: pairs of their rows.
        data: the texts that both were measured on, in words.
    """

    units: Units
    other: Units
    matches: Matches
    data: str

    def table(self) -> pd.DataFrame:
        """One row per pair, the most alike first."""
        first, second = (
            [each.short_label(u) for u in rows.tolist()]
            for each, rows in ((self.units, self.matches.first), (self.other, self.matches.second))
        )
        columns = {
            f"{self.units.unit} here": first,
            f"{self.other.unit} there": second,
            "correlation": self.matches.correlation,
            "by chance, below": self.matches.by_chance,
            "with the others": self.matches.others,
        }
        return pd.DataFrame(columns).sort_values("correlation", ascending=False, ignore_index=True)


def partners_of(name: str) -> list[str]:
    """The networks that have the same task or the same kind of units as one that reads texts, the most alike first.

    Networks of a session are left out, as matches are kept for all sessions, and those that an archive only describes.
    """
    about, record = checkpoints.about(name), checkpoints.record_of(name)
    ranks = {}
    for other in measured_networks():
        its, its_record = checkpoints.about(other), checkpoints.record_of(other)
        same = its.corpus == about.corpus, its_record.inner_unit == record.inner_unit, its.classes == about.classes
        may_be = other != name and its_record.reads == record.reads and not is_of_session(other)
        if may_be and any(same[:2]) and checkpoints.measured("units", other) is not None:
            ranks[other] = sum(same)
    return sorted(ranks, key=lambda other: -ranks[other])


def match_networks(name: str, other: str) -> MatchedUnits | None:
    """Match the units of two networks on texts that both read.

    Those are the texts of the test split if they are the same for both, and otherwise the sentences of the program.
    None if there are no such texts.
    """
    stamps = [checkpoints.stamp_of_weights(quantity, one) for quantity in ("units", "reading") for one in (name, other)]
    return _match(name, other, tuple(stamps))


@st.cache_resource(max_entries=16, show_spinner=False)
def _match(name: str, other: str, stamps: tuple) -> MatchedUnits | None:
    first, second = units_of(name), units_of(other)
    if first is None or second is None:
        return None
    of_split = first.data == second.data
    if not of_split and (first.reading is None or second.reading is None):
        return None  # no common texts
    (rows, taken), (other_rows, other_taken) = (_taken(each, of_split) for each in (first, second))
    if len(np.intersect1d(taken[0], other_taken[0])) < MIN_WORDS or not len(rows) or not len(other_rows):
        return None
    matches = match_common(taken, other_taken)
    matches = replace(matches, first=rows[matches.first], second=other_rows[matches.second])
    return MatchedUnits(first, second, matches, first.data if of_split else str(first.reading["data"]))


def _taken(units: Units, of_split: bool) -> tuple[Int[ndarray, " m"], Taken]:
    """The rows of the units, and what they take in the test split or in the sentences of the program."""
    if of_split:
        return np.arange(len(units.numbers)), (units.kept["words"], units.kept["lift"])
    assert units.reading is not None
    places = {u: row for u in range(len(units.numbers)) if (row := units.row_in_reading(u)) is not None}
    return np.array([*places], int), (units.reading["words"], units.reading["lift"][[*places.values()]])


def trainings_of(name: str) -> dict[int, str]:
    """The other trainings of a network whose units are measured: their names by seed."""
    measured = measured_networks()
    return {seed: other for seed, other in find_trainings(name).items() if other in measured}
