"""Dynamic routing on one text: how words, or the sentences of a document, come to agree on capsules."""

from pathlib import Path

from dashboard.components import pin_button, slider
from dashboard.pages.routing.documents import add_tables, draw_sentence
from dashboard.pages.routing.heatmaps import draw_classes, draw_couplings, draw_history, draw_progress
from dashboard.pages.routing.measured import draw_trainings
from dashboard.pages.routing.texts import FORMULA, QUESTION, SOURCE, not_shown
from dashboard.pages.routing.what_if import subject_of
from dashboard.runs import checkpoints
from dashboard.screen.does_it_hold import draw_does_it_hold
from dashboard.screen.examples import texts_for
from dashboard.screen.export import draw_export_menu
from dashboard.screen.inputs import (
    choose_cell,
    choose_checkpoint,
    choose_device,
    choose_largest_count,
    choose_twin,
    count_picks,
    enter_text,
    offer_share_link,
)
from dashboard.screen.outputs import draw_formula, draw_limits, run_models
from dashboard.screen.pins import pin_run
from dashboard.screen.shown import Shown
from dashboard.screen.skeleton import draw_open_tab, draw_screen, make_tabs, open_or_first
from dashboard.whatif.tab import draw_what_if


def page() -> None:
    screen = draw_screen("Dynamic routing", QUESTION, Path(__file__).parent)
    device, name = choose_device(), choose_checkpoint(checkpoints.shown_on("routing"), first="dragg-sst5")
    about = checkpoints.about(name)
    trained = about.model["n_iters"]
    with screen.controls:
        n_iters = choose_largest_count(trained)
        names = [name, *choose_twin(name)]
    with screen.input:
        text = enter_text(*texts_for(about.corpus))
        full_traces = run_models(names, device, text, n_iters)
    traces = [trace.first(n_iters) for trace in full_traces]
    is_document = checkpoints.record_of(name).ranked_unit == "sentence"
    routed = [trace.of_sentences() for trace in traces] if is_document else traces
    shown, unit = Shown(), "sentence" if is_document else "word"
    with screen.verdict:
        draw_classes(shown, traces, trained)
    of_documents = {"One sentence": lambda: draw_sentence(shown, full_traces, traces, text, cell.word, trained)}
    sections = {
        "One cell": lambda: draw_history(shown, routed, cell),
        **(of_documents if is_document else {}),
        "Iterations": lambda: draw_progress(shown, routed, unit),
        "What if": lambda: draw_what_if(subject_of(name, device, text, n_iters, full_traces[0], cell)),
        "Does it hold?": lambda: draw_does_it_hold(shown, name, device, text),
        "Measured": lambda: draw_trainings(shown),
        "Formula": lambda: draw_formula(FORMULA, SOURCE),
        "Numbers": lambda: shown.draw_tables(traces),
    }
    with screen.tabs:
        tabs = make_tabs(*sections)
        with open_or_first(tabs, "One cell", "What if"):
            cell = choose_cell(routed[0].inputs_to_capsules.coupling, routed[0].tokens, unit, f"{name} {text}")
    with screen.picture:
        draw_couplings(shown, routed, text, unit, cell)
    with screen.tabs:
        if is_document:
            add_tables(shown, full_traces, traces, cell.word)
        with screen.scrubber:
            picked = cell.word * routed[0].inputs_to_capsules.coupling.shape[2] + cell.capsule
            shown.draw_scrubber(slider(n_iters, signals={"picked": picked, "turn": count_picks(cell)}))
        draw_open_tab(tabs, sections)
    draw_limits(screen.limits, not_shown(unit, trained))
    with screen.actions:
        offer_share_link({"text": text})
        pin_button(lambda address: pin_run("routing", name, text, address))
        draw_export_menu(shown, "Dynamic routing", traces, repr(text), n_iters)


page()
