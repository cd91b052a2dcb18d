"""The tab Does it hold of every page without a browser."""

import json

import numpy as np
import pytest

from core import manifest, zoo
from core.analysis.faithfulness import curves
from core.evidence.probes import probe
from core.evidence.texts import probability
from dashboard import runs
from dashboard.runs.evidence import _evidence
from dashboard.shared.does_it_hold import split_sentence
from tests.dashboard.app import open_app, open_tab, shown_as_markdown, titles, typed

PAGES = ["routing", "kmeans", "sentiment_capsules", "agt", "drnn"]
TEXT = "A dull film, but the end is superb."


@pytest.mark.parametrize("page", PAGES)
def test_every_page_says_whether_its_picture_holds_for_the_text(page, no_sweeps):
    app = open_tab(open_app(page), "Does it hold?")
    assert not app.exception
    assert any(text.startswith("In this text, deleting the words") for text in shown_as_markdown(app))
    assert {"Deleting words, highest first", "Giving words, highest first"} <= set(titles(app))


@pytest.mark.parametrize("text", ["film", "👩", "<script>alert(1)</script>", "a\x00b"])
def test_odd_texts_get_a_sentence(text, no_sweeps):
    app = open_tab(open_app("routing"), "Does it hold?")
    typed(app, text)
    assert not app.exception


def test_the_curves_are_the_network_s_own():
    found = runs.curves_of_text("dragg-sst5", "cpu", TEXT, "masked")
    read = probe(zoo.load("dragg-sst5", "cpu"), TEXT)
    alone = curves(read.rankings["coupling"], probability(read, "masked"))
    assert np.allclose(found.curves["coupling"].deletion, alone.deletion, atol=1e-5)
    assert np.allclose(found.curves["coupling"].insertion, alone.insertion, atol=1e-5)
    assert found.deletion.shape == (20, len(found.words))


def test_a_document_s_sentences_are_deleted(no_sweeps):
    app = open_app("routing")
    app.query_params["checkpoint"] = "dragg-imdb"
    open_tab(app, "Does it hold?")
    assert not app.exception
    assert len(titles(app)) > 1


def of(mean, low, high):
    return {"aopc": {"mean": mean, "interval": [low, high]}}


@pytest.mark.parametrize(
    ("own", "words"),
    [(of(0.3, 0.25, 0.35), "more than"), (of(0.1, 0.08, 0.12), "less than"), (of(0.2, 0.16, 0.24), "within chance")],
)
def test_the_split_s_sentence_says_how_it_compares_with_random(own, words):
    assert words in split_sentence({"coupling": own, "random": of(0.2, 0.18, 0.22)}, "coupling")


def test_evidence_of_other_weights_is_not_shown(tmp_path, monkeypatch):
    folder = tmp_path / "dragg-sst5"
    folder.mkdir()
    monkeypatch.setattr(manifest, "folders", lambda: {"dragg-sst5": folder})
    (folder / "evidence.json").write_text(json.dumps({"weights": "other"}))
    assert _evidence.__wrapped__("dragg-sst5", "mine") is None
    (folder / "evidence.json").write_text(json.dumps({"weights": "mine"}))
    assert _evidence.__wrapped__("dragg-sst5", "mine") == {"weights": "mine"}
