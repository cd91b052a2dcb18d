"""The Sentiment capsules page without a browser."""

import numpy as np
import pytest

from dashboard import runs
from dashboard.runs import checkpoints
from tests.dashboard.app import ODD_TEXTS, component, download_labels, open_app, open_numbers, shown_as_markdown, typed

CHARTS = 3 + 2 + 3 + 2 + 3  # heat maps, of a part, of the classes, Gaussians, progress


@pytest.fixture
def app():
    return open_app("sentiment_capsules")


def test_first_screen(app):
    app.run()
    assert not app.exception
    assert app.selectbox(key="checkpoint").value == "em-sst5"
    assert app.text_area(key="text").value.startswith("The acting is superb")
    part = int(app.number_input(key="part").value) - 1
    (scrubber,) = component(app, "scrubber")
    driven = {"label": "Routing iteration", "param": "iteration", "address": "t", "follows": ""}
    assert scrubber == {"n": 3, "start": 3, "signals": {"picked": part, "turn": 1}, **driven}
    assert len(app.get("vega_lite_chart")) == CHARTS
    labels = download_labels(app)
    assert labels == ["CSV, credit", f"CSV, part {part + 1}", "CSV, parts", "CSV, classes", "JSON", "Figures"]


def test_numbers_are_the_model_s(app):
    typed(app.run(), "A good film, and a long one.")
    trace = runs.run("em-sst5", "cpu", "A good film, and a long one.").first(3)
    open_numbers(app)
    credit, part, parts, classes = (table.value for table in app.dataframe)
    assert classes["scores"].to_numpy().tolist() == trace.layers[1]["scores"].ravel().tolist()
    assert parts["benefit"].to_numpy().tolist() == trace.layers[0]["benefit"].ravel().tolist()
    totals = credit.groupby(["iteration", "class"], sort=False)["credit"].sum().to_numpy()
    np.testing.assert_allclose(totals, trace.layers[1]["scores"].ravel(), rtol=1e-4, atol=1e-4)
    j = int(app.number_input(key="part").value) - 1
    assert len(part) == 3 * len(trace.tokens) * 7
    np.testing.assert_allclose(part["D_use"] + part["D_ign"], 1, atol=1e-6)
    of_words = trace.layers[0]["coupling"][:, :, j].reshape(3, -1, 7)  # every word here is one piece
    np.testing.assert_allclose(part["R"], of_words.ravel(), rtol=1e-6)


def test_the_part_shown_first_is_the_one_that_decides(app):
    app.run()
    trace = runs.run("em-sst5", "cpu", app.text_area(key="text").value)
    effect = trace.layers[1]["effect"][2, :, trace.probabilities[2].argmax()]
    assert app.number_input(key="part").value == abs(effect).argmax() + 1


def test_another_text_shows_its_own_leading_part_and_a_chosen_one_stays(app):
    app.run()
    chosen = 3.0 if app.number_input(key="part").value != 3 else 4.0
    app.number_input(key="part").set_value(chosen).run()
    app.slider(key="iterations").set_value(4).run()
    assert app.number_input(key="part").value == chosen
    typed(app, "A dull film.")
    trace = runs.run("em-sst5", "cpu", "A dull film.")  # led by the model's own count, however many are shown
    effect = trace.layers[1]["effect"][2, :, trace.probabilities[2].argmax()]
    assert app.number_input(key="part").value == abs(effect).argmax() + 1
    app.number_input(key="part").set_value(None).run()
    assert not app.exception


def test_the_address_sets_every_input(app):
    values = {"checkpoint": "em-sst2", "iterations": "7", "part": "9", "show": "D_ign", "example": "Plain"}
    for name, value in values.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert app.selectbox(key="checkpoint").value == "em-sst2"
    (scrubber,) = component(app, "scrubber")
    assert (scrubber["n"], scrubber["signals"]["picked"]) == (7, 8)
    assert app.text_area(key="text").value == "A warm, funny and deeply moving film."
    assert any("D_ign = 1 - R" in caption.value for caption in app.caption)


@pytest.mark.parametrize("value", ["<script>", "inf", "-inf", "1e400", "nan", "-1", "99999", "", "²"])
def test_nonsense_in_the_address_is_ignored(app, value):
    for name in ("checkpoint", "iterations", "part", "show", "example", "t"):
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert len(app.get("vega_lite_chart")) == CHARTS


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_odd_texts_are_taken_as_typed(app, text):
    app.run()
    typed(app, text)
    assert not app.exception
    assert app.text_area(key="text").value == text
    assert len(app.get("vega_lite_chart")) == CHARTS
    assert len(text) == 1 or not any(text in shown for shown in shown_as_markdown(app))


@pytest.mark.parametrize("text", ["", "   ", "\x00\x01", "\u0301"])
def test_nothing_to_read_is_one_sentence(app, text):
    app.run()
    typed(app, text)
    assert not app.exception
    assert [i.value.endswith("Type a sentence.") for i in app.info] == [True]


def test_a_hundred_thousand_words_are_cut_with_a_notice(app):
    app.run()
    typed(app, "good film " * 50_000)
    assert not app.exception
    assert "Only the first 400 words" in app.warning[0].value


def test_a_transformer_that_is_not_here_is_one_sentence(app, tmp_path, monkeypatch):
    from tests.conftest import save_tiny

    folder = save_tiny(tmp_path / "models", "em-sst")
    config = (folder / "config.json").read_text()
    (folder / "config.json").write_text(config.replace("all-MiniLM-L6-v2", "no-such-transformer"))
    metrics = '{"parameters": 1, "test": {"accuracy": null}, "paper": {"accuracy": 0.5}}'
    (folder / "metrics.json").write_text(metrics)
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path / "models"))
    checkpoints.survey.clear()
    app.query_params["checkpoint"] = "tiny-em"
    app.run()
    checkpoints.survey.clear()
    assert not app.exception
    assert "no-such-transformer cannot be loaded from this machine" in app.info[0].value.replace("\\", "")
    assert any("not measured here" in caption.value for caption in app.caption)
