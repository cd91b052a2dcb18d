"""k-means routing on one text, compared with dynamic routing, and the codes of composed word vectors."""

from dashboard.components.scrubber import slider
from dashboard.pages.kmeans.features import choose_capsule, draw_capsule, draw_classes, draw_couplings, draw_progress
from dashboard.pages.kmeans.measured import draw_measured
from dashboard.pages.kmeans.texts import FORMULA, NOT_SHOWN, QUESTION, SOURCE
from dashboard.pages.kmeans.what_if import subject_of
from dashboard.pages.kmeans.word_codes import choose_code, draw_code
from dashboard.pages.kmeans.words import draw_contributions
from dashboard.runs.checkpoints import MAX_ITERATIONS
from dashboard.screen.checkpoint import choose_twin
from dashboard.screen.inputs import choose_iterations, count_picks, texts_for
from dashboard.screen.outputs import draw_formula
from dashboard.screen.skeleton import draw_open_tab, make_tabs, open_or_first
from dashboard.screen.text_page import open_text_page
from dashboard.whatif.tab import draw_what_if


def page() -> None:
    frame = open_text_page("k-means routing", QUESTION, __file__, first="cccaps-ag")
    screen, shown, name, settings = frame.screen, frame.shown, frame.name, frame.about.model
    trained = settings["n_iters"]
    with screen.controls:
        n_iters = choose_iterations(trained, MAX_ITERATIONS)
        twin = choose_twin(name)
    full_traces = frame.run(*texts_for(frame.about.corpus), n_iters=n_iters, also=twin)
    traces = [trace.first(n_iters) for trace in full_traces]
    start = min(trained, n_iters)
    sections = {
        "One capsule": lambda feature, _: draw_capsule(shown, traces, feature),
        "Words": lambda feature, _: draw_contributions(shown, traces, feature),
        "Code": lambda _, code: draw_code(shown, traces[0], frame.device, settings, code),
        "Iterations": lambda *_: draw_progress(shown, traces),
        "What if": lambda feature, code: draw_what_if(
            subject_of(name, frame.device, frame.text, n_iters, full_traces[0], feature, code.word)
        ),
        "Does it hold?": frame.draw_does_it_hold,
        "Measured": lambda *_: draw_measured(shown),
        "Formula": lambda *_: draw_formula(FORMULA, SOURCE),
        "Numbers": lambda *_: shown.draw_tables(traces),
    }
    with screen.verdict:
        draw_classes(shown, traces, trained)
    with screen.tabs:
        tabs = make_tabs(*sections)
        with open_or_first(tabs, "One capsule", "What if"):
            feature = choose_capsule(traces[0], start, f"{name} {frame.text}")
        with tabs["Code"]:
            code = choose_code(traces[0], settings)
    with screen.picture:
        draw_couplings(shown, traces, frame.text, feature, trained)
    with screen.scrubber:
        signals = {"picked": feature, "turn": count_picks(feature)}
        shown.draw_scrubber(slider(n_iters, signals=signals, start=start))
    with screen.tabs:
        draw_open_tab(tabs, sections, feature, code)
    frame.end(traces, NOT_SHOWN, n_iters)


page()
