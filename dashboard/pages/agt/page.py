"""AGT on one sentence: the words that each layer attends to and selects, and what its gates let through."""

from pathlib import Path

from core.analysis.phrases import selected
from dashboard.components import pin_button, slider
from dashboard.pages.agt.ablation import draw_ablation
from dashboard.pages.agt.constituents import draw_constituents
from dashboard.pages.agt.layers import choose_threshold, draw_attention, draw_classes, draw_gates, draw_layers
from dashboard.pages.agt.split import draw_observations, draw_split
from dashboard.pages.agt.texts import EXAMPLES, FORMULA, NOT_SHOWN, QUESTION, SOURCE
from dashboard.pages.agt.trials import draw_trials
from dashboard.pages.agt.what_if import subject_of
from dashboard.runs import checkpoints
from dashboard.screen.does_it_hold import draw_does_it_hold
from dashboard.screen.export import draw_export_menu
from dashboard.screen.inputs import choose_checkpoint, choose_device, clicks, enter_text, offer_share_link
from dashboard.screen.outputs import draw_formula, draw_limits, run_models
from dashboard.screen.pins import pin_run
from dashboard.screen.shown import Shown
from dashboard.screen.skeleton import draw_open_tab, draw_screen, make_tabs
from dashboard.whatif.tab import draw_what_if


def page() -> None:
    screen = draw_screen("AGT", QUESTION, Path(__file__).parent)
    device, name = choose_device(), choose_checkpoint(checkpoints.shown_on("agt"), first="agt-sst5")
    with screen.controls:
        threshold = choose_threshold()
    with screen.input:
        text = enter_text(EXAMPLES)
        (trace,) = run_models([name], device, text)
    chosen = selected(trace.attention, threshold)
    shown = Shown()
    with screen.verdict:
        draw_classes(shown, trace)
    with screen.picture:
        draw_attention(shown, trace, text, chosen, threshold)

    def draw_measured() -> None:
        draw_ablation(shown)
        draw_trials(shown)
        draw_observations(shown, name)
        draw_constituents(shown, name)

    sections = {
        "Layers": lambda: draw_layers(shown, trace, chosen, threshold),
        "Gates": lambda: draw_gates(shown, trace, checkpoints.measured("selections", name)),
        "Test split": lambda: draw_split(shown, name, chosen, trace.n_steps),
        "What if": lambda: draw_what_if(subject_of(name, device, text, trace)),
        "Does it hold?": lambda: draw_does_it_hold(shown, name, device, text),
        "Measured": draw_measured,
        "Formula": lambda: draw_formula(FORMULA, SOURCE),
        "Numbers": lambda: shown.draw_tables([trace]),
    }
    with screen.scrubber:
        signals = {"turn": clicks()}
        shown.draw_scrubber(slider(trace.n_steps, "Layer", signals, param="layer", address="layer"))
    with screen.tabs:
        draw_open_tab(make_tabs(*sections), sections)
    draw_limits(screen.limits, NOT_SHOWN)
    with screen.actions:
        offer_share_link({"text": text})
        pin_button(lambda address: pin_run("agt", name, text, address))
        draw_export_menu(shown, "AGT", [trace], repr(text), None, settings=f"{threshold=}")


page()
