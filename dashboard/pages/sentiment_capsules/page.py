"""Two EM routings over a frozen transformer: from its hidden states to parts, and from parts to classes."""

from dashboard.components.scrubber import slider
from dashboard.pages.sentiment_capsules.classes import draw_classes, draw_gaussians, draw_progress
from dashboard.pages.sentiment_capsules.measured import draw_measured
from dashboard.pages.sentiment_capsules.parts import add_tables, choose_part_and_quantity, draw_part
from dashboard.pages.sentiment_capsules.texts import EXAMPLES, FORMULA, NOT_SHOWN, QUESTION, SOURCE
from dashboard.pages.sentiment_capsules.what_if import subject_of
from dashboard.pages.sentiment_capsules.words import draw_credit, draw_verdict
from dashboard.screen.inputs import choose_iterations, count_picks
from dashboard.screen.outputs import draw_formula
from dashboard.screen.skeleton import draw_open_tab, make_tabs
from dashboard.screen.text_page import open_text_page
from dashboard.whatif.tab import draw_what_if


def page() -> None:
    frame = open_text_page("EM routing", QUESTION, __file__, first="em-sst5")
    screen, shown, name, trained = frame.screen, frame.shown, frame.name, frame.about.model["n_iters"]
    with screen.controls:
        n_iters = choose_iterations(trained)
    (full_trace,) = frame.run(EXAMPLES, n_iters=n_iters)
    trace = full_trace.first(n_iters)
    with screen.verdict:
        draw_verdict(shown, trace, trained)
    with screen.picture:
        draw_credit(shown, trace, frame.text, trained)
    sections = {
        "One part": lambda part, quantity: draw_part(shown, trace, part, quantity),
        "Classes": lambda *_: draw_classes(shown, trace),
        "Capsules": lambda part, _: draw_gaussians(shown, trace, part),
        "Iterations": lambda *_: draw_progress(shown, trace),
        "What if": lambda part, _: draw_what_if(subject_of(name, frame.device, frame.text, n_iters, full_trace, part)),
        "Does it hold?": frame.draw_does_it_hold,
        "Measured": lambda *_: draw_measured(shown),
        "Formula": lambda *_: draw_formula(FORMULA, SOURCE),
        "Numbers": lambda *_: shown.draw_tables([trace]),
    }
    with screen.tabs:
        tabs = make_tabs(*sections)
        part, quantity = choose_part_and_quantity(tabs, full_trace.first(trained), subject=f"{name} {frame.text}")
        add_tables(shown, trace, part)
        with screen.scrubber:
            shown.draw_scrubber(slider(n_iters, signals={"picked": part, "turn": count_picks(part)}))
        draw_open_tab(tabs, sections, part, quantity)
    frame.end([trace], NOT_SHOWN.format(trained=trained), n_iters)


page()
