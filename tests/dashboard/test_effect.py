"""The inspector's sentence on the deciding capsule and the picked share, for which the first visitor does not wait."""

from functools import reduce

import pytest

from core.edits import DropCapsule, DropInput, SetCoupling
from dashboard import loading
from dashboard.runs.deciding import deciding_capsule
from dashboard.runs.edits import TextRun
from tests.dashboard.app import component, open_app, text_in_box

FIRST = "dragg-reversed-sst5"


@pytest.fixture
def app(no_sweeps):
    return open_app("routing")


def captions(app):
    """The captions on the page as the user reads them."""
    marks = {"\\": "", "**": "", "  \n": " "}
    return [reduce(lambda text, mark: text.replace(mark, marks[mark]), marks, caption.value) for caption in app.caption]


def said(app):
    """The sentence on the deciding capsule and the picked share."""
    (sentence,) = [caption for caption in captions(app) if " decides: " in caption]
    return sentence


def said_with(*edits):
    """The sentence with these edits."""
    app = open_app("routing")
    app.query_params["edit"] = list(edits)
    return said(app.run())


def test_deciding_capsule_and_picked_share_have_their_numbers(app):
    app.run()
    run = TextRun(FIRST, "cpu", text_in_box(app), 10)
    word, capsule = (int(app.number_input(key=key).value) - 1 for key in ("word", "capsule"))
    before = run.edited(()).trace
    k = before.probabilities[2].argmax()
    without, cut = (
        run.edited((edit,)).trace.probabilities[2] for edit in (DropCapsule(capsule), SetCoupling(word, capsule, 0))
    )
    assert capsule == deciding_capsule(before, "cpu", run.text)
    assert said(app).startswith(f"Capsule {capsule + 1} decides: without it, ")
    assert f"the prediction is {before.classes[without.argmax()]} ({without.max():.1%}), not" in said(app)
    assert f"{before.classes[k]} moves by less than 1 point, to {cut[k]:.1%}" in said(app)
    shown = said(app).partition("decides")[2]
    assert said(app).endswith(" (After 3 iterations.)")
    of_edited = said_with(f"couple:{word},{capsule}=0").partition("decides")
    assert of_edited[0] == f"Before your edits, capsule {capsule + 1} "
    assert of_edited[2] == shown.replace("This share", "Before your edits, this share")
    assert "With your edits, this share" in said_with("capsule:0")
    assert "With your other edits, this share" in said_with("capsule:0", f"couple:{word},{capsule}=0")


def test_masking_the_word_is_told_apart_from_cutting_its_share(app):
    app.run()
    run = TextRun(FIRST, "cpu", text_in_box(app), 10)
    word, capsule = (int(app.number_input(key=key).value) - 1 for key in ("word", "capsule"))
    masked = run.edited((DropInput(word),)).trace
    k = masked.probabilities[2].argmax()
    told = f"is masked, so that no capsule takes from it, the prediction is {masked.classes[k]} "
    assert f"If “{masked.tokens[word]}” {told}({masked.probabilities[2, k]:.1%})" in said(app)
    gone = "With your edits, this share is 0: {}, so setting it has no effect."
    alone, set_too = said_with(f"drop:{word}"), said_with(f"drop:{word}", f"couple:{word},{capsule}=1")
    for sentence in (alone, set_too):
        assert gone.format(f"“{masked.tokens[word]}” is masked") in sentence
        assert "If “" not in sentence
    off = said_with(f"capsule:{capsule}")
    assert gone.format("its capsule is switched off") in off
    assert f"If “{masked.tokens[word]}” is masked" in off


def test_a_first_visitor_reads_that_more_is_loading_and_then_gets_it(app, monkeypatch):
    is_loading = [True]
    monkeypatch.setattr(loading.LOADING, "is_set", lambda: is_loading[0])
    app.run()
    assert "Later iterations are loading …" in captions(app)
    assert not any(" decides: " in caption for caption in captions(app))
    assert component(app, "scrubber")[0]["n"] == 3
    is_loading[0] = False
    app.run()
    assert said(app)
    assert "Later iterations are loading …" not in captions(app)
    assert component(app, "scrubber")[0]["n"] == 10
