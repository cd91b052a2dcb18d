"""All units of a network: a plane of points and a table."""

import streamlit as st

from dashboard.figures.units import PlaneAxis, plane
from dashboard.pages.units.naming import pick_unit
from dashboard.pages.units.texts import AXES, DATA
from dashboard.runs.units import Units
from dashboard.screen.inputs import choose_from_menu
from dashboard.screen.markdown import escape
from dashboard.screen.shown import Shown, draw_figure

MAX_LABELS = 16  # units whose numbers are next to their points
HEADINGS = {  # of the columns with shares, in the words of the definitions
    "matters": "matters",
    "flips": "decides",
    "between": "between texts",
    "selective": "selective",
    "evenness": "even",
    "idle": "idle",
    "accuracy": "rule is right",
    "base": "usual answer is right",
}


def draw_plane(shown: Shown, units: Units, u: int) -> None:
    """Draw all units by two quantities that the user chooses; a click opens one."""
    names = list(AXES)
    with st.container(key="axes", horizontal=True, gap="medium"):
        x = choose_from_menu(names, "Across", "across", names[1])
        y = choose_from_menu(names, "Up", "up", names[0])
    table = units.table()
    table["label"] = [f"{units.unit} {number}" for number in units.numbers]
    table["meaning"] = [units.meaning_of(row) for row in range(len(table))]
    few = len(table) <= MAX_LABELS
    table["short"] = [str(number) if few or row == u else "" for row, number in enumerate(units.numbers)]
    names_of = {"sample": units.sample, "samples": f"{units.sample}s", "input": units.input}
    axes = [PlaneAxis(*(text.format(**names_of) for text in AXES[side])) for side in (x, y)]
    figure = plane(table, *axes, units.numbers[u])
    key = f"units {units.name} {x} {y}"

    def pick() -> None:
        picked = st.session_state[key].selection.get("cell")
        if picked:
            pick_unit(int(picked[0]["number"]))

    title = f"Units: {y.lower()} by {x.lower()}"
    shown.figures[title] = figure
    alt = f"{title}. A click on a point opens the unit."
    draw_figure(figure, key=key, alt=alt, on_select=pick, selection_mode="cell")
    st.caption(escape(DATA.format(unit=units.unit, data=units.data)))


def draw_table(units: Units) -> None:
    """Draw the figures of all units."""
    look = {name: st.column_config.NumberColumn(heading, format="percent") for name, heading in HEADINGS.items()}
    alt = "All units with their figures"
    st.dataframe(units.table(), hide_index=True, column_config=look, height="content", alt=alt)
