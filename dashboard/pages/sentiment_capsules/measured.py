"""The paper's claims with our measurements."""

import streamlit as st

from dashboard.runs import checkpoints, ledger
from dashboard.screen.shown import Shown
from dashboard.screen.trainings import draw_claims


def draw_measured(shown: Shown) -> None:
    """Draw the claims of the paper of EM routing, on texts and on pictures of toys."""
    claims = ledger.claims()
    st.header("What the paper found, and what these networks show")
    draw_claims(shown, claims[(claims["paper"] == "EM routing") & (claims["file"] != "")])
    st.caption(
        "The networks em-sst5 and em-sst2 read the transformer all-MiniLM-L6-v2, and em-lm-sst5 and em-lm-sst2 read "
        "SmolLM2, a language model in 4 bits. The paper's networks read GPT-2 large, which is thirty times as large "
        "as MiniLM and six times as large as SmolLM2. We judge the claims on poses with em-smallnorb, which was "
        "trained for the class only, on rendered toys. The page smallNORB opens on em-smallnorb-views, whose poses "
        "were trained to hold the direction as well."
    )


def draw_waiting() -> None:
    """Say which networks wait for a package, how good they are, and how to install it."""
    waiting, command = checkpoints.waiting()
    if waiting:
        shares = ", ".join(f"{about.metrics.test.accuracy:.1%} with {len(about.classes)} classes" for about in waiting)
        st.markdown(
            "There are more networks of this kind. They read SmolLM2, a language model in 4 bits, as the paper's "
            f"networks read one. Test accuracy: {shares}. They are in the menu after this command and a restart:"
        )
        st.code(command, language="sh")
