"""One unit: its name, the words or places it takes, and its effect on the classes."""

import pandas as pd
import streamlit as st

from core.sentences.unit_idea import list_amounts
from core.sentences.unit_match import say_stability
from core.sentences.units import does_nothing, most_taken, nearest, say_effect, say_rule, say_static
from core.sentences.words import capital
from dashboard.figures.evidence import dots
from dashboard.figures.units import places, words
from dashboard.figures.vega import STATED
from dashboard.pages.units.texts import CITED, MEASURE_TAB, MEASURED, NOT_CHECKED, PREDICTS, PUSHES, RULE
from dashboard.runs.units import Units
from dashboard.screen.markdown import escape
from dashboard.screen.shown import Picture, Shown

N_WORDS = 8


def draw_panel(shown: Shown, units: Units, u: int) -> None:
    """Draw what a unit takes and does.

    Args:
        shown: record of the page.
        units: units of the network.
        u: row of the unit.
    """
    kept, unit, input = units.kept, units.unit, units.input
    if units.is_stated:
        st.caption(NOT_CHECKED.format(stated=STATED, tab=MEASURE_TAB))
    named = f"**{escape(capital(units.label(u)))}.** " if units.name_of(u) else ""
    st.markdown(named + escape(say_rule(kept, u, unit, input)))
    if does_nothing(kept, u):
        return
    rule = units.words_of_rule(u)
    if len(rule):
        amounts = list_amounts(rule["word"].tolist(), rule["lift"].to_numpy())
        st.caption(escape(RULE.format(rule=kept["rules"][u], words=amounts)))
    highest = "score a" if input == "place" else "activation"
    st.caption(escape(PREDICTS.format(unit=unit, sample=units.sample, highest=highest)))
    draw_inputs(shown, units, u)
    st.markdown(escape(say_effect(kept, u, units.classes, unit, input)))
    if input == "word" and (taken := most_taken(kept, u, 1)):  # no word may be frequent in texts of one's own
        st.caption(escape(PUSHES.format(unit=unit, word=taken[0])))
    draw_effect(shown, units, u)
    st.caption(escape(say_static(kept, u, input)))
    if units.stability is not None:
        st.caption(escape(say_stability(units.stability, u, unit)))
    if (near := nearest(kept, u)) is not None:
        st.caption(escape(f"What it takes is most like {units.label(near[0])} (correlation {near[1]:.2f})."))
    says = CITED.format(unit=unit, input=input, sample=units.sample) + MEASURED.format(data=units.data)
    shown.pictures[capital(f"{unit} {units.numbers[u]}")] = Picture(list(shown.figures), says)


def draw_effect(shown: Shown, units: Units, u: int, of: str = "", domain: tuple[float, float] | None = None) -> None:
    """Draw the effect of a unit on the classes as dots with intervals.

    Args:
        shown, units, u: as in ``draw_panel``.
        of: end of the title in the export menu.
        domain: as in ``dots``.
    """
    title = f"Effect of {units.unit} {units.numbers[u]}{of}"
    figure = dots(effects(units, u), "points with the unit, minus without it", "no effect", domain)
    shown.draw_chart(title, figure, title)


def draw_inputs(shown: Shown, units: Units, u: int, of: str = "") -> None:
    """Draw the words that a unit takes most as bars, or the places as a heat map. of: as in ``draw_effect``."""
    title = f"{capital(units.input)}s that {units.unit} {units.numbers[u]}{of} takes"
    grid = units.places(u)
    if grid is not None:
        shown.draw_heatmap(title, places(grid), "places")
        return
    table = units.words(u, N_WORDS)
    if len(table):
        shown.draw_chart(title, words(table), f"{title}: {', '.join(table['word'])}")


def effects(units: Units, u: int) -> pd.DataFrame:
    """One row per class with the effect of a unit in points, as ``figures.evidence.dots`` takes it."""
    table = units.effects()
    names = {"class": "label", "effect": "value", "effect_low": "low", "effect_high": "high"}
    own = table[table["number"] == units.numbers[u]].rename(columns=names)
    return own.assign(is_own=False, stated=units.is_stated)
