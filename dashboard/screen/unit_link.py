"""A capsule, a part or a layer by number and name, and a line on what it means, which opens it in the page Units."""

from typing import TYPE_CHECKING

import streamlit as st

from core.measured.evidence.badge import badge_of
from dashboard.figures.vega import STATED
from dashboard.runs.evidence import evidence_of
from dashboard.runs.units import meaning_of, units_of
from dashboard.screen.address import link_to
from dashboard.screen.links import page_file
from dashboard.screen.markdown import escape

if TYPE_CHECKING:
    import pandas

OPENS = "Open what it takes and does over many texts."
COLUMNS = {"feature capsule": "feature"}  # columns of tables with numbers of units, where not called as the unit is
GIVEN = "names of units"  # key of the user's names in the session state: by network, then by number


def given_names(name: str) -> dict[int, str]:
    """The names that the user gave to units of a network, by number."""
    return st.session_state.get(GIVEN, {}).get(name, {})


def name_unit(name: str, number: int, unit: str) -> str:
    """A unit as sentences and tables name it, such as "capsule 3 · negations".

    It has the user's name or, if its rule holds, that of the rule; another unit has its number only. The name says if
    only an archive states it, or the network's picture is no better than random words. The text may come from a user.

    Args:
        name: name of the network.
        number: number of the unit, from 1.
        unit: unit in the singular. If the network's measured units are others, it has its number only.
    """
    units = units_of(name)
    if units is None or units.unit != unit or number not in units.numbers:
        return f"{unit} {number}"
    label = " · ".join(
        filter(None, (f"{unit} {number}", given_names(name).get(number) or units.name_of_number(number)))
    )
    return with_doubt(label, name) if "·" in label else label


def doubt_of(name: str) -> str:
    """The doubt about names in a network: an archive states them, or its picture is no better than random words.

    "" if there is none, or if neither is measured.
    """
    units = units_of(name)
    if units is not None and units.is_stated:
        return STATED
    badge = badge_of(evidence_of(name))
    return f"picture: {badge.verdict}" if badge.is_no_better else ""


def draw_meaning(name: str, number: int) -> None:
    """Draw what a unit means, as a link to it; nothing if its network's units are not measured.

    Args:
        name: name of the network.
        number: number of the unit, from 1.
    """
    says = meaning_of(name, number, given_names(name))
    if says is not None:
        look = {"icon": ":material/category_search:", "help": escape(f"{with_doubt(says, name)}. {OPENS}")}
        st.page_link(page_file("units"), label=escape(says), query_params=link_to_unit(name, number), **look)


def link_to_unit(name: str, number: int) -> dict[str, str]:
    """The query of a link to a unit in the page Units. Arguments as in ``draw_meaning``."""
    return link_to({"checkpoint": name, "unit": str(number)})


def with_doubt(says: str, name: str) -> str:
    """A phrase on a unit, with the doubt about it, if there is any."""
    doubt = doubt_of(name)
    return f"{says} ({doubt})" if doubt else says


def name_rows(table: "pandas.DataFrame", name: str) -> "pandas.DataFrame":
    """A table of a run, with the name of the unit next to its number in each row.

    Args:
        table: table, which is returned as it is if it has no column of numbers of the network's units, or if these are
            not measured.
        name: name of the network.
    """
    units = units_of(name)
    column = COLUMNS.get(units.unit, units.unit) if units else ""
    if units is None or column not in table or table[column].dtype.kind not in "iu":
        return table
    names = {number: name_unit(name, number, units.unit).partition(" · ")[2] for number in units.numbers}
    named = table.copy()
    named.insert(named.columns.get_loc(column) + 1, f"{column} name", table[column].map(names).fillna(""))
    return named
