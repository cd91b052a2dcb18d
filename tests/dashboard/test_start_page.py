"""The page Start, without a browser."""

import numpy as np
import pytest

from core import explain, zoo
from core.networks.effects import strongest_cut
from dashboard.pages.start import texts
from dashboard.pages.start.excerpt import KEPT, excerpt_of
from dashboard.runs.evidence import evidence_of
from dashboard.runs.stories import NETWORK, OPENING, STANDARD, story_of
from tests.dashboard.app import ROOT, component, leaks, open_app, shown_as_markdown


def typed(text):
    """The page after a text was typed."""
    app = open_app("start")
    app.session_state["typed"], app.session_state["typed_by_user"] = text, True
    return app.run()


def shown_pieces(app):
    (story,) = component(app, "story")
    return story, "".join(piece for piece, _ in story["pieces"])


def test_it_opens_on_the_shipped_story():
    app = open_app("start").run()
    assert not app.exception
    story, text = shown_pieces(app)
    assert text == OPENING
    assert component(app, "text_box")[0]["text"] == OPENING
    assert story["runs"][1]["button"] == "Cut “never” and watch"
    assert story["runs"][1]["result"] == "Yes: without “never” the prediction is positive (36%), not negative."
    assert [len(caption) > 20 for caption in story["runs"][0]["captions"]] == [True] * 3
    shares = np.array(story["runs"][0]["shares"])  # [t, j, i]: those of a capsule sum to 1
    np.testing.assert_allclose(shares.sum(-1), 1, atol=0.01)
    assert any("](docs/first-finding.html)" in text for text in shown_as_markdown(app))
    assert not leaks(app, ROOT)


def test_a_typed_text_is_run_and_stays_text():
    text = "<b>so</b> *very* good"
    app = typed(text)
    assert not app.exception
    assert shown_pieces(app)[1] == text
    assert not any(text in shown for shown in shown_as_markdown(app))


def test_a_text_of_one_word_has_its_own_captions():
    app = typed("good")
    assert not app.exception
    whole, cut = (run.get("telling", run)["captions"] for run in shown_pieces(app)[0]["runs"])
    assert whole[:2] == ["The text has one word, so every capsule takes everything from it."] * 2
    assert cut[-1].startswith("Without its only word, the text gives the capsules nothing: the network answers")


@pytest.mark.parametrize(("text", "sentence"), [(" ", "no word"), ("good " * 500, "400 words")])
def test_a_text_without_a_word_or_too_long_gets_a_sentence(text, sentence):
    app = typed(text)
    assert not app.exception
    said = [*(info.value for info in app.info), *(warning.value for warning in app.warning)]
    assert any(sentence in one for one in said), said
    assert app.get("page_link")  # the rest of the page is there


def test_a_long_text_is_drawn_in_part_and_says_so():
    rng = np.random.default_rng(0)
    text = " ".join(rng.choice(["warm", "dull", "film", "the", "never"], 200))
    story, drawn = shown_pieces(typed(text))
    assert KEPT <= len(story["runs"][0]["shares"][0][0]) <= KEPT + 1
    assert "of the 200 words" in story["note"]
    assert drawn.count("…") >= 1


def test_an_excerpt_keeps_the_text_between_neighbours():
    words = [f"w{k}" for k in range(100)]
    text, at, spans = "  ".join(words), 0, []
    for word in words:
        spans.append((at, at + len(word)))
        at += len(word) + 2
    shares = np.zeros(100)
    shares[[0, 1, 50]] = 1
    excerpt = excerpt_of(text, spans, shares, 99)
    assert excerpt.words[[0, 1, -1]].tolist() == [0, 1, 99]
    assert "".join(piece for piece, _ in excerpt.pieces).startswith("w0  w1  w2")
    assert len(excerpt.words) <= KEPT + 1


def test_the_cut_word_moves_the_answer_most():
    """Checked against runs with each word dropped."""
    checkpoint = zoo.load(NETWORK, "cpu")
    text = "It is not a bad film at all, but it is long."
    whole = explain(checkpoint, text)
    moved = [
        np.abs(explain(checkpoint, text, edits=[f"drop:{i}"]).class_probabilities - whole.class_probabilities).sum()
        for i in range(len(whole.tokens))
    ]
    assert strongest_cut(checkpoint, text) == story_of(text).word == int(np.argmax(moved))


def test_the_verdict_has_the_numbers_of_both_networks():
    sentence = texts.verdict(evidence_of(NETWORK), evidence_of(STANDARD))
    assert all(part in sentence for part in ("2,210", "**87%**", "finds the words that matter", "**12%**"))
    assert texts.verdict(None, evidence_of(STANDARD)) == texts.NOT_TESTED


@pytest.mark.parametrize(
    ("after", "said"),
    [
        ([0.7, 0.3], "Yes: without “so” the prediction is bad (70%), not fine."),
        ([0.4, 0.6], "Yes: without “so”, fine falls from 80% to 60%."),
        ([0.1, 0.9], "Yes, a little: without “so”, fine rises from 80% to 90%."),
        ([0.18, 0.82], "Hardly: without “so”, fine goes from 80% to 82%, and no other word matters more."),
        ([0.2, 0.8], "No: without “so” the network answers the same, and no other word matters more."),
    ],
)
def test_a_cut_says_what_it_changed(after, said):
    assert texts.cut_result("so", np.array([0.2, 0.8]), np.array(after), ["bad", "fine"]) == said


def test_one_word_makes_up_every_capsule():
    (only,) = texts.captions(np.ones((1, 1, 3)), ["so"], np.array([[0.5, 0.5]]), ["bad", "fine"])
    assert "“so” makes up most of every capsule:" in only


def test_captions_say_what_each_capsule_takes():
    shares = np.array([[[0.5, 0.5], [0.5, 0.5]], [[0.9, 0.2], [0.1, 0.8]]])
    first, last = texts.captions(shares, ["so", "good"], np.array([[0.5, 0.5], [0.3, 0.7]]), ["bad", "fine"])
    assert "takes 50.0% from every word" in first
    assert (
        "“so” makes up most of capsule 1 and “good” makes up most of capsule 2: the network answers “fine” (70%)"
        in last
    )
