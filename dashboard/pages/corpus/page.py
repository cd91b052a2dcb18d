"""My texts: runs of many texts through a network, from a test split or a user's file."""

from pathlib import Path

import streamlit as st

from core.datasets import corpus_of
from dashboard.jobs import corpus
from dashboard.pages.corpus.kept import draw_kept
from dashboard.pages.corpus.results import draw_results
from dashboard.pages.corpus.sources import choose_second, choose_source
from dashboard.pages.corpus.texts import FILE, NO_FILE, QUESTION, TITLE
from dashboard.runs import checkpoints
from dashboard.screen.checkpoint import choose_checkpoint
from dashboard.screen.outputs import stop_on_error
from dashboard.screen.settings import choose_device
from dashboard.screen.skeleton import draw_screen


def page() -> None:
    screen = draw_screen(TITLE, QUESTION, Path(__file__).parent)
    device, workspace = choose_device(), corpus.workspace()
    runs_now = workspace.run is not None and workspace.run.runs
    with screen.input, st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        name = choose_checkpoint(checkpoints.readers_of_text(), first="dragg-reversed-sst5")
    with screen.input, st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        read = choose_source(name)
        names = [name, *choose_second(name)]
        start = st.button("Start", icon=":material/play_arrow:", disabled=read is None or runs_now, key="start corpus")
        st.button(
            "Cancel", icon=":material/stop:", on_click=workspace.cancel, disabled=not runs_now, key="cancel corpus"
        )
    if start and read:
        with screen.input, stop_on_error():
            workspace.start(read(), names, device)
        st.rerun()  # to update the buttons
    with screen.picture:
        if workspace.run:
            draw_results(workspace.run)
        else:
            is_file = st.session_state.get("texts") == FILE
            if is_file:
                st.caption(NO_FILE)
            if not is_file or corpus_of(checkpoints.about(name).corpus) is None:  # that has no split to choose
                draw_kept(names)


page()
