"""The texts that units are measured on: those of the network, or a file of the user, which is measured here."""

import streamlit as st

from dashboard.jobs import own_units
from dashboard.jobs.own_units import UnitsJob
from dashboard.pages.units.texts import FILE, HELD_OUT, HOW_MEASURED, IN_ARCHIVE, MEASURE, PRIVATE, SPLIT
from dashboard.runs import checkpoints, sources
from dashboard.runs.own_units import by_number
from dashboard.runs.units import Units, units_of, units_on
from dashboard.screen.inputs import choose_option
from dashboard.screen.markdown import escape, escape_error
from dashboard.screen.settings import choose_device
from dashboard.screen.waits import in_words
from dashboard.sessions.uploads import read_upload

REFRESH = 1.0  # seconds
MAX_MEGABYTES = 20  # largest size of a file


def choose_corpus(name: str) -> Units | None:
    """The units of a network: on the user's texts if they are measured and chosen; None if there are none at all."""
    job, units = own_units.units_job(), units_of(name)
    if job.take():
        st.rerun()  # to update the button and the bar
    own = job.measured_on(name)
    if own is None:
        return units
    reading = units.reading if units and not units.is_stated else None
    on_file = units_on(name, own.kept, reading, by_number(own.shown))
    if units is None or on_file is None:
        return on_file or units
    known = IN_ARCHIVE if units.is_stated else SPLIT if units.shown is None else HELD_OUT
    return on_file if choose_option([FILE, known], "Measured on", "measured", bare=True) == FILE else units


def draw_measuring(name: str) -> None:
    """Let the user upload a file and choose its column, and measure the units of a network on its texts."""
    job = own_units.units_job()
    st.caption(HOW_MEASURED)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        how = {"help": PRIVATE, "width": 300, "max_upload_size": MAX_MEGABYTES}
        upload = st.file_uploader("Your texts", key="units upload", **how)  # any type: an error says what is wrong
        path = None
        try:
            if upload:
                path = job.upload.keep(upload.file_id, upload.name, read_upload(upload, MAX_MEGABYTES))
                columns = sources.column_names(path)
                if not columns:
                    raise ValueError(f"{path.name} has no column.")
                likely = columns.index(sources.likely_column(path, columns))
                column = st.selectbox("Column of the texts", columns, likely, width=200) or columns[0]
            look = {"icon": ":material/play_arrow:", "disabled": path is None or job.runs}
            if st.button(MEASURE, key="measure units", **look) and path:
                job.start(path, column, name, choose_device())
                st.rerun()  # to update the buttons
        except (ValueError, OSError) as error:
            st.error(escape_error(error), icon=":material/error:")
        stop = {"icon": ":material/stop:", "disabled": not job.runs, "on_click": job.cancel}
        st.button("Cancel", key="cancel units", **stop)
    st.fragment(_draw_progress, run_every=REFRESH if job.runs else None)(job, job.runs)


def _draw_progress(job: UnitsJob, ran: bool) -> None:
    """Draw the progress or the error. ran: whether the measurement ran when the page was drawn."""
    if ran and not job.runs:
        st.rerun()  # to show what was measured
    if job.runs:
        (share, state), left = job.state, job.left
        when = f", {in_words(left)}" if left is not None else ""
        title = escape(checkpoints.title(job.name) if job.name in checkpoints.known() else job.name)
        st.progress(share, f"Measuring the units of {title}: {state}{when}")
    elif job.failed:
        st.error(escape_error(f"The measurement stopped early: {job.failed}"), icon=":material/error:")
