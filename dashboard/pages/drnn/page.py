"""DRNN on one text: what every window of words says, and which words carry it."""

import streamlit as st

from core.analysis.windows import decisive_words
from dashboard import runs
from dashboard.components import scrubber
from dashboard.pages.drnn.measured import draw_trainings
from dashboard.pages.drnn.small_sweep import draw_small_sweep
from dashboard.pages.drnn.texts import FORMULA, NOT_SHOWN, SOURCE
from dashboard.pages.drnn.windows import draw_carried, draw_classes, draw_verdict, draw_wins
from dashboard.shared.examples import texts_for
from dashboard.shared.inputs import IN_ADDRESS, choose_checkpoint, choose_device, enter_text, offer_share_link
from dashboard.shared.outputs import draw_formula, run_models
from dashboard.shared.shown import Shown


def page() -> None:
    st.title("DRNN")
    st.markdown(
        "Watch how many words in a row a decision takes. A disconnected recurrent network reads the last k words at "
        "every position and forgets the rest; this page shows its answer for every window at once."
    )
    device = choose_device()
    name = choose_checkpoint("drnn", first="drnn-ag")
    largest = runs.largest_window()
    n_windows = st.sidebar.slider("Largest window", 1, largest, largest, key="most", **IN_ADDRESS)
    text = enter_text(*texts_for(runs.about(name).corpus))
    (trace,) = run_models([name], device, text)
    offer_share_link(text)
    trace = trace.first(n_windows)
    trained = min(trace.window, n_windows)
    with st.container(key="controls"):
        scrubber(n_windows, "Window, words", param="window", address="window", start=trained)
    draw_verdict(trace)
    shown = Shown()
    by_window = zip(trace.evidence, trace.probabilities, strict=True)
    carried = [decisive_words(evidence, classes, k) for k, (evidence, classes) in enumerate(by_window, 1)]
    draw_classes(shown, trace, carried)
    draw_wins(shown, trace, carried)
    draw_carried(trace, text, carried)
    draw_trainings(shown)
    draw_small_sweep()
    draw_formula(FORMULA, SOURCE, NOT_SHOWN)
    shown.draw_downloads([trace])


page()
