"""k-means routing on one text, dynamic routing beside it, and the codes that word vectors are composed by."""

from pathlib import Path

from dashboard.components import pin_button, slider
from dashboard.pages.kmeans.features import choose_capsule, draw_capsule, draw_classes, draw_couplings, draw_progress
from dashboard.pages.kmeans.measured import draw_measured
from dashboard.pages.kmeans.texts import FORMULA, NOT_SHOWN, QUESTION, SOURCE
from dashboard.pages.kmeans.what_if import subject_of
from dashboard.pages.kmeans.word_codes import choose_code, draw_code
from dashboard.pages.kmeans.words import draw_contributions
from dashboard.runs import checkpoints
from dashboard.runs.checkpoints import LARGEST_COUNT
from dashboard.screen.does_it_hold import draw_does_it_hold
from dashboard.screen.examples import texts_for
from dashboard.screen.export import draw_export_menu
from dashboard.screen.inputs import (
    choose_checkpoint,
    choose_device,
    choose_largest_count,
    choose_twin,
    count_picks,
    enter_text,
    offer_share_link,
)
from dashboard.screen.outputs import draw_formula, draw_limits, run_models
from dashboard.screen.pins import pin_run
from dashboard.screen.shown import Shown
from dashboard.screen.skeleton import draw_open_tab, draw_screen, make_tabs, open_or_first
from dashboard.whatif.tab import draw_what_if


def page() -> None:
    screen = draw_screen("k-means routing", QUESTION, Path(__file__).parent)
    device, name = choose_device(), choose_checkpoint(checkpoints.shown_on("kmeans"), first="cccaps-ag")
    about = checkpoints.about(name)
    trained = about.model["n_iters"]
    with screen.controls:
        n_iters = choose_largest_count(trained, LARGEST_COUNT)
        names = [name, *choose_twin(name)]
    with screen.input:
        text = enter_text(*texts_for(about.corpus))
        full_traces = run_models(names, device, text, n_iters)
    traces = [trace.first(n_iters) for trace in full_traces]
    start = min(trained, n_iters)
    shown = Shown()
    sections = {
        "One capsule": lambda: draw_capsule(shown, traces, feature),
        "Words": lambda: draw_contributions(shown, traces, feature),
        "Code": lambda: draw_code(shown, traces[0], device, about.model, code),
        "Iterations": lambda: draw_progress(shown, traces),
        "What if": lambda: draw_what_if(subject_of(name, device, text, n_iters, full_traces[0], feature, code.word)),
        "Does it hold?": lambda: draw_does_it_hold(shown, name, device, text),
        "Measured": lambda: draw_measured(shown),
        "Formula": lambda: draw_formula(FORMULA, SOURCE),
        "Numbers": lambda: shown.draw_tables(traces),
    }
    with screen.verdict:
        draw_classes(shown, traces, trained)
    with screen.tabs:
        tabs = make_tabs(*sections)
        with open_or_first(tabs, "One capsule", "What if"):
            feature = choose_capsule(traces[0], start, f"{name} {text}")
        with tabs["Code"]:
            code = choose_code(traces[0], about.model)
    with screen.picture:
        draw_couplings(shown, traces, text, feature)
    with screen.scrubber:
        signals = {"picked": feature, "turn": count_picks(feature)}
        shown.draw_scrubber(slider(n_iters, signals=signals, start=start))
    with screen.tabs:
        draw_open_tab(tabs, sections)
    draw_limits(screen.limits, NOT_SHOWN)
    with screen.actions:
        offer_share_link({"text": text})
        pin_button(lambda address: pin_run("kmeans", name, text, address))
        draw_export_menu(shown, "k-means routing", traces, repr(text), n_iters)


page()
