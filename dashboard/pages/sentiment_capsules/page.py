"""Two EM routings over a frozen transformer: from its hidden states to parts, and from parts to classes."""

import streamlit as st

from dashboard.pages.sentiment_capsules.classes import draw_classes, draw_gaussians, draw_progress
from dashboard.pages.sentiment_capsules.measured import draw_measured, draw_waiting
from dashboard.pages.sentiment_capsules.parts import add_tables, draw_part
from dashboard.pages.sentiment_capsules.texts import FORMULA, NOT_SHOWN, QUESTION, SOURCE
from dashboard.pages.sentiment_capsules.what_if import subject_of
from dashboard.pages.sentiment_capsules.words import draw_credit, draw_verdict, draw_word, main_word
from dashboard.screen.checkpoint import draw_about
from dashboard.screen.inputs import choose_iterations, choose_part, choose_word, count_picks, texts_for
from dashboard.screen.skeleton import draw_open_tab, make_tabs
from dashboard.whatif.causes import draw_causes, shows_effects
from dashboard.whatif.text_page import open_text_page


def page() -> None:
    frame = open_text_page("EM routing", QUESTION, __file__, first="em-sst5")
    screen, shown, name, trained = frame.screen, frame.shown, frame.name, frame.about.model["n_iters"]
    with screen.controls:
        n_iters = choose_iterations(trained)
        frame.choose_trainings()
    (full,) = frame.run(*texts_for(frame.about), n_iters=n_iters)
    change = frame.change(full, n_iters)
    trace, before = change.after.first(n_iters), change.before.first(n_iters) if change.is_edited else None
    with screen.verdict:
        draw_verdict(shown, trace, trained, before)
    with screen.inspector:
        left, right = st.columns([3, 2])
        with left:
            word = choose_word(full.tokens, f"{name} {frame.text}", main_word(full.first(trained)))
        with right:
            part = choose_part(full.first(trained), f"{name} {frame.text}")
    what_if = subject_of(frame, n_iters, full, word, part)
    start = min(trained, n_iters)
    cell = frame.follow(word, full.tokens, trace.tokens), int(trace.probabilities[start - 1].argmax())
    frame.draw_scrubber(n_iters, {"picked": part, "turn": count_picks(part)})
    with screen.picture:
        if not frame.stack_trainings(full.first(n_iters), change, trained):
            if shows_effects(what_if):
                draw_causes(shown, what_if, change)
            else:
                draw_credit(shown, trace, frame.text, trained, before)
    frame.inspect(lambda: draw_word(trace, cell, start), what_if, change, part)
    sections = {
        "Iterations": lambda: draw_progress(shown, trace, trained),
        "One part": lambda: draw_part(shown, trace, part),
        "Classes": lambda: draw_classes(shown, trace),
        "Capsules": lambda: draw_gaussians(shown, trace, part),
        "Measured": lambda: draw_measured(shown),
        "Card": lambda: (draw_about(name), draw_waiting()),
        "Formula": lambda: frame.draw_formula(FORMULA, SOURCE, trace, cell),
        "Numbers": lambda: shown.draw_tables([trace]),
    }
    add_tables(shown, trace, part)
    with screen.tabs:
        draw_open_tab(make_tabs(*sections), sections)
    frame.end([trace], NOT_SHOWN.format(trained=trained), n_iters)


page()
