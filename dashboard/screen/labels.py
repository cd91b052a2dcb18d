"""The label of a held-out text in the user's file, next to the network's answer."""

import streamlit as st

from core.manifest import Manifest
from dashboard.screen.markdown import escape

OPENED_LABEL = "opened label"  # key, in the session state, of a network, a text that it gets wrong, and its label
DIFFERS = "Your file labels this text “{label}”. The network answers “{answer}”."


def draw_label(about: Manifest, text: str, answer: str) -> None:
    """Say so if the answer to a held-out text differs from its label in the file that the network learned from.

    Args:
        about: description of the network.
        text: text of the run.
        answer: its answer.
    """
    name, opened, of_opened = st.session_state.get(OPENED_LABEL, ("", "", ""))
    label = of_opened if (name, opened) == (about.name, text) else about.labels.get(text, answer)
    if label != answer:
        st.caption(escape(DIFFERS.format(label=label, answer=answer)))
