"""The tab Does it hold? of every page, without a browser."""

import json

import numpy as np
import pytest

from core import zoo
from core.analysis.faithfulness import curves
from core.measured.evidence.probes import probe
from core.measured.evidence.record import Evidence
from core.measured.evidence.texts import probability
from dashboard.runs import checkpoints
from dashboard.runs.evidence import curves_of_sample, evidence_of
from dashboard.screen import evidence as words
from dashboard.screen.waits import CANCELLED
from tests.core.measured.evidence.samples import EVIDENCE
from tests.dashboard.app import component, open_app, open_tab, shown_as_markdown, titles, type_text

PAGES = ["routing", "kmeans", "sentiment_capsules", "agt", "drnn"]
TEXT = "A dull film, but the end is superb."


@pytest.mark.parametrize("page", PAGES)
def test_every_page_says_whether_its_picture_holds_for_the_text(page, no_sweeps):
    app = open_tab(open_app(page), "Does it hold?")
    assert not app.exception
    assert any(text.startswith("In this text, deleting the words") for text in shown_as_markdown(app))
    assert {"Deleting words, highest first", "Giving words, highest first"} <= set(titles(app))


def test_the_smallnorb_page_deletes_places_of_pictures(no_sweeps):
    app = open_tab(open_app("smallnorb"), "Does it hold?")
    assert not app.exception
    assert any(text.startswith("In these pictures, deleting the places") for text in shown_as_markdown(app))
    assert "Deleting places, highest first" in titles(app)


def test_the_rest_of_the_page_stays_with_a_text_of_one_word(no_sweeps):
    app = open_tab(open_app("routing"), "Does it hold?")
    type_text(app, "film")
    assert not app.exception
    assert any("This text has only one word" in info.value for info in app.info)
    assert any("Over the test split" in text for text in shown_as_markdown(app))
    assert component(app, "scrubber")


LONG = " ".join(["A dull film , but the end is superb ."] * 12)


def test_a_long_text_is_thinned_with_a_notice_and_a_click_runs_all(no_sweeps):
    app = open_tab(open_app("routing"), "Does it hold?")
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
    app.session_state[CANCELLED] = (("dragg-sst5", TEXT), "masked", False)
    type_text(open_tab(app, "Does it hold?"), TEXT)
    assert not app.exception
    assert "Deleting words: cancelled." in [one.value for one in app.caption]
    assert any("Over the test split" in text for text in shown_as_markdown(app))
    assert component(app, "scrubber")
    app.button(key="go on Deleting words").click().run()
    assert any(text.startswith("In this text, deleting the words") for text in shown_as_markdown(app))


@pytest.mark.parametrize("text", ["film", "👩", "<script>alert(1)</script>", "a\x00b"])
def test_odd_texts_raise_no_error(text, no_sweeps):
    app = open_tab(open_app("routing"), "Does it hold?")
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
    open_tab(app, "Does it hold?")
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
    shown = " ".join(shown_as_markdown(open_tab(app, "Does it hold?")))
    assert not app.exception
    assert "costs the answer 20.0 points, more than random words (10.0)" in shown
    assert "beyond chance it differs from 51.0% with 1, 52.0% with 2, 54.0% with 4" in shown
    assert "Of 3 capsules 1 is dead on most texts; accuracy falls beyond chance without capsule 1." in shown
    assert "Labels of phrases are no rationales." in shown


@pytest.mark.parametrize("way", ["masked", "removed"])
def test_the_sentence_says_how_words_compare_with_random_ones(way):
    says = words.describe_deleting(Evidence.read(EVIDENCE), way)
    assert ("more than random words" if way == "masked" else "within chance of random words") in says


def test_evidence_of_other_weights_is_not_shown(measured):
    path = measured(weights="other")
    assert evidence_of("tiny") is None
    path.write_text(json.dumps(EVIDENCE | {"weights": checkpoints.about("tiny").sha256}))
    assert evidence_of("tiny").n == 100


@pytest.mark.parametrize("content", ["", "{", "[" * 100_000, "[]", '{"weights": 3}'])
def test_a_damaged_file_is_not_read_as_evidence(content, measured, no_sweeps):
    measured().write_text(content)
    assert evidence_of("tiny") is None
