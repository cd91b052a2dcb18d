"""The section Test it of every page's inspector, without a browser."""

import json

import numpy as np
import pytest

from core import zoo
from core.analysis.faithfulness import Curves, TextCurves, curves
from core.measured.evidence.badge import Badge
from core.measured.evidence.probes import probe
from core.measured.evidence.record import Evidence
from core.measured.evidence.texts import probability
from dashboard.figures.faithfulness import curves_against_random
from dashboard.runs import checkpoints
from dashboard.runs.evidence import curves_of_sample, evidence_of
from dashboard.screen import evidence as words
from dashboard.screen.does_it_hold import OWN, WAYS
from dashboard.screen.waits import CANCELLED
from tests.core.measured.evidence.samples import EVIDENCE
from tests.dashboard.app import component, open_app, open_section, shown_as_markdown, titles, type_text

PAGES = ["routing", "kmeans", "sentiment_capsules", "agt", "drnn"]
TEXT = "A dull film, but the end is superb."


@pytest.mark.parametrize("page", PAGES)
def test_every_page_says_whether_its_picture_holds_for_the_text(page, no_sweeps):
    app = open_section(open_app(page), "Test it")
    assert not app.exception
    assert any(text.startswith("In this text, deleting words in") for text in shown_as_markdown(app))
    assert {"Deleting words, most important first", "Adding words back, most important first"} <= set(titles(app))


def test_the_smallnorb_page_deletes_places_of_pictures(no_sweeps):
    app = open_section(open_app("smallnorb"), "Test it")
    assert not app.exception
    assert any(text.startswith("For this pair, deleting places in") for text in shown_as_markdown(app))
    assert "Deleting places, most important first" in titles(app)


def test_titles_of_the_curves_have_the_room_of_their_labels():
    """In the middle of the plot, the longest title left a column of 240 pixels at its right."""
    ones = {OWN: np.ones(3)}
    figure = curves_against_random(np.arange(3), ones, np.ones((2, 3)), "places added back (10 of 81 points)", "P(car)")
    assert {layer["encoding"]["x"]["axis"]["titleAnchor"] for layer in figure.spec["layer"]} == {"end"}


def test_the_rest_of_the_page_stays_with_a_text_of_one_word(no_sweeps):
    app = open_section(open_app("routing"), "Test it")
    type_text(app, "film")
    assert not app.exception
    assert any("This text has only one word" in info.value for info in app.info)
    assert any("Over the test split" in text for text in shown_as_markdown(app))
    assert component(app, "scrubber")


LONG = " ".join(["A dull film , but the end is superb ."] * 12)


def test_a_long_text_is_thinned_with_a_notice_and_a_click_runs_all(no_sweeps):
    app = open_section(open_app("routing"), "Test it")
    type_text(app, LONG)
    assert not app.exception
    assert "Thinned, as there are 120 words: 53 of 120 points on each curve." in [one.value for one in app.caption]
    assert "words deleted (53 of 120 points)" in axis_titles(app)
    app.button(key="run exactly").click().run()
    assert not app.exception
    assert "words deleted" in axis_titles(app)
    assert not any(one.value.startswith("Thinned") for one in app.caption)


def axis_titles(app):
    """The titles of the charts' horizontal axes."""
    specs = [json.loads(chart.proto.spec) for chart in app.get("vega_lite_chart")]
    layers = [layer["encoding"] for spec in specs for layer in spec.get("layer", ())]
    return {encoding["x"]["title"] for encoding in layers if "x" in encoding}


def test_cancelled_curves_can_be_resumed_and_the_page_stays(no_sweeps):
    app = open_app("routing")
    app.session_state[CANCELLED] = (("dragg-reversed-sst5", TEXT), "masked", False)
    type_text(open_section(app, "Test it"), TEXT)
    assert not app.exception
    assert "Deleting words: cancelled." in [one.value for one in app.caption]
    assert any("Over the test split" in text for text in shown_as_markdown(app))
    assert component(app, "scrubber")
    app.button(key="go on Deleting words").click().run()
    assert any(text.startswith("In this text, deleting words in") for text in shown_as_markdown(app))


@pytest.mark.parametrize("text", ["film", "👩", "<script>alert(1)</script>", "a\x00b"])
def test_odd_texts_raise_no_error(text, no_sweeps):
    app = open_section(open_app("routing"), "Test it")
    type_text(app, text)
    assert not app.exception


def test_the_curves_equal_those_of_the_core():
    found = curves_of_sample("dragg-sst5", "cpu", TEXT, "masked")
    read = probe(zoo.load("dragg-sst5", "cpu"), TEXT)
    expected = curves(read.rankings["coupling"], probability(read, "masked"))
    assert np.allclose(found.curves["coupling"].deletion, expected.deletion, atol=1e-5)
    assert np.allclose(found.curves["coupling"].insertion, expected.insertion, atol=1e-5)
    assert found.deletion.shape == (20, len(found.parts))


def test_the_sentences_of_a_document_are_deleted(no_sweeps):
    app = open_app("routing")
    app.query_params["checkpoint"] = "dragg-imdb"
    open_section(app, "Test it")
    assert not app.exception
    assert len(titles(app)) > 1


@pytest.fixture
def measured(add_model):
    """A function that makes a tiny network with evidence, and returns the path of the evidence."""

    def add(**other):
        folder = add_model("dragg")
        stored = EVIDENCE | {"weights": checkpoints.about("tiny").sha256} | other
        (folder / "evidence.json").write_text(json.dumps(stored))
        return folder / "evidence.json"

    return add


def test_measurements_over_the_test_split_are_shown(measured, no_sweeps):
    measured()
    app = open_app("routing")
    app.query_params["checkpoint"] = "tiny"
    shown = " ".join(shown_as_markdown(open_section(app, "Test it")))
    assert not app.exception
    assert "costs the answer 20.0 points, more than deleting random words (10.0 points)" in shown
    assert "It is 51.0% with 1, 52.0% with 2, 54.0% with 4" in shown
    assert (
        "1 of 3 capsules is dead (length or activation below 0.1) on more than half of the texts. "
        "Accuracy falls if capsule 1 is left out." in shown
    )
    assert "not which words were their reasons." in shown
    assert "Over 100 texts, it does not" in shown


@pytest.mark.parametrize("way", ["masked", "removed"])
def test_the_sentence_says_how_words_compare_with_random_ones(way):
    says = words.describe_deleting(Evidence.read(EVIDENCE), way)
    assert ("more than deleting" if way == "masked" else "about as much as deleting random words") in says


THREE = Badge("", "coupling", 0.87, n=2210, trainings=(0.87, 0.9, 0.86))
FINDS, SOME = Badge("", "coupling", 0.87, n=2210), Badge("", "coupling", 0.12, n=2210)
NO_BETTER, UNKNOWN = Badge("", "coupling", None, n=2210), Badge("not measured")


@pytest.mark.parametrize(
    ("badge", "n_beaten", "end"),
    [
        (
            FINDS,
            20,
            "beats random words if they are masked or removed. Over 2,210 texts, it finds the words that matter (87% "
            "of a direct test's effect), so in general you may believe which words it ranks highest.",
        ),
        (
            THREE,
            18,
            "it does find the words that matter (86% to 90% of a direct test's effect), but mistrust it here.",
        ),
        (
            FINDS,
            18,
            "it does find the words that matter (87% of a direct test's effect), but mistrust it here.",
        ),
        (
            SOME,
            19,
            "it finds only some of the words that matter (12% of a direct test's effect), so take it as a hint.",
        ),
        (
            SOME,
            3,
            "it finds only some of the words that matter (12% of a direct test's effect), so mistrust it.",
        ),
        (
            NO_BETTER,
            20,
            "beats random words if they are masked or removed. Over 2,210 texts, it does not, so take this for luck.",
        ),
        (NO_BETTER, 0, "Over 2,210 texts, it does not either, so do not read it as an explanation."),
        (
            UNKNOWN,
            20,
            "beats random words if they are masked or removed. Nobody has measured yet whether it does in other texts.",
        ),
        (
            UNKNOWN,
            0,
            "does not clearly beat random words if they are masked or removed. Nobody has measured yet whether it does "
            "in other texts.",
        ),
    ],
)
def test_one_sentence_reconciles_a_text_with_the_test_split(badge, n_beaten, end):
    sentence = words.reconcile(dict.fromkeys(WAYS, result_with(n_beaten)), badge)
    assert sentence.startswith("In this text, the picture ")
    assert sentence.endswith(end)


@pytest.mark.parametrize(
    ("badge", "end"),
    [
        (FINDS, "it finds the words that matter (87% of a direct test's effect), but take it only as a hint here."),
        (SOME, "it finds only some of the words that matter (12% of a direct test's effect), so take it as a hint."),
        (NO_BETTER, "Over 2,210 texts, it does not, so take this for luck."),
        (UNKNOWN, "Nobody has measured yet whether it does in other texts."),
    ],
)
def test_two_ways_that_disagree_are_told_in_one_sentence(badge, end):
    sentence = words.reconcile({"masked": result_with(3), "removed": result_with(20)}, badge)
    assert sentence.startswith(
        "In this text, the picture beats random words if they are removed, but not clearly if they are masked. "
    )
    assert sentence.endswith(end)


def test_the_verdict_counts_the_ways_that_were_looked_at(no_sweeps):
    app = open_section(open_app("routing"), "Test it")
    verdicts = []
    for way in ("removed", "masked"):
        app.session_state["deleted"] = way
        app.run()
        verdicts += [text for text in shown_as_markdown(app) if text.startswith("**In this text, the picture ")]
    assert [" if they are masked or removed. " in verdict for verdict in verdicts] == [True, True]
    type_text(app, TEXT)
    (verdict,) = [text for text in shown_as_markdown(app) if text.startswith("**In this text, the picture ")]
    assert " if they are masked. " in verdict


def result_with(n_beaten):
    """Curves of a text. The answer falls from 1 to 0; of 20 random orders, those that are beaten keep it at 1."""
    falls, stays = np.array([1, 0, 0]), np.array([1, 1, 1])
    random = np.array([stays] * n_beaten + [falls] * (20 - n_beaten))
    curves = {"deciding coupling": Curves(np.arange(3), falls, falls), "coupling": Curves(np.arange(3), stays, stays)}
    return TextCurves(["a"] * 3, "word", 0, dict.fromkeys(curves, falls), curves, random, random, 3)


def test_evidence_of_other_weights_is_not_shown(measured):
    path = measured(weights="other")
    assert evidence_of("tiny") is None
    path.write_text(json.dumps(EVIDENCE | {"weights": checkpoints.about("tiny").sha256}))
    assert evidence_of("tiny").n == 100


@pytest.mark.parametrize("content", ["", "{", "[" * 100_000, "[]", '{"weights": 3}'])
def test_a_damaged_file_is_not_read_as_evidence(content, measured, no_sweeps):
    measured().write_text(content)
    assert evidence_of("tiny") is None
