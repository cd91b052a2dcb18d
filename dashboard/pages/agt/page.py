"""AGT on one sentence: the words that each layer attends to and selects, and its gates."""

from core.analysis.phrases import selected
from dashboard.components.scrubber import slider
from dashboard.pages.agt import layers
from dashboard.pages.agt.constituents import draw_comparison, draw_constituents
from dashboard.pages.agt.split import draw_observations, draw_split
from dashboard.pages.agt.texts import FORMULA, NOT_SHOWN, QUESTION, SOURCE
from dashboard.pages.agt.trials import draw_ablation, draw_trials
from dashboard.pages.agt.what_if import subject_of
from dashboard.runs import checkpoints
from dashboard.screen.checkpoint import draw_about
from dashboard.screen.inputs import clicks, texts_for
from dashboard.screen.skeleton import draw_open_tab, make_tabs
from dashboard.screen.trainings import draw_own_training
from dashboard.whatif.text_page import open_text_page


def page() -> None:
    frame = open_text_page("Attention by layer (AGT)", QUESTION, __file__, first="agt-sst5")
    screen, shown, name = frame.screen, frame.shown, frame.name
    with screen.controls:
        threshold = layers.choose_threshold()
        frame.choose_trainings()
    (full,) = frame.run(*texts_for(frame.about))
    change = frame.change(full)
    trace, before = change.after, change.before if change.is_edited else None
    chosen = selected(trace.attention, threshold)
    with screen.verdict:
        layers.draw_classes(shown, trace, before)
    with screen.inspector:
        word, layer = layers.choose_word_and_layer(full, f"{name} {frame.text}", name)
    place = frame.follow(word, full.tokens, trace.tokens)
    with screen.picture:
        if not frame.stack_trainings(full, change):
            layers.draw_attention(shown, trace, frame.text, chosen, threshold, before)
    with screen.scrubber:
        signals = {"turn": clicks()}
        shown.draw_scrubber(slider(trace.n_steps, "Layer", signals, param="layer", address="layer"))
    frame.inspect(lambda: layers.draw_cell(trace, place, layer), subject_of(full, word, layer), change, layer)

    def draw_measured() -> None:
        draw_own_training(name)
        draw_ablation(shown)
        draw_trials(shown)
        draw_comparison(shown)
        draw_observations(shown, name)
        draw_constituents(shown, name)

    sections = {
        "Layers": lambda: layers.draw_layers(shown, trace, chosen, threshold),
        "Gates": lambda: layers.draw_gates(shown, trace, checkpoints.measured("selections", name)),
        "Test split": lambda: draw_split(shown, name, chosen, trace.n_steps),
        "Measured": draw_measured,
        "Card": lambda: draw_about(name),
        "Formula": lambda: frame.draw_formula(FORMULA, SOURCE, trace, (place,), layer + 1),
        "Numbers": lambda: shown.draw_tables([trace]),
    }
    with screen.tabs:
        draw_open_tab(make_tabs(*sections), sections)
    frame.end([trace], NOT_SHOWN, settings=f"{threshold=}")


page()
