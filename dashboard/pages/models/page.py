"""The Models page: all checkpoints compared with their papers, the files of one, and models that the user adds."""

from pathlib import Path

import streamlit as st

from dashboard.pages.models.adding import draw_adding
from dashboard.pages.models.details import draw_files, draw_training
from dashboard.pages.models.evidence import draw_evidence
from dashboard.pages.models.heads import draw_heads
from dashboard.pages.models.overview import draw_accuracies, draw_table, summarize
from dashboard.pages.models.own import draw_own
from dashboard.pages.models.removing import draw_removing
from dashboard.pages.models.texts import QUESTION, TRAIN
from dashboard.runs import checkpoints
from dashboard.runs.files import model_files
from dashboard.screen.checkpoint import choose_checkpoint, draw_about
from dashboard.screen.links import draw_page_link
from dashboard.screen.markdown import escape
from dashboard.screen.measuring import draw_progress, offer_measuring
from dashboard.screen.settings import choose_device
from dashboard.screen.skeleton import draw_open_tab, draw_screen, make_tabs

TABS = ("Card", "Training", "Evidence", "Files", "All models", TRAIN, "Your transformer")


def page() -> None:
    screen = draw_screen("Models", QUESTION, Path(__file__).parent)
    with screen.actions:
        draw_adding()
    with screen.tabs:
        above, tabs = st.container(), make_tabs(*TABS)
    if tabs[TRAIN].open:  # the other networks would take the room of the form
        draw_open_tab(tabs, {TRAIN: lambda: draw_own(choose_device())})
        return
    with above, st.container(horizontal=True, vertical_alignment="center", gap="medium", key="chosen"):
        name = choose_checkpoint(list(checkpoints.known()), first="dragg-sst5")
        draw_page_link(name, "Open in its page")
        draw_removing(name)
    with screen.input:
        st.markdown(escape(summarize()))
    with screen.picture:
        draw_accuracies(name)
    files = model_files(name)
    sections = (
        lambda: draw_about(name),
        lambda: draw_training(name, files),
        lambda: draw_evidence(name),
        lambda: draw_files(name, files),
        draw_table,
        lambda: None,
        lambda: draw_heads(choose_device()),
    )
    with above:
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            offer_measuring(name)
        draw_progress(name)
    draw_open_tab(tabs, dict(zip(TABS, sections, strict=True)))


page()
