"""The paper's claims with our measurements."""

import streamlit as st

from dashboard.runs import ledger
from dashboard.screen.shown import Shown
from dashboard.screen.trainings import draw_claims


def draw_measured(shown: Shown) -> None:
    """Draw the claims of the paper of EM routing, on texts and on pictures of toys."""
    claims = ledger.claims()
    st.header("What the paper found, and what these networks show")
    draw_claims(shown, claims[(claims["paper"] == "EM routing") & (claims["file"] != "")])
    st.caption(
        "These networks read the transformer all-MiniLM-L6-v2. The paper's networks read GPT-2 large, which is thirty "
        "times as large. We judge the claims on poses with the network of the smallNORB page, whose toys are rendered."
    )
