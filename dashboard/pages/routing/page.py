"""Dynamic routing on one text: how words, or the sentences of a document, come to agree on capsules."""

import streamlit as st

from core.traces.dragg import OneRoutingTrace
from dashboard import runs
from dashboard.components import scrubber
from dashboard.pages.routing.documents import draw_effects, draw_words_of_sentence
from dashboard.pages.routing.heatmaps import draw_couplings, draw_history, draw_progress, draw_shaded_text
from dashboard.pages.routing.measured import draw_trainings
from dashboard.pages.routing.texts import FORMULA, SOURCE, not_shown
from dashboard.shared.examples import texts_for
from dashboard.shared.inputs import (
    Cell,
    choose_cell,
    choose_checkpoint,
    choose_device,
    choose_largest_count,
    choose_twin,
    count_picks,
    enter_text,
    offer_share_link,
)
from dashboard.shared.outputs import draw_formula, draw_verdict, run_models, side_by_side
from dashboard.shared.shown import Shown


def page() -> None:
    st.title("Routing")
    reviews = ", or the sentences of a review," if runs.models("dragg-documents") else ""
    st.markdown(
        f"Watch the words of a sentence{reviews} agree, iteration by iteration, on the capsules that decide its class."
    )
    device = choose_device()
    name = choose_checkpoint("dragg", "dragg-documents", first="dragg-sst5")
    about = runs.about(name)
    trained = about.model["n_iters"]
    n_iters = choose_largest_count(trained)
    names = [name, *choose_twin(runs.twin(name), "Standard beside reversed")]
    text = enter_text(*texts_for(about.corpus))
    full_traces = run_models(names, device, text, n_iters)
    offer_share_link(text)
    traces = [trace.first(n_iters) for trace in full_traces]
    is_document = about.kind == "dragg-documents"
    routed = [trace.of_sentences() for trace in traces] if is_document else traces
    unit = "sentence" if is_document else "word"
    shown = Shown()
    cell = draw_routing(shown, routed, unit, n_iters)
    if is_document:
        draw_effects(shown, full_traces, text, n_iters, trained)
        draw_words_of_sentence(shown, traces, text, cell.word)
    else:
        draw_shaded_text(routed, text)
    draw_progress(shown, routed, unit)
    draw_trainings(shown)
    draw_formula(FORMULA, SOURCE, not_shown(unit, trained))
    shown.draw_downloads(traces)


def draw_routing(shown: Shown, traces: list[OneRoutingTrace], unit: str, n_iters: int) -> Cell:
    """The heat maps and the history of the cell that is chosen in them, under the scrubber; the cell."""
    controls = st.container(key="controls")  # stays in sight; filled once the cell is known
    for trace in side_by_side(traces):
        draw_verdict(trace)
        draw_couplings(shown.of(trace), trace, unit)
    n_capsules = traces[0].inputs_to_capsules.coupling.shape[2]
    cell = choose_cell(traces[0].tokens, n_capsules, unit)
    with controls:
        scrubber(n_iters, signals={"picked": cell.word * n_capsules + cell.capsule, "turn": count_picks(cell)})
    for trace in side_by_side(traces):
        draw_history(shown.of(trace), trace, cell)
    return cell


page()
