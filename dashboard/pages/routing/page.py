"""Dynamic routing on one text: how words, or the sentences of a document, agree on capsules."""

from dashboard.components.scrubber import slider
from dashboard.pages.routing.documents import add_tables, draw_sentence
from dashboard.pages.routing.heatmaps import draw_classes, draw_couplings, draw_history, draw_progress
from dashboard.pages.routing.measured import draw_trainings
from dashboard.pages.routing.texts import FORMULA, QUESTION, SOURCE, not_shown
from dashboard.pages.routing.what_if import subject_of
from dashboard.runs import checkpoints
from dashboard.screen.checkpoint import choose_twin
from dashboard.screen.inputs import choose_cell, choose_iterations, count_picks, texts_for
from dashboard.screen.outputs import draw_formula
from dashboard.screen.skeleton import draw_open_tab, make_tabs, open_or_first
from dashboard.screen.text_page import open_text_page
from dashboard.whatif.tab import draw_what_if


def page() -> None:
    frame = open_text_page("Dynamic routing", QUESTION, __file__, first="dragg-sst5")
    screen, shown, name, trained = frame.screen, frame.shown, frame.name, frame.about.model["n_iters"]
    with screen.controls:
        n_iters = choose_iterations(trained)
        twin = choose_twin(name)
    full_traces = frame.run(*texts_for(frame.about.corpus), n_iters=n_iters, also=twin)
    traces = [trace.first(n_iters) for trace in full_traces]
    unit = checkpoints.record_of(name).ranked_unit
    is_document = unit == "sentence"
    routed = [trace.of_sentences() for trace in traces] if is_document else traces
    with screen.verdict:
        draw_classes(shown, traces, trained)
    document_sections = {
        "One sentence": lambda cell: draw_sentence(shown, full_traces, traces, frame.text, cell.word, trained),
    }
    sections = {
        "One cell": lambda cell: draw_history(shown, routed, cell),
        **(document_sections if is_document else {}),
        "Iterations": lambda _: draw_progress(shown, routed, unit),
        "What if": lambda cell: draw_what_if(subject_of(name, frame.device, frame.text, n_iters, full_traces[0], cell)),
        "Does it hold?": frame.draw_does_it_hold,
        "Measured": lambda _: draw_trainings(shown),
        "Formula": lambda _: draw_formula(FORMULA, SOURCE),
        "Numbers": lambda _: shown.draw_tables(traces),
    }
    with screen.tabs:
        tabs = make_tabs(*sections)
        with open_or_first(tabs, "One cell", "What if"):
            cell = choose_cell(routed[0].inputs_to_capsules.coupling, routed[0].tokens, unit, f"{name} {frame.text}")
    with screen.picture:
        draw_couplings(shown, routed, frame.text, unit, cell, trained)
    with screen.tabs:
        if is_document:
            add_tables(shown, full_traces, traces, cell.word)
        with screen.scrubber:
            picked = cell.word * routed[0].inputs_to_capsules.coupling.shape[2] + cell.capsule
            shown.draw_scrubber(slider(n_iters, signals={"picked": picked, "turn": count_picks(cell)}))
        draw_open_tab(tabs, sections, cell)
    frame.end(traces, not_shown(unit, trained), n_iters)


page()
