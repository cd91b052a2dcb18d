"""The network's page: one text, and the score that each word adds."""

from dashboard.components.scrubber import slider
from dashboard.components.verdict import verdict
from dashboard.figures.kinds import family_of
from dashboard.screen.inputs import choose_word, texts_for
from dashboard.screen.outputs import draw_numbers
from dashboard.screen.skeleton import draw_open_tab, make_tabs
from dashboard.whatif.offers import Subject
from dashboard.whatif.text_page import open_text_page


def page() -> None:
    """Draw the page."""
    frame = open_text_page("A sum", "What does each word add?", __file__, first="toy")
    screen, shown = frame.screen, frame.shown
    (trace,) = frame.run(*texts_for(frame.about))
    with screen.scrubber:
        shown.draw_scrubber(slider(trace.n_steps, "Step"))
    with screen.verdict:
        notes = [f"after step {step}" for step in range(1, trace.n_steps + 1)]
        shown.add(verdict("classes", trace.probabilities, trace.classes, notes))
    with screen.picture:
        shown.draw_heatmap("What each word adds", family_of(trace).draw_main(trace), "map")
    with screen.inspector:
        word = choose_word(trace.tokens, f"{frame.name} {frame.text}")
    rows = [[name, f"{score:+.2f}"] for name, score in zip(trace.classes, trace.added[-1, word], strict=True)]
    no_edits = Subject(trace.n_steps, lambda now: ())
    frame.inspect(lambda: draw_numbers(["class", "added"], rows), no_edits, frame.change(trace))
    sections = {"Numbers": lambda: shown.draw_tables([trace])}
    with screen.tabs:
        draw_open_tab(make_tabs(*sections), sections)
    frame.end([trace], "The picture does not show the order of the words, which does not count.")


page()
