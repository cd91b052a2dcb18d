"""The AGT page without a browser."""

import json

import numpy as np
import pandas as pd
import pytest

from core.measured import store
from dashboard import runs
from dashboard.composition import findings
from dashboard.runs import checkpoints
from tests.conftest import save_tiny_agt
from tests.dashboard.app import (
    ODD_TEXTS,
    check_cut,
    check_no_word,
    component,
    download_labels,
    open_app,
    open_numbers,
    shown_as_markdown,
    typed,
)

CHARTS = 1 + 3 + 4 + 1  # attention, classes and gates, phrases and words, the ablation
TABLES = ["attention", "composed", "layers", "gates"]


@pytest.fixture
def app():
    return open_app("agt")


@pytest.fixture
def tiny_shown(tmp_path, monkeypatch):
    """A random network beside the shipped one, of three layers of which one attends, nothing measured."""
    folder = save_tiny_agt(tmp_path / "models", n_attending=1)
    metrics = {"parameters": 1, "test": {"accuracy": None}, "paper": {"accuracy": 0.5}}
    (folder / "metrics.json").write_text(json.dumps(metrics))
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(folder.parent))
    checkpoints.survey.clear()
    yield
    checkpoints.survey.clear()


def test_first_screen(app):
    app.run()
    assert not app.exception
    assert app.selectbox(key="checkpoint").value == "agt-sst5"
    assert app.text_area(key="text").value.startswith("Though the plot")
    driven = {"label": "Layer", "param": "layer", "address": "layer", "follows": "", "signals": {}}
    assert component(app, "scrubber") == [{"n": 15, "start": 15, **driven}]
    assert len(app.get("vega_lite_chart")) == CHARTS
    labels = download_labels(app)
    assert labels[:4] == [f"CSV, {title}" for title in TABLES]
    assert labels[-2:] == ["JSON", "Figures"]
    assert any("Layers: 15." in shown.value for shown in app.markdown)


def test_numbers_are_the_model_s(app):
    text = "Not so much a movie as a picture book for the big screen."
    typed(app.run(), text)
    trace = runs.run("agt-sst5", "cpu", text)
    open_numbers(app)
    shown = {column: table.value for table in app.dataframe for column in table.value.columns}
    attention = shown["share of the largest"]
    assert attention["attention"].to_numpy().tolist() == trace.extra["attention"].ravel().tolist()
    largest = trace.extra["attention"].max(1, keepdims=True)
    np.testing.assert_allclose(attention["share of the largest"], (trace.extra["attention"] / largest).ravel())
    assert (attention["selected"] == (attention["share of the largest"] > 0.95)).all()
    assert shown["T"]["T"].to_numpy().tolist() == trace.extra["gates"].ravel().tolist()
    (shading,) = component(app, "shading")
    assert shading["param"] == "layer"
    assert len(shading["shares"]) == len(shading["notes"]) == 15
    first = attention[attention["layer"] == 1]
    assert shading["notes"][0] == [f"Layer 1 · {first['selected'].sum()} of {len(trace.tokens)} words selected"]


def test_the_threshold_decides_what_is_selected(app):
    app.run()
    before = app.dataframe[0].value
    app.slider(key="threshold").set_value(0.5).run()
    composed = app.dataframe[0].value
    assert "selected, above 0.50" in composed.columns
    assert composed["selected, above 0.50"].tolist() == composed["relaxed, above .5"].tolist()
    assert before["relaxed, above .5"].tolist() == composed["relaxed, above .5"].tolist()


def test_the_address_sets_every_input(app):
    for name, value in {"checkpoint": "agt-sst5", "threshold": "0.7", "example": "Not so much"}.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert app.slider(key="threshold").value == 0.7
    assert app.text_area(key="text").value.startswith("Not so much")


@pytest.mark.parametrize("value", ["<script>", "inf", "-inf", "1e400", "nan", "-1", "99999", "", "²"])
def test_nonsense_in_the_address_is_ignored(app, value):
    for name in ("checkpoint", "threshold", "example", "layer"):
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert len(app.get("vega_lite_chart")) == CHARTS


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_odd_texts_are_shown_as_typed(app, text):
    app.run()
    typed(app, text)
    assert not app.exception
    (shading,) = component(app, "shading")
    assert text.startswith("".join(piece for piece, _ in shading["segments"]))
    assert len(text) == 1 or not any(text in shown for shown in shown_as_markdown(app))


@pytest.mark.parametrize("text", ["", "   ", "\x00\x01", "\u200b\u200d"])
def test_no_word_is_one_sentence(app, text):
    check_no_word(app, text)


def test_a_hundred_thousand_words_are_cut_with_a_notice(app):
    check_cut(app)


def test_a_network_with_less_attention_that_nobody_measured(app, tiny_shown):
    app.query_params["checkpoint"] = "tiny-agt"
    app.run()
    assert not app.exception
    (shading,) = component(app, "shading")
    assert shading["shares"][1:] == [[[0.0] * len(shading["shares"][0][0])]] * 2
    assert [note for (note,) in shading["notes"]][1:] == ["Layer 2 has no attention", "Layer 3 has no attention"]
    assert any("core.measured selections NAME" in caption.value for caption in app.caption)
    assert len(app.get("vega_lite_chart")) == CHARTS - 3 - 1  # of the test split


def test_findings_by_hand():
    """Three layers: attention at the ends of the scale, phrases longest in the last, gates lowest in the second."""
    attention = np.zeros((3, 20), int)
    attention[:, [0, 19]] = 5
    lengths = np.zeros((3, 8), int)
    lengths[0, 0], lengths[1, :2], lengths[2, 2] = 4, 2, 1
    gates = np.zeros((2, 20), int)
    gates[0, 1], gates[1, 10] = 4, 4
    words = np.array([["n't", "never", "not"] + [""] * 7] * 3)
    found = findings({"attention": attention, "lengths": lengths, "gates": gates, "top_words": words})
    assert found["They agree"].tolist() == ["yes", "yes", "yes", "no", "no"]
    assert found["Here"][0].startswith("100% of the words")
    assert found["Here"][3] == "Layer 3 has the longest, 3.00 words in the mean; layer 1 1.00, the last 3.00"
    assert "most in layer 2, 100%" in found["Here"][4]


def test_layers_that_hardly_differ_are_taken_to_be_alike():
    """Fifteen layers: the eighth has a few phrases and gates near zero more than the others, no more than that."""
    attention, lengths, gates = np.ones((15, 20), int), np.zeros((15, 8), int), np.zeros((14, 20), int)
    lengths[:, :2], gates[:, [0, 19]] = (990, 10), (10, 990)
    lengths[7, :2], gates[6, [0, 19]] = (970, 30), (30, 970)
    words = np.array([["is", "it", "a"] + [""] * 7] * 15)
    found = findings({"attention": attention, "lengths": lengths, "gates": gates, "top_words": words})
    assert found["They agree"].tolist() == ["no"] * 5


def test_the_ablation_is_shown_once_it_is_trained(app, tmp_path, monkeypatch):
    monkeypatch.setattr(store, "SWEEPS", tmp_path)
    app.run()
    assert not app.exception
    assert len(app.get("vega_lite_chart")) == CHARTS - 1
    assert any("core.sweep attention" in caption.value for caption in app.caption)
    rows = [(a, s, 0.4, 0.4 + a / 100 + s / 1000, p) for a, p in ((15, 0.505), (3, 0.49), (1, 0.485)) for s in (0, 1)]
    store.save_sweep("attention", pd.DataFrame(rows, columns=["attending", "seed", "dev", "test", "paper"]))
    app.run()
    assert not app.exception
    assert len(app.get("vega_lite_chart")) == CHARTS
    (summary,) = (table.value for table in app.dataframe if "trainings" in table.value.columns)
    assert summary["layers that attend"].tolist() == [15, 3, 1]
    assert summary["paper"].tolist() == [0.505, 0.49, 0.485]
    np.testing.assert_allclose(summary["mean"], [0.5505, 0.4305, 0.4105])
    assert "CSV, ablation" in download_labels(app)
