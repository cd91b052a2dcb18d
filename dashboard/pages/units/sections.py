"""The tabs below the plane of units and the open unit."""

from collections.abc import Callable

import streamlit as st

from dashboard.pages.units.all_units import draw_table
from dashboard.pages.units.compare import draw_compared, may_be_compared
from dashboard.pages.units.idea import draw_idea
from dashboard.pages.units.texts import DEFINITIONS
from dashboard.pages.units.views import VIEWS_TAB, draw_views
from dashboard.runs.unit_ideas import may_test
from dashboard.runs.unit_views import UnitViews
from dashboard.runs.units import Units
from dashboard.screen.shown import Shown

Sections = dict[str, Callable[[], object]]


def sections_of(shown: Shown, units: Units, u: int, views: UnitViews | None, measure: Sections) -> Sections:
    """The tabs of a network with what each of them draws.

    Args:
        shown: record of the page.
        units: units of the network.
        u: row of the open unit.
        views: the open part over views of toys, for a network of toys.
        measure: tab that measures the network on the user's texts, if it reads texts.
    """
    return {
        **({VIEWS_TAB: lambda: draw_views(shown, units, u, views)} if views else {}),
        "All units": lambda: draw_table(units),
        **({"Compare with": lambda: draw_compared(shown, units, u)} if may_be_compared(units) else {}),
        **({"Test an idea": lambda: draw_idea(units, u)} if may_test(units) else {}),
        **measure,
        "Definitions": lambda: st.markdown(DEFINITIONS),
    }
