"""DRNN on one text: the answer with every window of words, and the words that carry it."""

from dashboard.components.scrubber import slider
from dashboard.pages.drnn.measured import draw_trainings
from dashboard.pages.drnn.small_sweep import draw_small_sweep
from dashboard.pages.drnn.texts import FORMULA, NOT_SHOWN, PAPER_EXAMPLES, QUESTION, SOURCE
from dashboard.pages.drnn.what_if import subject_of
from dashboard.pages.drnn.windows import choose_largest_window, draw_classes, draw_surface, draw_verdict, draw_wins
from dashboard.screen.inputs import clicks, texts_for
from dashboard.screen.outputs import draw_formula
from dashboard.screen.skeleton import draw_open_tab, make_tabs
from dashboard.screen.text_page import open_text_page
from dashboard.whatif.tab import draw_what_if


def page() -> None:
    frame = open_text_page("DRNN", QUESTION, __file__, first="drnn-ag")
    screen, shown = frame.screen, frame.shown
    with screen.controls:
        n_windows = choose_largest_window()
    examples, kind = texts_for(frame.about.corpus)
    (full_trace,) = frame.run(examples | PAPER_EXAMPLES[kind], kind)
    trace = full_trace.first(n_windows)
    with screen.scrubber:
        signals = {"turn": clicks()}
        shown.draw_scrubber(slider(n_windows, "Window, words", signals, "window", "window", start=trace.own_step))
    with screen.verdict:
        draw_verdict(shown, trace)
    with screen.picture:
        draw_wins(shown, trace, frame.text)
    sections = {
        "Windows": lambda: draw_classes(shown, trace),
        "Surface": lambda: draw_surface(shown, trace),
        "What if": lambda: draw_what_if(subject_of(frame.name, frame.device, frame.text, n_windows, full_trace)),
        "Does it hold?": frame.draw_does_it_hold,
        "Measured": lambda: draw_trainings(shown),
        "Small sweep": draw_small_sweep,
        "Formula": lambda: draw_formula(FORMULA, SOURCE),
        "Numbers": lambda: shown.draw_tables([trace]),
    }
    with screen.tabs:
        draw_open_tab(make_tabs(*sections), sections)
    frame.end([trace], NOT_SHOWN)


page()
