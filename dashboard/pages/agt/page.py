"""AGT on one sentence: the words that each layer attends to and selects, and its gates."""

from core.analysis.phrases import selected
from dashboard.components.scrubber import slider
from dashboard.pages.agt.constituents import draw_constituents
from dashboard.pages.agt.layers import choose_threshold, draw_attention, draw_classes, draw_gates, draw_layers
from dashboard.pages.agt.split import draw_observations, draw_split
from dashboard.pages.agt.texts import EXAMPLES, FORMULA, NOT_SHOWN, QUESTION, SOURCE
from dashboard.pages.agt.trials import draw_ablation, draw_trials
from dashboard.pages.agt.what_if import subject_of
from dashboard.runs import checkpoints
from dashboard.screen.inputs import clicks
from dashboard.screen.outputs import draw_formula
from dashboard.screen.skeleton import draw_open_tab, make_tabs
from dashboard.screen.text_page import open_text_page
from dashboard.whatif.tab import draw_what_if


def page() -> None:
    frame = open_text_page("AGT", QUESTION, __file__, first="agt-sst5")
    screen, shown, name = frame.screen, frame.shown, frame.name
    with screen.controls:
        threshold = choose_threshold()
    (trace,) = frame.run(EXAMPLES)
    chosen = selected(trace.attention, threshold)
    with screen.verdict:
        draw_classes(shown, trace)
    with screen.picture:
        draw_attention(shown, trace, frame.text, chosen, threshold)

    def draw_measured() -> None:
        draw_ablation(shown)
        draw_trials(shown)
        draw_observations(shown, name)
        draw_constituents(shown, name)

    sections = {
        "Layers": lambda: draw_layers(shown, trace, chosen, threshold),
        "Gates": lambda: draw_gates(shown, trace, checkpoints.measured("selections", name)),
        "Test split": lambda: draw_split(shown, name, chosen, trace.n_steps),
        "What if": lambda: draw_what_if(subject_of(name, frame.device, frame.text, trace)),
        "Does it hold?": frame.draw_does_it_hold,
        "Measured": draw_measured,
        "Formula": lambda: draw_formula(FORMULA, SOURCE),
        "Numbers": lambda: shown.draw_tables([trace]),
    }
    with screen.scrubber:
        signals = {"turn": clicks()}
        shown.draw_scrubber(slider(trace.n_steps, "Layer", signals, param="layer", address="layer"))
    with screen.tabs:
        draw_open_tab(make_tabs(*sections), sections)
    frame.end([trace], NOT_SHOWN, settings=f"{threshold=}")


page()
