"""A small sweep that the user can start and cancel."""

import pandas as pd
import streamlit as st

from core.datasets.made import MAX_DISTANCE, best_accuracy
from core.ledger.windows import UNITS
from dashboard.figures.curves import error_curves
from dashboard.jobs.small_sweep import N_SMALL, small_sweep
from dashboard.screen.markdown import escape_error
from dashboard.screen.shown import draw_figure


def draw_small_sweep() -> None:
    """Draw the finished rows of the sweep, and the buttons that start and cancel it."""
    st.header("A small sweep of your own")
    st.markdown(
        f"In generated texts *key* stands up to {MAX_DISTANCE} words before or after *lock*, and networks learn "
        "which. Only a window that holds both words can tell, so the lowest possible error is known for every "
        "window. The sweep runs in a separate process and takes minutes; all users of this server share one."
    )
    sweep = small_sweep()
    with st.container(horizontal=True):
        st.button("Start", icon=":material/play_arrow:", on_click=sweep.start, disabled=sweep.runs, key="start sweep")
        stop = {"icon": ":material/stop:", "on_click": sweep.cancel, "disabled": not sweep.may_cancel}
        help = "Only whoever started it can cancel it." if sweep.runs and not sweep.may_cancel else None
        st.button("Cancel", key="cancel sweep", help=help, **stop)
    st.fragment(_draw_progress, run_every=2 if sweep.runs else None)(sweep.runs)


def _draw_progress(ran: bool) -> None:
    """Draw the progress of the sweep.

    Args:
        ran: whether it was running when the page was drawn.
    """
    sweep = small_sweep()
    if ran and not sweep.runs:
        st.rerun()  # to update the buttons
    rows = sweep.rows()
    state = "running" if sweep.runs else "not running"
    state = sweep.place or state
    st.progress(len(rows) / N_SMALL, f"{len(rows)} of {N_SMALL} trainings, {state}")
    if sweep.failed:
        st.error(escape_error(f"The sweep stopped early: {sweep.failed}"), icon=":material/error:")
    if len(rows):
        best = pd.DataFrame({"unit": "best", "window": rows["window"].unique()})
        best["test"] = best["window"].map(best_accuracy)
        figure = error_curves(pd.concat([rows, best]), "unit", UNITS | {"best": "least possible"})
        draw_figure(figure, alt="Test error of the small sweep by window")
