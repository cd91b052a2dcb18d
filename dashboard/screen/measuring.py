"""Buttons that measure what is missing for a network, if its data is on this machine."""

import streamlit as st

from core.sentences.words import listed
from dashboard.jobs import measuring, saved
from dashboard.jobs.measuring import FEW, Measurement
from dashboard.runs.checkpoints import about
from dashboard.screen.markdown import escape, escape_error
from dashboard.screen.settings import choose_device
from dashboard.sessions.models import uploaded

REFRESH = 1.0  # seconds
MEASURES = {
    "accuracy": "Runs the whole official test split in the background. This takes a minute or two for most networks.",
    "badge": f"Deletes words of {FEW} test texts in the background. This takes a minute or two, for EM routing ten.",
    "evidence": "Deletes words of all test texts (at most 2,210) in the background. This takes hours.",
}

COMMAND = "This command measures it on {texts}: `python -m core evidence {name} --data {data}`."
NOT_SAVED = """Commands cannot see uploads that are not saved. Save the network first, under “Add a model”. Then
`python -m core evidence {name} --data {data}` measures it on {texts}."""
HELD_OUT = "the held-out texts of the file that it learned from"
NOT_SEEN = "Commands cannot see uploads that are not saved. Measure the network with its button, if there is one."


def how_to_measure(name: str) -> str:
    """A sentence on how the evidence of a network can be measured: by a command, if commands can see the network."""
    of_file = bool(about(name).examples)
    where = {"data": "FILE" if of_file else "DIR", "texts": HELD_OUT if of_file else "the official test split"}
    sentence = COMMAND if name not in uploaded() else NOT_SAVED if saved.may_save() else NOT_SEEN
    return sentence.format(name=name.replace("`", ""), **where)


def offer_measuring(name: str, *quantities: str, key: str = "") -> None:
    """Draw a button for each of these quantities that is missing, or say why it cannot be measured.

    Args:
        name: name of the checkpoint.
        quantities: keys of ``MEASURES``; all of them if none is given.
        key: end of the buttons' keys, if a page offers it twice.
    """
    measurement = measuring.measurement()
    if measurement.take():
        st.rerun()  # to update everything that shows the measurement
    missing = [what for what in measuring.unmeasured(name) if what in (quantities or MEASURES)]
    why_not = measuring.reason_not_to_measure(name) if missing else ""
    if why_not:
        st.caption(f"The {listed(missing)} of this network cannot be measured here. {escape(why_not)}")
        return
    for what in missing:
        start = {"on_click": measurement.start, "args": (what, name, choose_device())}
        look = {"icon": ":material/speed:", "disabled": measurement.runs, "help": MEASURES[what]}
        st.button(f"Measure its {what}", key=f"measure {what} {key}".strip(), **start, **look)


def draw_progress(name: str, key: str = "") -> None:
    """Draw the progress of this session's measurement, or the reason why it ended early. key: as above."""
    measurement, every = measuring.measurement(), REFRESH if measuring.measurement().runs else None
    st.fragment(_draw_progress, run_every=every)(measurement, name, measurement.runs, key)


def _draw_progress(measurement: Measurement, name: str, ran: bool, key: str) -> None:
    """Draw the progress or the error. ran: whether the measurement ran when the page was drawn."""
    if ran and not measurement.runs:
        st.rerun()  # to update the buttons and show the measurement
    if measurement.runs:
        share, state = measurement.state
        st.progress(share, f"Measuring the {measurement.quantity} of {escape(measurement.name)}: {state}")
        st.button("Cancel", icon=":material/stop:", on_click=measurement.cancel, key=f"cancel measuring {key}")
    elif measurement.failed and measurement.name == name:
        st.error(escape_error(f"The measurement stopped early: {measurement.failed}"), icon=":material/error:")
