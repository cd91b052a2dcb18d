"""Two EM routings over a frozen transformer: parts of text to parts of meaning, and those to classes."""

import streamlit as st

from core.traces.em import EMTextTrace
from dashboard import runs
from dashboard.components import scrubber
from dashboard.figures.em import QUANTITIES
from dashboard.pages.sentiment_capsules.classes import draw_classes, draw_gaussians, draw_progress
from dashboard.pages.sentiment_capsules.parts import draw_part
from dashboard.pages.sentiment_capsules.texts import EXAMPLES, FORMULA, NOT_SHOWN, SOURCE
from dashboard.pages.sentiment_capsules.words import draw_credit
from dashboard.shared.inputs import (
    choose_checkpoint,
    choose_device,
    choose_largest_count,
    choose_option,
    choose_part,
    count_picks,
    enter_text,
    offer_share_link,
)
from dashboard.shared.outputs import draw_formula, draw_verdict, run_models
from dashboard.shared.shown import Shown


def page() -> None:
    st.title("Sentiment capsules")
    st.markdown(
        "Watch the hidden states of a frozen transformer, every layer of every word, agree on parts of meaning, and "
        "the parts on a class, by “bang per bit”: what an output gains from the data it uses minus what it pays for "
        "the data it ignores."
    )
    device = choose_device()
    name = choose_checkpoint("em-sst", first="em-sst5")
    trained = runs.about(name).model["n_iters"]
    n_iters = choose_largest_count(trained)
    text = enter_text(EXAMPLES)
    (full_trace,) = run_models([name], device, text, n_iters)
    trace = full_trace.first(n_iters)
    offer_share_link(text)
    controls = st.container(key="controls")  # stays in sight; filled once the part is known
    draw_verdict(trace)
    shown = Shown()
    draw_credit(shown, trace)
    part, quantity = choose_part_and_quantity(full_trace.first(trained), subject=f"{name} {text}")
    with controls:
        scrubber(n_iters, signals={"picked": part, "turn": count_picks(part)})
    draw_part(shown, trace, part, quantity)
    draw_classes(shown, trace)
    draw_gaussians(shown, trace, part)
    draw_progress(shown, trace)
    draw_formula(FORMULA, SOURCE, NOT_SHOWN.format(trained=trained))
    shown.draw_downloads([trace])


def choose_part_and_quantity(trace: EMTextTrace, subject: str) -> tuple[int, str]:
    """The part that is looked at, and the quantity shown of it."""
    st.header("Which words and layers feed a part")
    st.caption("A part is a capsule between the words and the classes. Choose one here or click it below.")
    left, right = st.columns([1, 3], vertical_alignment="bottom")
    with left:
        part = choose_part(trace, subject)
    with right:
        quantity = choose_option(list(QUANTITIES), "Shown", "show")
    return part, quantity


page()
