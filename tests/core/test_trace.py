"""Traces of text and pictures: probabilities, words, notices, and refused inputs."""

import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import core
from core import zoo
from core.networks.reading import MAX_WORDS
from tests.conftest import save_tiny
from tests.core.samples import REVIEW, SENTENCE, pair

SAMPLES = {"tiny": SENTENCE, "tiny_em": SENTENCE, "tiny_em_smallnorb": pair(40, 40), "tiny_documents": REVIEW}


def test_the_trained_window_has_the_model_s_probabilities(tiny_drnn):
    trace = core.explain(tiny_drnn, "good film")
    logits = tiny_drnn.model(**tiny_drnn.inputs([["good", "film"]]))
    np.testing.assert_allclose(trace.probabilities[1], logits.softmax(-1)[0], rtol=1e-5)
    np.testing.assert_allclose(trace.probabilities.sum(1), 1, rtol=1e-6)


def test_a_network_without_windows_is_refused(tiny_folder):
    save_tiny(tiny_folder.parent, "drnn", "tiny-cnn", unit="cnn")
    with pytest.raises(ValueError, match="'cnn' has at most one window"):
        core.explain(zoo.load("tiny-cnn", "cpu"), SENTENCE)


def test_a_trace_of_pictures_has_the_model_s_probabilities(tiny_em_smallnorb):
    images = pair(40, 40)
    trace = core.explain(tiny_em_smallnorb, images)
    scores = tiny_em_smallnorb.model(**tiny_em_smallnorb.inputs(images[None]))
    np.testing.assert_allclose(trace.probabilities[-1], scores.softmax(-1)[0], rtol=1e-5)


def test_a_network_refuses_the_wrong_kind_of_input(tiny, tiny_em_smallnorb):
    with pytest.raises(ValueError, match=r"tiny-em-smallnorb reads pictures, not text\."):
        core.explain(tiny_em_smallnorb, "a film")
    with pytest.raises(ValueError, match=r"tiny reads text, not pictures\."):
        core.explain(tiny, pair(40, 40))


@pytest.mark.wrong_arguments
@pytest.mark.parametrize(
    "images", [np.zeros((2, 40, 200), np.uint8), np.zeros((1, 2, 40, 40), np.uint8), np.zeros((2, 40, 28), np.uint8),
               np.zeros((3, 40, 40), np.uint8), np.zeros((2, 40, 40))]
)  # fmt: skip
def test_inputs_that_are_no_pair_of_pictures_are_refused(tiny_em_smallnorb, images):
    with pytest.raises(ValueError, match=r"^images .*, wanted .*\[?2, y, x\]"):
        core.explain(tiny_em_smallnorb, images)


def test_words_are_quoted_as_typed(tiny_drnn):
    trace = core.explain(tiny_drnn, "a  good film, isn't it?")
    assert trace.as_typed(0, 3) == "a good film"
    assert trace.as_typed(1, 8) == "good film, isn't it?"
    assert trace.as_typed(3, 4) == ","


@pytest.mark.parametrize(
    ("text", "notices"),
    [
        ("a film, un deux", ["2 of 4 words are unknown to this network: its answer means little."]),
        ("a good film, un deux", []),
        ("un", ["The only word is unknown to this network: its answer means little."]),
        ("...", []),
    ],
)
@pytest.mark.parametrize("network", ["tiny", "tiny_documents"])
def test_a_mostly_unknown_text_has_a_notice(text, notices, network, request):
    network = request.getfixturevalue(network)
    assert network.reader.vocabulary.words
    assert core.explain(network, text).notices == notices


def test_pieces_are_joined_to_the_words_as_typed(tiny_em):
    text = "It's  unwatchably\nBAD, isn't it"
    trace = core.explain(tiny_em, text)
    assert trace.tokens == ["It", "'s", "unwatchably", "BAD", ",", "isn't", "it"]
    assert [text[a:b] for a, b in trace.spans] == trace.tokens
    joined = [[] for _ in trace.tokens]
    for piece, token in zip(trace.pieces, trace.token_of, strict=True):
        joined[token].append(piece)
    assert ["".join(pieces) for pieces in joined] == trace.tokens


@pytest.mark.parametrize("fixture", ["tiny_em", "tiny_em_smallnorb"])
def test_credits_add_up_to_the_scores(fixture, request):
    trace = core.explain(request.getfixturevalue(fixture), SAMPLES[fixture], n_iters=5)
    np.testing.assert_allclose(trace.credit.sum(1), trace.parts_to_classes.scores, rtol=1e-4, atol=1e-5)


def test_a_text_beyond_the_transformer_is_cut_with_a_notice(tiny_em):
    trace = core.explain(tiny_em, "antidisestablishmentarianism " * 200)
    assert len(trace.pieces) == 510
    assert len(trace.tokens) < 200
    assert trace.notices == [f"Only the first {len(trace.tokens)} words were read: the transformer reads no further."]


def test_half_a_character_is_left_out(tiny_em):
    assert core.explain(tiny_em, "\udcff film").tokens == ["film"]


def test_characters_that_the_transformer_drops_are_left_out(tiny_em):
    assert core.explain(tiny_em, "good \u0301 film").tokens == ["good", "film"]
    with pytest.raises(ValueError, match="nothing in this text"):
        core.explain(tiny_em, "\u0301")


def test_a_summary_shows_how_an_edit_names_a_word(tiny):
    examples = [list(core.explain(tiny, text).summary())[1] for text in ("a film, a film", "x" * 10_000)]
    assert [line.split("; ")[0] for line in examples] == [
        "edits take the names below: drop:film#1",
        "edits take the names below: drop:word 1",
    ]


def test_spans_locate_the_tokens_in_the_text(tiny):
    trace = core.explain(tiny, SENTENCE)
    assert trace.tokens == ["A", "good", "film", ",", "is", "n't", "it", "?"]
    assert [SENTENCE[a:b] for a, b in trace.spans] == trace.tokens
    assert trace.known.tolist() == [True, True, True, False, True, True, False, False]
    assert trace.n_steps == tiny.model.config.n_iters


@pytest.mark.parametrize("fixture", ["tiny", "tiny_agt"])
def test_a_trace_of_text_has_the_model_s_probabilities(fixture, request):
    checkpoint = request.getfixturevalue(fixture)
    trace = core.explain(checkpoint, "good film")
    logits = checkpoint.model(**checkpoint.inputs([["good", "film"]]))
    np.testing.assert_allclose(trace.probabilities[-1], logits.softmax(-1)[0], rtol=1e-6)
    np.testing.assert_allclose(trace.probabilities.sum(1), 1, rtol=1e-6)


@pytest.mark.parametrize("text", ["", "   ", "\x00\x07", "\u200b"])
def test_a_text_without_a_word_is_refused(tiny, text):
    with pytest.raises(ValueError, match="no word in this text"):
        core.explain(tiny, text)


def test_edits_may_be_none(tiny):
    assert core.explain(tiny, "good", edits=None) == core.explain(tiny, "good")


def test_a_trace_lists_its_arrays_as_a_dictionary_does(tiny):
    trace = core.explain(tiny, "good")
    assert list(trace) == trace.keys()
    assert "layers.0.coupling" in trace
    assert "inputs_to_capsules.coupling" in trace
    assert "x" not in trace


@pytest.mark.wrong_arguments
@pytest.mark.parametrize("name", [0, None])
def test_a_key_that_is_no_array_is_refused(tiny, name):
    with pytest.raises(KeyError, match=f"There is no array {name}"):
        core.explain(tiny, "good")[name]


@pytest.mark.parametrize("n_iters", [0, -1, 51, True])
def test_iterations_out_of_range_are_refused(tiny, n_iters):
    with pytest.raises(ValueError, match="wanted 1 to 50"):
        core.explain(tiny, "good", n_iters)


def test_a_long_text_is_cut_with_a_notice(tiny):
    trace = core.explain(tiny, "good film " * 50_000)
    assert len(trace.tokens) == MAX_WORDS
    assert trace.notices == ["Only the first 400 words were read, which is the limit."]


@pytest.mark.parametrize(
    "text", ["x" * 10_000, "👩‍👩‍👧 🎬", "مرحبا بالعالم", "a\x00b\x1b[31m", "<script>alert(1)</script>", "\ud800 film"]
)
@pytest.mark.parametrize("fixture", ["tiny", "tiny_em", "tiny_agt", "tiny_drnn", "tiny_cccaps", "tiny_documents"])
def test_odd_texts_run(fixture, text, request):
    trace = core.explain(request.getfixturevalue(fixture), text)
    assert np.isfinite(trace.probabilities).all()
    assert all(text[a:b] == token for (a, b), token in zip(trace.spans, trace.tokens, strict=True))


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.characters(codec=None), max_size=80))
def test_any_text_runs_or_is_refused_in_one_sentence(
    tiny, tiny_em, tiny_agt, tiny_drnn, tiny_cccaps, tiny_documents, text
):
    for checkpoint in (tiny, tiny_em, tiny_agt, tiny_drnn, tiny_cccaps, tiny_documents):
        try:
            trace = core.explain(checkpoint, text)
        except ValueError as error:
            assert "\n" not in str(error)
        else:
            assert np.isfinite(trace.probabilities).all()
            json.loads(trace.to_json())


@pytest.mark.parametrize("name", ["dragg-sst5", "dragg-sst2", "dragg-reversed-sst5", "em-sst5", "em-sst2"])
def test_shipped_checkpoints_tell_good_from_bad(name):
    checkpoint = zoo.load(name, "cpu")
    good, bad = (
        core.explain(checkpoint, text).probabilities[-1]
        for text in ("A wonderful, moving film.", "A dull, lifeless mess.")
    )
    half = len(checkpoint.classes) // 2
    assert good[-half:].sum() > 0.8
    assert bad[:half].sum() > 0.8
