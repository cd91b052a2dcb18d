"""The Routing page with a network that reads documents, without a browser."""

import pytest

from core.datasets import imdb
from dashboard.runs import checkpoints, texts
from dashboard.runs.deciding import deciding_capsule
from tests.dashboard.app import component, open_app, open_tab, tables, text_in_box, titles, type_text

NAME = "tiny-documents"


@pytest.fixture
def app(no_sweeps, add_model):
    """The page with a chosen random network, in addition to the shipped ones."""
    add_model("dragg-documents")
    app = open_app("routing")
    app.query_params["checkpoint"] = NAME
    return app


def test_the_text_is_shaded_by_sentence_and_a_sentence_by_word(app):
    open_tab(app, "Words of a sentence")
    assert text_in_box(app) == imdb.EXAMPLES["Waste"]
    routed, effects, sentence = component(app, "shading")
    for shading in (routed, effects):
        assert "".join(piece for piece, _ in shading["segments"]) == text_in_box(app)
    trace = texts.run(NAME, "cpu", text_in_box(app))
    capsule, routed = deciding_capsule(trace, "cpu", text_in_box(app)), trace.of_sentences()
    s = routed.inputs_to_capsules.coupling[2, :, capsule].argmax()
    assert "".join(piece for piece, _ in sentence["segments"]) == routed.tokens[s]


def test_numbers_equal_those_of_the_trace(app):
    app.run()
    app.number_input(key="sentence").set_value(3).run()
    trace = texts.run(NAME, "cpu", text_in_box(app), 10).first(10)
    cells = tables(app)["cells"]
    assert cells["c_ij"].to_numpy().tolist() == trace.sentences_to_document.coupling.ravel().tolist()
    best = trace.probabilities[2].argmax()
    effects = tables(app)["sentences"]
    assert len(effects) == 6
    assert effects.iloc[:, 2 + best].tolist() == trace.effect[:, best].tolist()
    _, effect_shading, word_shading = component(open_tab(app, "Words of a sentence"), "shading")
    positive = [max(0.0, effect) for effect in trace.effect[:, best]]
    largest = abs(trace.effect[:, best]).max()
    assert effect_shading["shares"][0][0] == pytest.approx([effect / largest for effect in positive], abs=1e-4)
    couplings = trace.words_to_sentences.coupling[-1, trace.sentence_of == 2, 0]
    assert word_shading["shares"][-1][0] == pytest.approx(couplings, abs=1e-4)


def test_line_breaks_of_html_are_no_words_but_shown_as_typed(app):
    text = text_in_box(type_text(app.run(), "A good film<br /><br>Bad. So<br/>good"))
    routed, *_ = component(app, "shading")
    assert "".join(piece for piece, _ in routed["segments"]) == text
    assert tables(app)["sentences"]["text"].tolist() == ["A good film", "Bad.", "So", "good"]


def test_a_shorter_text_resets_the_chosen_sentence(app):
    app.run()
    app.number_input(key="sentence").set_value(5).run()
    type_text(app, "Short.")
    assert not app.exception
    assert app.number_input(key="sentence").value == 1


def test_only_the_first_of_many_sentences_are_read_with_a_notice(app):
    type_text(app.run(), "A bad film! " * 300)
    assert not app.exception
    assert "Only the first 200 sentences" in app.warning[0].value
    assert len(tables(app)["sentences"]) == 200


def test_a_single_sentence_has_no_comparison(app):
    type_text(open_tab(app, "Words of a sentence"), "A bad film!")
    assert not app.exception
    assert any("This text has only one sentence" in caption.value for caption in app.caption)
    assert len(component(app, "shading")) == 2  # one of the sentence and one of its words


def test_effects_of_sentences_are_on_the_class_of_the_answer(app):
    """The answer comes after the iterations of the training, however many iterations are shown."""
    app.query_params["iterations"] = "1"
    open_tab(app, "Words of a sentence")
    trace = texts.run(NAME, "cpu", text_in_box(app))
    name = trace.classes[trace.probabilities[2].argmax()]
    assert any(f"the log-odds of {name}, after 3 iterations," in caption.value for caption in app.caption)


def test_standard_and_reversed_routing_are_shown_side_by_side(app, add_model):
    add_model("dragg-documents", "tiny-reversed", normalize="input")
    app.query_params["beside"] = "true"
    open_tab(app, "Words of a sentence")
    assert not app.exception
    assert len(component(app, "shading")) == 2 * 3
    assert {f"Coupling coefficients of the words, {checkpoints.title(name)}" for name in (NAME, "tiny-reversed")} < set(
        titles(app)
    )


def test_switching_networks_replaces_an_example_but_no_typed_text(app):
    app.run()
    app.selectbox(key="checkpoint").set_value("dragg-sst5").run()
    assert text_in_box(app).startswith("The acting is superb")
    type_text(app, "My own.")
    app.selectbox(key="checkpoint").set_value(NAME).run()
    assert text_in_box(app) == "My own."


def test_a_sentence_without_an_end_is_split(app):
    type_text(open_tab(app, "Words of a sentence"), "good film " * 50_000)
    assert len(component(app, "shading")[2]["segments"]) == 200 + 199  # words and spaces
