"""A unit in the user's text: its words shaded, how active it is there, and what it does to the answer."""

import streamlit as st

from core.sentences.unit_text import say_activation, say_shares, say_without
from dashboard.components.shading import shading
from dashboard.pages.units.texts import SHADED
from dashboard.runs import checkpoints
from dashboard.runs.unit_texts import unit_in_text
from dashboard.runs.units import Units
from dashboard.screen.inputs import enter_text, texts_for
from dashboard.screen.markdown import escape
from dashboard.screen.outputs import go_on_after_error
from dashboard.screen.settings import choose_device
from dashboard.screen.shown import Shown


def draw_own_text(shown: Shown, units: Units, u: int) -> None:
    """Let the user type a text, shade what a unit takes from its words, and say how active the unit is in it."""
    text = enter_text(*texts_for(checkpoints.about(units.name)))
    with go_on_after_error(), st.spinner("Reading the text …"):  # the first run loads the network
        run = unit_in_text(units, u, choose_device(), text)
        quantiles, n = units.kept["activation"][u], int(units.kept["n"][0])
        says = [
            say_activation(run.activation, quantiles, n, f"{units.sample}s"),
            say_shares(run.words, run.shares),
            say_without(run.before, run.without, units.classes),
        ]
        largest = float(run.shares.max()) or 1.0
        shades = (run.shares / largest)[None, :, None]
        shown.add(shading("own text", run.text, run.spans, shades, [[f"{units.unit} {units.numbers[u]}"]]))
        st.markdown(escape(" ".join(says)))
        st.caption(SHADED)
