"""The Routing page with a network that reads documents, without a browser."""

import json

import pytest

from core.measured import store
from dashboard import examples, runs
from dashboard.runs import checkpoints
from tests.conftest import save_tiny_documents
from tests.dashboard.app import (
    ODD_TEXTS,
    check_no_word,
    component,
    download_labels,
    open_app,
    open_numbers,
    shown_as_markdown,
    typed,
)

NAME = "tiny-documents"
CHARTS = 1 + 3 + 1 + 4  # sentences by capsules, a cell's history, words by capsules, progress


@pytest.fixture
def app(tmp_path, monkeypatch):
    """The page with a random network beside the shipped ones, chosen."""
    folder = save_tiny_documents(tmp_path / "models")
    metrics = {"parameters": 1, "test": {"accuracy": None}, "paper": {"accuracy": None}}
    (folder / "metrics.json").write_text(json.dumps(metrics))
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(folder.parent))
    monkeypatch.setattr(store, "SWEEPS", tmp_path)
    checkpoints.survey.clear()
    app = open_app("routing")
    app.query_params["checkpoint"] = NAME
    yield app
    checkpoints.survey.clear()


def test_first_screen(app):
    app.run()
    assert not app.exception
    assert app.text_area(key="text").value == examples.REVIEWS["Turn"]
    assert len(app.get("vega_lite_chart")) == CHARTS
    assert app.number_input(key="sentence").value == 1
    labels = download_labels(app)
    assert labels == ["CSV, cells", "CSV, iterations", "CSV, sentences", "CSV, words", "JSON", "Figures"]
    whole, sentence = component(app, "shading")
    assert "".join(piece for piece, _ in whole["segments"]) == app.text_area(key="text").value
    assert "".join(piece for piece, _ in sentence["segments"]) == "I went in with low hopes."
    assert "None" not in shown_as_markdown(app)


def test_numbers_are_the_model_s(app):
    app.run()
    app.number_input(key="sentence").set_value(3).run()
    trace = runs.run(NAME, "cpu", app.text_area(key="text").value).first(3)
    open_numbers(app)
    cells = app.dataframe[0].value
    assert cells["cᵢⱼ"].to_numpy().tolist() == trace.layers[1]["coupling"].ravel().tolist()
    best = trace.probabilities[-1].argmax()
    effects = app.dataframe[2].value
    assert len(effects) == 6
    assert effects.iloc[:, 2 + best].tolist() == [effect[best] for effect in trace.extra["effect"]]
    whole, sentence = component(app, "shading")
    row = [max(0.0, effect[best]) for effect in trace.extra["effect"]]
    most = max(abs(effect[best]) for effect in trace.extra["effect"])
    assert whole["shares"][0][0] == pytest.approx([e / most for e in row], abs=1e-4)
    those = [i for i, s in enumerate(trace.extra["sentence_of"]) if s == 2]
    assert sentence["shares"][-1][0] == pytest.approx(trace.steps["coupling"][-1, those, 0], abs=1e-4)


def test_line_breaks_of_html_are_no_words_and_shown_as_typed(app):
    text = typed(app.run(), "A good film<br /><br>Bad. So<br/>good").text_area(key="text").value
    whole, _ = component(app, "shading")
    assert "".join(piece for piece, _ in whole["segments"]) == text
    open_numbers(app)
    assert app.dataframe[2].value["text"].tolist() == ["A good film", "Bad.", "So", "good"]


def test_a_shorter_text_does_not_lose_the_page(app):
    app.run()
    app.number_input(key="sentence").set_value(5).run()
    typed(app, "Short.")
    assert not app.exception
    assert app.number_input(key="sentence").value == 1


def test_of_many_sentences_the_first_are_read_with_a_notice(app):
    typed(app.run(), "A bad film! " * 300)
    assert not app.exception
    assert "Only the first 200 sentences" in app.warning[0].value
    open_numbers(app)
    assert len(app.dataframe[2].value) == 200


def test_one_sentence_has_nothing_to_be_compared_with(app):
    typed(app.run(), "A bad film!")
    assert not app.exception
    assert any("There is one sentence only" in caption.value for caption in app.caption)
    assert len(component(app, "shading")) == 1


def test_what_a_sentence_is_worth_is_of_the_class_that_the_model_answers(app):
    """However many iterations are shown."""
    app.query_params["iterations"] = "1"
    app.run()
    trace = runs.run(NAME, "cpu", app.text_area(key="text").value)
    name = trace.classes[trace.probabilities[2].argmax()]
    assert any(f"the log-odds of {name}, after 3 iterations," in caption.value for caption in app.caption)


def test_standard_beside_reversed(app, tmp_path):
    twin = save_tiny_documents(tmp_path / "models", "tiny-reversed", normalize="input")
    (twin / "metrics.json").write_text((twin.parent / NAME / "metrics.json").read_text())
    checkpoints.survey.clear()
    app.query_params["beside"] = "true"
    app.run()
    assert not app.exception
    assert len(component(app, "shading")) == 2 * 2
    assert len(app.get("vega_lite_chart")) == 2 * CHARTS


def test_an_example_gives_way_to_those_of_another_network_and_a_text_of_one_s_own_does_not(app):
    app.run()
    app.selectbox(key="checkpoint").set_value("dragg-sst5").run()
    assert app.text_area(key="text").value.startswith("The acting is superb")
    typed(app, "My own.")
    app.selectbox(key="checkpoint").set_value(NAME).run()
    assert app.text_area(key="text").value == "My own."


@pytest.mark.parametrize("text", ["", "\x00\x01"])
def test_no_word_is_one_sentence(app, text):
    check_no_word(app, text)


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_odd_texts_are_shown_as_typed(app, text):
    typed(app.run(), text)
    assert not app.exception
    assert text.startswith("".join(piece for piece, _ in component(app, "shading")[0]["segments"]))
    assert len(text) == 1 or not any(text in shown for shown in shown_as_markdown(app))


def test_a_hundred_thousand_words_are_cut_with_a_notice(app):
    typed(app.run(), "good film " * 50_000)
    assert not app.exception
    assert "Only the first 2,000 words" in app.warning[0].value
    assert len(component(app, "shading")[1]["segments"]) == 200 + 199  # a sentence without an end is broken
