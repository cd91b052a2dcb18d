"""Two EM routings over a frozen transformer: parts of text to parts of meaning, and those to classes."""

from pathlib import Path

from dashboard.components import pin_button, slider
from dashboard.pages.sentiment_capsules.classes import draw_classes, draw_gaussians, draw_progress
from dashboard.pages.sentiment_capsules.measured import draw_measured
from dashboard.pages.sentiment_capsules.parts import add_tables, choose_part_and_quantity, draw_part
from dashboard.pages.sentiment_capsules.texts import EXAMPLES, FORMULA, NOT_SHOWN, QUESTION, SOURCE
from dashboard.pages.sentiment_capsules.what_if import subject_of
from dashboard.pages.sentiment_capsules.words import draw_credit, draw_verdict
from dashboard.runs import checkpoints
from dashboard.screen.does_it_hold import draw_does_it_hold
from dashboard.screen.export import draw_export_menu
from dashboard.screen.inputs import (
    choose_checkpoint,
    choose_device,
    choose_largest_count,
    count_picks,
    enter_text,
    offer_share_link,
)
from dashboard.screen.outputs import draw_formula, draw_limits, run_models
from dashboard.screen.pins import pin_run
from dashboard.screen.shown import Shown
from dashboard.screen.skeleton import draw_open_tab, draw_screen, make_tabs
from dashboard.whatif.tab import draw_what_if


def page() -> None:
    screen = draw_screen("EM routing", QUESTION, Path(__file__).parent)
    device, name = choose_device(), choose_checkpoint(checkpoints.shown_on("sentiment_capsules"), first="em-sst5")
    trained = checkpoints.about(name).model["n_iters"]
    with screen.controls:
        n_iters = choose_largest_count(trained)
    with screen.input:
        text = enter_text(EXAMPLES)
        (full_trace,) = run_models([name], device, text, n_iters)
    trace = full_trace.first(n_iters)
    shown = Shown()
    with screen.verdict:
        draw_verdict(shown, trace, trained)
    with screen.picture:
        draw_credit(shown, trace, text)
    sections = {
        "One part": lambda: draw_part(shown, trace, part, quantity),
        "Classes": lambda: draw_classes(shown, trace),
        "Capsules": lambda: draw_gaussians(shown, trace, part),
        "Iterations": lambda: draw_progress(shown, trace),
        "What if": lambda: draw_what_if(subject_of(name, device, text, n_iters, full_trace, part)),
        "Does it hold?": lambda: draw_does_it_hold(shown, name, device, text),
        "Measured": lambda: draw_measured(shown),
        "Formula": lambda: draw_formula(FORMULA, SOURCE),
        "Numbers": lambda: shown.draw_tables([trace]),
    }
    with screen.tabs:
        tabs = make_tabs(*sections)
        part, quantity = choose_part_and_quantity(tabs, full_trace.first(trained), subject=f"{name} {text}")
        add_tables(shown, trace, part)
        with screen.scrubber:
            shown.draw_scrubber(slider(n_iters, signals={"picked": part, "turn": count_picks(part)}))
        draw_open_tab(tabs, sections)
    draw_limits(screen.limits, NOT_SHOWN.format(trained=trained))
    with screen.actions:
        offer_share_link({"text": text})
        pin_button(lambda address: pin_run("sentiment_capsules", name, text, address))
        draw_export_menu(shown, "EM routing", [trace], repr(text), n_iters)


page()
