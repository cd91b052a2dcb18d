"""What can be read off the poses of the test toys, measured once."""

import pandas as pd
import streamlit as st

from dashboard import runs
from dashboard.figures.readable import read_off
from dashboard.pages.smallnorb.views import TURNS
from dashboard.runs import pictures as picture_runs
from dashboard.shared.markdown import escape
from dashboard.shared.shown import Shown


def draw_readable(shown: Shown, name: str) -> None:
    """How well directions can be read off the poses, if it was measured. name: of the checkpoint."""
    measured = runs.measured("poses", name)
    if measured is None:
        return
    st.header("What can be read off a pose")
    st.caption(
        "Ridge regression from the true class's 4 × 4 pose, tested on toys that it was not fitted to (5 toys a "
        "category), beside the same from the pictures, shrunk to 12 × 12. Azimuth: the mean over its sine and cosine. "
        f"Measured on {escape(str(measured['data']))}, the test split."
    )
    charts, rows = {}, []
    for k, direction in enumerate(TURNS):
        r2 = {"pose": measured["r2_poses"][:, k], "pixels": measured["r2_pixels"][:, k]}
        charts[f"R² of {direction}"] = read_off(r2, list(picture_runs.CATEGORIES))
        rows.append({"direction": direction, "category": picture_runs.CATEGORIES, **r2})
    shown.draw_charts(charts, columns=2)
    shown.add_table("R²", lambda: pd.concat(map(pd.DataFrame, rows)))
