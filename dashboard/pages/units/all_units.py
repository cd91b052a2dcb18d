"""All units of a network: a plane of points and a table."""

import streamlit as st

from core.sentences.unit_match import say_stabilities
from core.sentences.words import capital
from dashboard.figures.units import label_apart, plane
from dashboard.figures.vega import STATED
from dashboard.pages.units.naming import pick_unit
from dashboard.pages.units.texts import AXES, CITED_ALL, DATA, MEASURED
from dashboard.runs.units import Units
from dashboard.screen.inputs import choose_from_menu
from dashboard.screen.markdown import escape
from dashboard.screen.shown import Picture, Shown, draw_figure

MAX_LABELS = 16  # units whose numbers are next to their points
HEADINGS = {  # of the columns with shares, in the words of the definitions, and their widths in pixels
    "matters": ("matters", 75),
    "flips": ("decides", 75),
    "between": ("between texts", 105),
    "selective": ("selective", 80),
    "evenness": ("even", 70),
    "idle": ("idle", 70),
    "accuracy": ("rule is right", 95),
    "base": ("usual answer", 100),
}
TEXTS = {"number": 65, "name": 140, "best rule": 140, "alike": 65}  # widths of the other columns


def draw_plane(shown: Shown, units: Units, u: int) -> None:
    """Draw all units by two quantities that the user chooses; a click opens one."""
    table = units.table()
    names = [name for name, axis in AXES.items() if axis.column in table]
    with st.container(key="axes", horizontal=True, gap="medium"):
        x = choose_from_menu(names, "Across", "across", names[1])
        y = choose_from_menu(names, "Up", "up", names[0])
    table["label"] = [f"{units.unit} {number}" for number in units.numbers]
    table["meaning"] = [units.meaning_of(row) for row in range(len(table))]
    few = len(table) <= MAX_LABELS
    names_of = {"sample": units.sample, "samples": f"{units.sample}s", "input": units.input}
    axes = [axis.called(**names_of) for axis in (AXES[x], AXES[y])]
    labelled = label_apart(table[axes[0].column], table[axes[1].column], u) if few else [u]
    table["short"] = [str(number) if row in labelled else "" for row, number in enumerate(units.numbers)]
    figure = plane(table, *axes, units.numbers[u])
    key = f"units {units.name} {x} {y}"

    def pick() -> None:
        picked = st.session_state[key].selection.get("cell")
        if picked:
            pick_unit(int(picked[0]["number"]))

    title = f"Units: {y.lower()} by {x.lower()}"
    shown.figures[title] = figure
    says = CITED_ALL.format(unit=units.unit, x=axes[0].title, y=axes[1].title) + MEASURED.format(data=units.data)
    shown.pictures[f"All {units.unit}s"] = Picture([title], says)
    alt = f"{title}. A click on a point opens the unit."
    draw_figure(figure, key=key, alt=alt, on_select=pick, selection_mode="cell")
    by = f"{capital(STATED)}: measured" if units.is_stated else "Measured"
    said = DATA.format(unit=units.unit, by=by, data=units.data)
    stable = "" if units.stability is None else f" {say_stabilities(units.stability, units.unit)}"
    st.caption(escape(said + stable))


def draw_table(units: Units) -> None:
    """Draw the figures of all units."""
    look = {
        **{name: st.column_config.Column(width=width) for name, width in TEXTS.items()},
        **{k: st.column_config.NumberColumn(name, format="percent", width=w) for k, (name, w) in HEADINGS.items()},
    }
    table = units.table()
    table["alike"] = table["alike"].str.split().str.len()  # there is no room for the numbers of all of them
    alt = "All units with their figures"
    st.dataframe(table, hide_index=True, column_config=look, height="content", alt=alt)
