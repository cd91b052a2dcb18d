"""k-means routing on one text, compared with dynamic routing, and the codes of composed word vectors."""

import streamlit as st

from dashboard.figures.figure import FRAMES
from dashboard.pages.kmeans.features import (
    choose_capsule,
    draw_capsule,
    draw_classes,
    draw_couplings,
    draw_progress,
    leading,
)
from dashboard.pages.kmeans.measured import draw_measured
from dashboard.pages.kmeans.texts import FORMULA, NOT_SHOWN, QUESTION, SOURCE
from dashboard.pages.kmeans.what_if import subject_of
from dashboard.pages.kmeans.word_codes import draw_code
from dashboard.pages.kmeans.words import draw_contributions, main_word
from dashboard.runs.checkpoints import MAX_ITERATIONS
from dashboard.screen.checkpoint import choose_twin, draw_about
from dashboard.screen.inputs import choose_iterations, choose_word, count_picks, texts_for
from dashboard.screen.skeleton import draw_open_tab, make_tabs
from dashboard.whatif.causes import draw_causes, shows_effects
from dashboard.whatif.offers import place_after
from dashboard.whatif.text_page import open_text_page


def page() -> None:
    frame = open_text_page("k-means routing", QUESTION, __file__, first="cccaps-ag")
    screen, shown, name, settings = frame.screen, frame.shown, frame.name, frame.about.model
    trained = settings["n_iters"]
    with screen.controls:
        n_iters = choose_iterations(trained, MAX_ITERATIONS)
        twin = choose_twin(name)
        frame.choose_trainings()
    full, *others = frame.run(*texts_for(frame.about), n_iters=n_iters, also=twin)
    change = frame.change(full, n_iters)
    traces = [trace.first(n_iters) for trace in (change.after, *others)]
    before = change.before.first(n_iters) if change.is_edited else None
    start = min(trained, n_iters)
    with screen.verdict:
        draw_classes(shown, traces, trained, before)
    with screen.inspector:
        left, right = st.columns([2, 3], gap="small")
        with left:
            feature = choose_capsule(full, start, f"{name} {frame.text}")
        with right:
            word = choose_word(full.tokens, f"{name} {frame.text}", main_word(full, feature))
    cell = feature, leading(traces[0], feature, start)
    what_if = subject_of(frame, n_iters, full, feature, word)
    frame.draw_scrubber(n_iters, dict.fromkeys(FRAMES[: len(traces)], feature) | {"turn": count_picks(feature)})
    with screen.picture:
        if not frame.stack_trainings(full.first(n_iters), change, trained):
            if shows_effects(what_if):
                draw_causes(shown, what_if, change)
            else:
                draw_couplings(shown, traces, frame.text, feature, trained, before)
    frame.inspect(lambda: draw_capsule(traces[0], feature, start), what_if, change, feature)
    sections = {
        "Iterations": lambda: draw_progress(shown, traces, feature, trained),
        "Words": lambda: draw_contributions(shown, traces, feature),
        "Code": lambda: draw_code(
            shown, traces[0], frame.device, settings, place_after(word, full.tokens, traces[0].tokens)
        ),
        "Measured": lambda: draw_measured(shown, name),
        "Card": lambda: draw_about(name),
        "Formula": lambda: frame.draw_formula(FORMULA, SOURCE, traces[0], cell),
        "Numbers": lambda: shown.draw_tables(traces),
    }
    with screen.tabs:
        draw_open_tab(make_tabs(*sections), sections)
    frame.end(traces, NOT_SHOWN, n_iters)


page()
