"""The parts of a document's trace that a sentence's trace lacks."""

import json

import numpy as np
import pytest

import core
from core import zoo
from core.networks.documents import LEFT_OUT_AT_ONCE
from core.networks.reading import MAX_DOCUMENT_WORDS
from tests.conftest import save_tiny
from tests.core.samples import REVIEW

CUT_REVIEW = [["a", "good", "film", "."], ["is", "n't", "it", "bad", "?"], ["film", ",", "film", "!"]]


def test_a_document_trace_has_the_model_s_probabilities(tiny_documents):
    trace = core.explain(tiny_documents, REVIEW)
    logits = tiny_documents.model(**tiny_documents.inputs([CUT_REVIEW]))
    np.testing.assert_allclose(trace.probabilities[-1], logits.softmax(-1)[0], rtol=1e-6)


def test_a_sentence_is_routed_independently_of_the_others(tiny_documents):
    traces = (core.explain(tiny_documents, text) for text in (REVIEW, "is n't it bad?"))
    full, single = (trace.words_to_sentences for trace in traces)
    for name in ("coupling", "logits", "agreement"):
        np.testing.assert_allclose(getattr(full, name)[:, 4:9], getattr(single, name), rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(full.activation[:, 1], single.activation[:, 0], rtol=1e-5)


@pytest.mark.parametrize("normalize", ["output", "input"])
def test_the_effect_of_a_sentence_is_the_loss_without_its_vote(tiny_folder, normalize):
    """The review has more sentences than are left out in one batch."""
    checkpoint = zoo.load_folder(save_tiny(tiny_folder.parent, "dragg-documents", normalize=normalize), "cpu")
    model, times = checkpoint.model, 7
    trace = core.explain(checkpoint, f"{REVIEW} " * times)
    encoded = checkpoint.inputs([CUT_REVIEW * times])
    votes, _ = model.document_votes(
        model.sentences(encoded["words"], encoded["mask"], encoded["unknown"]), encoded["counts"]
    )

    def log_odds(votes):
        *_, last = model.route(votes)
        return model.classify(last.capsules)[0].double().softmax(-1).logit()

    assert len(trace.effect) == 3 * times > LEFT_OUT_AT_ONCE
    for s in range(3 * times):
        without = log_odds(votes) - log_odds(votes[:, [k for k in range(3 * times) if k != s]])
        np.testing.assert_allclose(trace.effect[s], without, rtol=1e-3, atol=1e-5)


def test_an_only_sentence_has_no_effect(tiny_documents):
    assert core.explain(tiny_documents, "good film").effect.tolist() == [[0.0] * 5]


def test_a_long_document_is_cut_with_a_notice(tiny_documents):
    trace = core.explain(tiny_documents, ("a good film " * 5 + ". ") * 1000)
    assert (len(trace.tokens), trace.sentences_to_document.coupling.shape) == (MAX_DOCUMENT_WORDS, (3, 125, 3))
    assert trace.notices == ["Only the first 2,000 words were read, which is the limit."]


def test_a_document_of_many_short_sentences_is_cut_with_a_notice(tiny_documents):
    trace = core.explain(tiny_documents, "A good film. " * 1000)
    assert (len(trace.tokens), trace.sentences_to_document.coupling.shape) == (800, (3, 200, 3))
    assert trace.notices == ["Only the first 200 sentences were read, which is the limit."]


def test_the_effect_is_finite_where_the_network_is_sure(tiny_documents):
    tiny_documents.model.mlp[-1].weight.data *= 1000
    trace = core.explain(tiny_documents, REVIEW)
    assert trace.probabilities[-1].max() == 1
    assert np.isfinite(trace.effect).all()
    json.loads(trace.to_json(), parse_constant=pytest.fail)
