"""A capsule, a part or a layer by number and name, and a line on what it means, which opens it in the page Units."""

import streamlit as st

from core.measured.evidence.badge import badge_of
from dashboard.runs.evidence import evidence_of
from dashboard.runs.units import meaning_of, units_of
from dashboard.screen.address import link_to
from dashboard.screen.links import page_file
from dashboard.screen.markdown import escape

GIVEN = "names of units"  # key of the user's names in the session state: by network, then by number


def given_names(name: str) -> dict[int, str]:
    """The names that the user gave to units of a network, by number."""
    return st.session_state.get(GIVEN, {}).get(name, {})


def name_unit(name: str, number: int, unit: str) -> str:
    """A unit as sentences and tables name it, such as "capsule 3 · negations".

    It has the user's name or, if its rule holds, that of the rule; another unit has its number only. If the network's
    picture is no better than random words, the name says so. The text may come from a user.

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
    doubt = doubt_of(name)
    return f"{label} ({doubt})" if doubt and "·" in label else label


def doubt_of(name: str) -> str:
    """The verdict that a network's picture is no better than random words; "" if it is better, or not measured."""
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
        doubt = doubt_of(name)
        help = f"{escape(says)}{f' ({doubt})' * bool(doubt)}. Open what it takes and does over many texts."
        look = {"icon": ":material/category_search:", "help": help}
        query = link_to({"checkpoint": name, "unit": str(number)})
        st.page_link(page_file("units"), label=escape(says), query_params=query, **look)
