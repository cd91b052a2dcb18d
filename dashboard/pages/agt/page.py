"""AGT on one sentence: what each layer attends to, what it composes, what its gates let through."""

import streamlit as st

from core.analysis.phrases import SELECTED, selected
from dashboard import runs
from dashboard.components import scrubber
from dashboard.pages.agt.ablation import draw_ablation
from dashboard.pages.agt.layers import draw_attention, draw_composed, draw_layers, draw_shaded_sentence
from dashboard.pages.agt.split import draw_split
from dashboard.pages.agt.texts import EXAMPLES, FORMULA, NOT_SHOWN, SOURCE
from dashboard.shared.inputs import IN_ADDRESS, choose_checkpoint, choose_device, enter_text, offer_share_link
from dashboard.shared.outputs import draw_formula, draw_verdict, run_models
from dashboard.shared.shown import Shown


def page() -> None:
    st.title("AGT")
    st.markdown(
        "Watch a sentence being composed: every layer of an attention gated transformation network attends to the same "
        "words in its own way, and its gates decide how much of that enters."
    )
    device = choose_device()
    name = choose_checkpoint("agt", first="agt-sst5")
    threshold = choose_threshold()
    text = enter_text(EXAMPLES)
    (trace,) = run_models([name], device, text)
    offer_share_link(text)
    with st.container(key="controls"):
        scrubber(trace.n_steps, "Layer", param="layer", address="layer")
    draw_verdict(trace)
    shown = Shown()
    chosen = selected(trace.attention, threshold)
    draw_attention(shown, trace, chosen, threshold)
    draw_shaded_sentence(trace, text, chosen)
    draw_composed(shown, trace, chosen, threshold)
    draw_layers(shown, trace, runs.measured("selections", name))
    draw_split(shown, name, chosen, trace.n_steps)
    draw_ablation(shown)
    draw_formula(FORMULA, SOURCE, NOT_SHOWN)
    shown.draw_downloads([trace])


def choose_threshold() -> float:
    """The share of its layer's largest attention above which a word is selected."""
    help = "The share of its layer's largest attention above which a word is selected; .95 in the paper."
    return st.sidebar.slider("Selected above", 0.5, 0.99, SELECTED, 0.01, key="threshold", help=help, **IN_ADDRESS)


page()
