"""The section that trains an EM head over a user's transformer in the background."""

import streamlit as st

from dashboard.jobs import heads, saved
from dashboard.jobs.heads import HeadJob
from dashboard.pages.models.texts import HEADS, NO_TEXTS, TRANSFORMERS
from dashboard.runs import checkpoints
from dashboard.screen.links import draw_page_link
from dashboard.screen.markdown import escape, escape_error
from dashboard.screen.outputs import go_on_after_error

REFRESH = 1.0  # seconds
MAX_NAME = 40  # characters


def draw_heads(device: str) -> None:
    """Draw the inputs and buttons of the training, its progress, and a link to the trained network."""
    training = heads.head_training()
    if training.take():
        st.rerun()  # to update the menus of checkpoints
    st.text(HEADS.replace("\n", " "))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        transformer = st.selectbox("Transformer", list(heads.transformers()), key="transformer", width=260)
        n_classes = st.selectbox("Classes", heads.N_CLASSES, key="classes", width=110)
        name = st.text_input("Name", "my-head", MAX_NAME, key="head name", width=200)
        icon, disabled = ":material/play_arrow:", training.runs or not name or not heads.has_texts()
        if st.button("Train", icon=icon, disabled=disabled, key="train head") and transformer:
            with go_on_after_error():
                training.start(transformer, n_classes or 5, name or "my-head", device)
                st.rerun()
        stop = {"icon": ":material/stop:", "disabled": not training.runs, "on_click": training.cancel}
        st.button("Cancel", key="cancel head", **stop)
    if not heads.has_texts():
        st.caption(NO_TEXTS)
    st.caption(TRANSFORMERS.replace("\n", " "))
    st.fragment(_draw_progress, run_every=REFRESH if training.runs else None)(training, training.runs)


def _draw_progress(training: HeadJob, ran: bool) -> None:
    """Draw the progress or the result. ran: whether the training ran when the page was drawn."""
    if ran and not training.runs:
        st.rerun()  # to update the buttons and show the trained network
    if training.runs:
        share, state = training.state
        st.progress(share, f"{training.name}: {state}")
    elif training.failed:
        st.error(escape_error(f"The training stopped early: {training.failed}"), icon=":material/error:")
    elif training.trained_name in checkpoints.known():
        test = checkpoints.about(training.trained_name).metrics.test
        low, high = test.interval or (0, 0)
        keep = "save" if saved.may_save() else "download"
        st.success(
            f"{escape(training.trained_name)} is trained: {test.accuracy:.1%} of {test.n:,} test sentences are right "
            f"(95% interval {low:.1%} to {high:.1%}). It is kept for this session only; {keep} it under Add a model.",
            icon=":material/check:",
        )
        draw_page_link(training.trained_name)
