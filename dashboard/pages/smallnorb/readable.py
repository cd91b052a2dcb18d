"""How well directions can be read off the poses of the test toys, measured once."""

import numpy as np
import pandas as pd
import streamlit as st

from dashboard import runs
from dashboard.figures.readable import read_off
from dashboard.pages.smallnorb.turning import HOW_MEASURED
from dashboard.pages.smallnorb.views import TURNS
from dashboard.runs import pictures as picture_runs
from dashboard.shared.markdown import escape
from dashboard.shared.shown import Shown


def draw_readable(shown: Shown, name: str) -> None:
    """Draw how well directions can be read off the poses, or the command that measures it.

    Args:
        name: of the checkpoint.
    """
    r2 = _r2(name)
    if r2 is None:
        st.caption(f"What can be read off a pose appears here once it has been measured: `{HOW_MEASURED}`.")
        return
    st.caption(
        "R² of ridge regression from the true class's 4 × 4 pose, tested on toys that it was not fitted to (5 toys a "
        "category), beside the same from the pictures, shrunk to 12 × 12. Azimuth: the mean over its sine and cosine. "
        f"Measured on {escape(str(runs.measured('poses', name)['data']))}, the test split."
    )
    charts = {f"R² of {direction}": read_off(values, list(picture_runs.CATEGORIES)) for direction, values in r2.items()}
    shown.draw_charts(charts, columns=2)


def add_table(shown: Shown, name: str) -> None:
    """Add the table of R², if it was measured for this checkpoint."""
    r2 = _r2(name)
    if r2 is not None:
        rows = [{"direction": turn, "category": picture_runs.CATEGORIES, **values} for turn, values in r2.items()]
        shown.add_table("R²", lambda: pd.concat(map(pd.DataFrame, rows)))


def _r2(name: str) -> dict[str, dict[str, np.ndarray]] | None:
    """R² [category] of each direction, from poses and from pixels."""
    measured = runs.measured("poses", name)
    if measured is None:
        return None
    sources = {"pose": measured["r2_poses"], "pixels": measured["r2_pixels"]}
    return {turn: {source: r2[:, k] for source, r2 in sources.items()} for k, turn in enumerate(TURNS)}
