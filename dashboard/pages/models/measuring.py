"""What has not been measured here of a checkpoint: one click measures it, where the data is at hand."""

import streamlit as st

from dashboard.jobs import measuring
from dashboard.jobs.measuring import Measurement
from dashboard.pages.models.texts import MEASURES
from dashboard.screen.markdown import escape, escape_error

REFRESH = 1.0  # seconds


def draw_measuring(name: str, device: str) -> None:
    """Draw a button for each thing that can be measured of a checkpoint on a device, or say why it cannot be."""
    measurement = measuring.measurement()
    if measurement.take():
        st.rerun()  # for everything that shows what was measured
    missing = measuring.unmeasured(name)
    why_not = measuring.why_not_here(name) if missing else ""
    if why_not:
        st.caption(f"Its {' and '.join(missing)} cannot be measured here. {escape(why_not)}")
    for what in missing if not why_not else ():
        start = {"on_click": measurement.start, "args": (what, name, device)}
        how = {"icon": ":material/speed:", "disabled": measurement.runs, "help": MEASURES[what]}
        st.button(f"Measure its {what}", key=f"measure {what}", **start, **how)


def draw_progress(name: str) -> None:
    """Draw the bar of what this session measures, or why it ended early."""
    measurement = measuring.measurement()
    st.fragment(_draw_progress, run_every=REFRESH if measurement.runs else None)(measurement, name, measurement.runs)


def _draw_progress(measurement: Measurement, name: str, ran: bool) -> None:
    if ran and not measurement.runs:
        st.rerun()  # for the buttons, and what was measured
    if measurement.runs:
        share, state = measurement.state
        st.progress(share, f"Measuring the {measurement.what} of {escape(measurement.name)}: {state}")
        st.button("Cancel", icon=":material/stop:", on_click=measurement.cancel, key="cancel measuring")
    elif measurement.failed and measurement.name == name:
        st.error(escape_error(f"The measurement stopped early: {measurement.failed}"), icon=":material/error:")
