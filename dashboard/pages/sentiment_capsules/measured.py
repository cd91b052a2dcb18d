"""What the paper claims, beside what was measured here."""

import streamlit as st

from dashboard import runs
from dashboard.shared.shown import Shown
from dashboard.shared.trainings import draw_claims


def draw_measured(shown: Shown) -> None:
    """Draw the claims of the paper of EM routing, on texts and on pictures of toys."""
    claims = runs.claims()
    st.header("What the paper found, and what these networks show")
    draw_claims(shown, claims[claims["paper"] == "EM routing"])
    st.caption(
        "These networks read all-MiniLM-L6-v2, the paper's GPT-2 large, which is thirty times as large. The claims on "
        "pictures are about the smallNORB page's network, whose toys are rendered. Accuracy by number of iterations, "
        "with other couplings and without each part is on the page Evidence, once it is measured."
    )
