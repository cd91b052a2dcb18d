"""DRNN on one text: the answer of every window of words, and the words that carry it."""

from pathlib import Path

from dashboard.components import pin_button, slider
from dashboard.pages.drnn.measured import draw_trainings
from dashboard.pages.drnn.small_sweep import draw_small_sweep
from dashboard.pages.drnn.texts import FORMULA, NOT_SHOWN, OF_PAPER, QUESTION, SOURCE
from dashboard.pages.drnn.what_if import subject_of
from dashboard.pages.drnn.windows import choose_largest_window, draw_classes, draw_surface, draw_verdict, draw_wins
from dashboard.runs import checkpoints
from dashboard.screen.does_it_hold import draw_does_it_hold
from dashboard.screen.examples import texts_for
from dashboard.screen.export import draw_export_menu
from dashboard.screen.inputs import choose_checkpoint, choose_device, clicks, enter_text, offer_share_link
from dashboard.screen.outputs import draw_formula, draw_limits, run_models
from dashboard.screen.pins import pin_run
from dashboard.screen.shown import Shown
from dashboard.screen.skeleton import draw_open_tab, draw_screen, make_tabs
from dashboard.whatif.tab import draw_what_if


def page() -> None:
    screen = draw_screen("DRNN", QUESTION, Path(__file__).parent)
    device, name = choose_device(), choose_checkpoint(checkpoints.shown_on("drnn"), first="drnn-ag")
    with screen.controls:
        n_windows = choose_largest_window()
    with screen.input:
        examples, kind = texts_for(checkpoints.about(name).corpus)
        text = enter_text(examples | OF_PAPER[kind], kind)
        (full_trace,) = run_models([name], device, text)
    trace = full_trace.first(n_windows)
    shown = Shown()
    with screen.scrubber:
        signals = {"turn": clicks()}
        shown.draw_scrubber(slider(n_windows, "Window, words", signals, "window", "window", start=trace.own_step))
    with screen.verdict:
        draw_verdict(shown, trace)
    with screen.picture:
        draw_wins(shown, trace, text)
    sections = {
        "Windows": lambda: draw_classes(shown, trace),
        "Surface": lambda: draw_surface(shown, trace),
        "What if": lambda: draw_what_if(subject_of(name, device, text, n_windows, full_trace)),
        "Does it hold?": lambda: draw_does_it_hold(shown, name, device, text),
        "Measured": lambda: draw_trainings(shown),
        "Small sweep": draw_small_sweep,
        "Formula": lambda: draw_formula(FORMULA, SOURCE),
        "Numbers": lambda: shown.draw_tables([trace]),
    }
    with screen.tabs:
        draw_open_tab(make_tabs(*sections), sections)
    draw_limits(screen.limits, NOT_SHOWN)
    with screen.actions:
        offer_share_link({"text": text})
        pin_button(lambda address: pin_run("drnn", name, text, address))
        draw_export_menu(shown, "DRNN", [trace], repr(text), None)


page()
