"""Dynamic routing on one text: how words, or the sentences of a document, agree on capsules."""

from core.edits import SetCoupling
from dashboard.pages.routing.documents import add_tables, draw_sentence
from dashboard.pages.routing.heatmaps import draw_cell, draw_classes, draw_couplings, draw_progress, picked_cells
from dashboard.pages.routing.measured import draw_trainings
from dashboard.pages.routing.texts import FORMULA, QUESTION, SOURCE, not_shown
from dashboard.pages.routing.what_if import subject_of
from dashboard.runs import checkpoints
from dashboard.runs.checkpoints import MAX_ITERATIONS
from dashboard.runs.deciding import deciding_capsule
from dashboard.screen.checkpoint import choose_twin, draw_about
from dashboard.screen.inputs import Cell, choose_cell, choose_iterations, count_picks, texts_for
from dashboard.screen.skeleton import draw_open_tab, make_tabs
from dashboard.whatif.causes import draw_causes, shows_effects
from dashboard.whatif.effect import draw_effect
from dashboard.whatif.text_page import open_text_page


def page() -> None:
    frame = open_text_page("Dynamic routing", QUESTION, __file__, first="dragg-reversed-sst5")
    screen, shown, name, trained = frame.screen, frame.shown, frame.name, frame.about.model["n_iters"]
    with screen.controls:
        n_iters = choose_iterations(trained, MAX_ITERATIONS)
        twin = choose_twin(name)
        frame.choose_trainings()
    full, *others = frame.run(*texts_for(frame.about), n_iters=n_iters, also=twin)
    n_iters = min(n_iters, full.n_steps)
    change = frame.change(full, n_iters)
    full_traces = [change.after, *others]
    traces = [trace.first(n_iters) for trace in full_traces]
    before = change.before.first(n_iters) if change.is_edited else None
    unit = checkpoints.record_of(name).ranked_unit
    is_document = unit == "sentence"
    routed = [trace.of_sentences() for trace in traces] if is_document else traces
    subject = f"{name} {frame.text}"
    with screen.verdict:
        draw_classes(shown, traces, trained, before)
    with screen.inspector:
        first = full.of_sentences() if is_document else full
        deciding = deciding_capsule(full, frame.device, frame.text)
        cell = choose_cell(first.inputs_to_capsules.coupling, first.tokens, unit, subject, trained, deciding)
        draw_effect(change, SetCoupling(*cell, 0), first, trained, deciding)
    drawn = Cell(frame.follow(cell.word, first.tokens, routed[0].tokens), cell.capsule)
    cells = [drawn, *[cell for _ in others]]  # the other network reads the text without the edits
    what_if = subject_of(frame, n_iters, full, cell)
    frame.draw_scrubber(n_iters, picked_cells(routed, cells) | {"turn": count_picks(cell)})
    with screen.picture:
        if not frame.stack_trainings(full.first(n_iters), change, trained):
            if shows_effects(what_if):
                draw_causes(shown, what_if, change)
            else:
                draw_couplings(shown, routed, frame.text, unit, cells, trained, before)
    picked = None if is_document else cell.capsule  # the measured units of such a network are those of its sentences
    frame.inspect(lambda: draw_cell(routed[0], drawn, min(trained, n_iters), unit), what_if, change, picked)
    sections = {
        **(
            {"Words of a sentence": lambda: draw_sentence(shown, full_traces, traces, frame.text, drawn.word, trained)}
            if is_document
            else {}
        ),
        "Iterations": lambda: draw_progress(shown, routed, unit, trained),
        "Measured": lambda: draw_trainings(shown, name),
        "Card": lambda: draw_about(name),
        "Formula": lambda: frame.draw_formula(FORMULA, SOURCE, traces[0], drawn),
        "Numbers": lambda: shown.draw_tables(traces),
    }
    if is_document:
        add_tables(shown, full_traces, traces, drawn.word)
    with screen.tabs:
        draw_open_tab(make_tabs(*sections), sections)
    frame.end(traces, not_shown(unit, trained), n_iters)


page()
