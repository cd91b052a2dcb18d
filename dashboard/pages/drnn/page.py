"""DRNN on one text: the answer with every window of words, and the words that carry it."""

from dashboard.components.scrubber import slider
from dashboard.pages.drnn.components import draw_components
from dashboard.pages.drnn.measured import draw_measured
from dashboard.pages.drnn.small_sweep import draw_small_sweep
from dashboard.pages.drnn.texts import FORMULA, NOT_SHOWN, QUESTION, SOURCE
from dashboard.pages.drnn.what_if import subject_of
from dashboard.pages.drnn.windows import (
    choose_largest_window,
    draw_classes,
    draw_verdict,
    draw_wins,
    draw_word,
    main_word,
)
from dashboard.screen.checkpoint import draw_about
from dashboard.screen.inputs import choose_word, clicks, texts_for
from dashboard.screen.skeleton import draw_open_tab, make_tabs
from dashboard.whatif.text_page import open_text_page


def page() -> None:
    frame = open_text_page("Windows (DRNN)", QUESTION, __file__, first="drnn-ag")
    screen, shown = frame.screen, frame.shown
    with screen.controls:
        n_windows = choose_largest_window()
        frame.choose_trainings()
    (full,) = frame.run(*texts_for(frame.about))
    change = frame.change(full)
    trace = change.after.first(n_windows)
    before = change.before.first(n_windows) if change.is_edited else None
    with screen.scrubber:
        signals = {"turn": clicks()}
        shown.draw_scrubber(slider(n_windows, "Window, words", signals, "window", "window", start=trace.own_step))
    with screen.verdict:
        draw_verdict(shown, trace, before)
    with screen.inspector:
        word = choose_word(full.tokens, f"{frame.name} {frame.text}", main_word(full))
    place = frame.follow(word, full.tokens, trace.tokens)
    with screen.picture:
        if not frame.stack_trainings(full.first(n_windows), change):
            draw_wins(shown, trace, frame.text, before)

    def draw_picked() -> None:
        draw_word(trace, place)
        draw_components(frame.name, frame.device, frame.text, word, change.is_edited)

    frame.inspect(draw_picked, subject_of(full, n_windows, word), change)
    sections = {
        "Windows": lambda: draw_classes(shown, trace),
        "Measured": lambda: draw_measured(shown, frame.name),
        "Small sweep": draw_small_sweep,
        "Card": lambda: draw_about(frame.name),
        "Formula": lambda: frame.draw_formula(FORMULA, SOURCE, trace, (place,), trace.own_step),
        "Numbers": lambda: shown.draw_tables([trace]),
    }
    with screen.tabs:
        draw_open_tab(make_tabs(*sections), sections)
    frame.end([trace], NOT_SHOWN)


page()
