"""k-means routing on one text, dynamic routing beside it, and the codes that word vectors are composed by."""

import streamlit as st

from core.traces.cccaps import CCCapsTrace
from dashboard import runs
from dashboard.components import scrubber
from dashboard.pages.kmeans.features import draw_couplings, draw_progress, draw_verdict
from dashboard.pages.kmeans.measured import draw_trainings
from dashboard.pages.kmeans.texts import FORMULA, NOT_SHOWN, SOURCE
from dashboard.pages.kmeans.word_codes import draw_code, draw_parameter_bill
from dashboard.pages.kmeans.words import draw_contributions
from dashboard.shared.examples import texts_for
from dashboard.shared.inputs import (
    choose_checkpoint,
    choose_device,
    choose_largest_count,
    choose_number,
    choose_twin,
    count_picks,
    enter_text,
    offer_share_link,
)
from dashboard.shared.outputs import draw_formula, run_models, side_by_side
from dashboard.shared.shown import Shown


def page() -> None:
    st.title("k-means")
    st.markdown(
        "Watch the sixteen feature capsules of a text divide themselves among the classes. k-means routing measures "
        "afresh in every iteration how well each points to a class; dynamic routing adds to its earlier agreement."
    )
    device = choose_device()
    name = choose_checkpoint("cccaps", first="cccaps-ag")
    about = runs.about(name)
    n_iters = choose_largest_count(runs.LARGEST_COUNT)
    trained = min(about.model["n_iters"], n_iters)
    names = [name, *choose_twin(runs.twin(name), "k-means beside dynamic routing")]
    text = enter_text(*texts_for(about.corpus))
    traces = [trace.first(n_iters) for trace in run_models(names, device, text, n_iters)]
    offer_share_link(text)
    shown = Shown()
    feature = draw_routing(shown, traces, n_iters, trained)
    draw_progress(shown, traces)
    draw_contributions(shown, traces, feature)
    draw_code(shown, traces[0], device)
    draw_parameter_bill(shown, about.model)
    draw_trainings(shown)
    draw_formula(FORMULA, SOURCE, NOT_SHOWN)
    shown.draw_downloads(traces)


def draw_routing(shown: Shown, traces: list[CCCapsTrace], n_iters: int, trained: int) -> int:
    """The heat maps under the scrubber; the feature capsule that is chosen, counted from 0."""
    controls = st.container(key="controls")  # stays in sight; filled once the capsule is known
    for trace in side_by_side(traces):
        draw_verdict(trace, trained)
        draw_couplings(shown.of(trace), trace, alone=len(traces) == 1)
    feature = choose_number(traces[0].features_to_classes.coupling.shape[1], "Feature capsule", "feature")
    with controls:
        scrubber(n_iters, signals={"picked": feature, "turn": count_picks(feature)}, start=trained)
    return feature


page()
