"""The units of a second network, matched with those of the first."""

from dataclasses import replace

import numpy as np
import streamlit as st

from core.sentences.unit_match import say_match, say_matches, say_opposite
from core.sentences.words import capital
from dashboard.pages.units.naming import with_given_names
from dashboard.pages.units.panel import draw_effect, draw_inputs
from dashboard.pages.units.texts import ALIKE, NO_PARTNER, NO_TEXTS, OTHER, STABLE, UNMATCHED
from dashboard.runs import checkpoints
from dashboard.runs.unit_match import MatchedUnits, match_networks, partners_of, trainings_of
from dashboard.runs.units import Units
from dashboard.screen.badge import draw_title
from dashboard.screen.markdown import escape
from dashboard.screen.network_menu import choose_network
from dashboard.screen.shown import Shown

ENDS = ("effect", "effect_low", "effect_high")


def may_be_compared(units: Units) -> bool:
    """Whether these units can be matched with another network's: those measured on texts that others read too."""
    return units.input == "word" and units.shown is None and not units.is_stated


def draw_compared(shown: Shown, units: Units, u: int) -> None:
    """Let the user choose a second network, and draw a unit next to its match there, and all matches in a table."""
    partners = partners_of(units.name)
    if not partners:
        st.caption(NO_PARTNER)
        return
    matched = match_networks(units.name, choose_network(OTHER, partners, "other", width=620))
    if matched is None:
        st.caption(NO_TEXTS)
        return
    matched = replace(matched, units=units, other=with_given_names(matched.other))
    _draw_pair(shown, matched, u)
    for seed, name in trainings_of(units.name).items():
        _draw_training(units, u, seed, name)
    st.markdown(escape(say_matches(matched.matches, units.unit)))
    shown.add_table("matched units", matched.table)
    table = matched.table()
    look = {column: st.column_config.NumberColumn(format="%.2f") for column in table.columns[2:]}
    how = {"hide_index": True, "width": "content", "height": "content"}
    st.dataframe(table, column_config=look, alt="Matched units", **how)
    st.caption(escape(ALIKE.format(data=matched.data)))


def _draw_pair(shown: Shown, matched: MatchedUnits, u: int) -> None:
    """Draw a unit next to its match, and say how good the match is."""
    units, other = matched.units, matched.other
    k = matched.matches.partner(u)
    if k is None:
        st.markdown(escape(UNMATCHED.format(unit=capital(units.label(u)))))
        return
    v = int(matched.matches.second[k])
    said = say_match(matched.matches, k, units.label(u), other.label(v))
    ends = [[each.kept[key][row] for key in ENDS] for each, row in ((units, u), (other, v))]
    if units.classes == other.classes and matched.matches.correlation[k] > matched.matches.by_chance[k]:
        said = f"{said} {say_opposite(list(map(np.array, ends)), units.classes, units.unit)}".strip()
    st.markdown(f"**{escape(said)}**")
    span = 100 * min(0.0, np.min(ends)), 100 * max(0.0, np.max(ends))
    for column, each, row in zip(st.columns(2, gap="large"), (units, other), (u, v), strict=True):
        with column:
            draw_title(each.name)
            st.caption(escape(capital(each.label(row))))
            of = f" of {checkpoints.title(each.name)}, matched"
            draw_inputs(shown, each, row, of)
            draw_effect(shown, each, row, of, span)


def _draw_training(units: Units, u: int, seed: int, name: str) -> None:
    """Say how like a unit its match in another training is."""
    matched = match_networks(units.name, name)
    if matched is not None and (k := matched.matches.partner(u)) is not None:
        here, chance = float(matched.matches.correlation[k]), float(matched.matches.by_chance[k])
        st.markdown(STABLE.format(seed=seed, here=here, chance=chance))
