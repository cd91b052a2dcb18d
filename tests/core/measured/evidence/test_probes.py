"""Probes of texts: a network's rankings of the words, and its answers without some of them."""

import numpy as np
import pytest
import torch

import core
from core import zoo
from core.inputs.text import as_typed
from core.measured.evidence.probes import probe
from core.measured.evidence.texts import FIGURES, WAYS, Marks, marked_tokens, measure_text
from tests.conftest import save_tiny

WORDS = ["a", "warm", "and", "funny", "film", "."]
SENTENCES = [WORDS, ["i", "liked", "it", "."], ["the", "end", "is", "bad"]]
KINDS = ["dragg", "dragg-documents", "cccaps", "em-sst", "agt", "drnn"]
OWN_RANKINGS = {  # in addition to integrated gradients, which every kind has
    "dragg": {"coupling", "deciding coupling"},
    "dragg-documents": {"coupling", "deciding coupling"},
    "cccaps": {"contribution"},
    "em-sst": {"credit", "D_use"},
    "agt": {"attention"},
    "drnn": {"evidence"},
}


@pytest.fixture(params=KINDS)
def checkpoint(request, tmp_path):
    return zoo.load_folder(save_tiny(tmp_path, request.param), "cpu")


def sample_of(checkpoint):
    """The sample for a checkpoint: sentences for a document network, else words."""
    return SENTENCES if checkpoint.kind == "dragg-documents" else WORDS


def step_of_answer(checkpoint):
    """The index of the step with the network's answer: for DRNN the window that it was trained with, else the last."""
    return checkpoint.model.config.window - 1 if checkpoint.kind == "drnn" else -1


def test_a_probe_with_all_words_answers_as_explain_does(checkpoint):
    words = sample_of(checkpoint)
    probed = probe(checkpoint, words)
    everything = np.ones((1, len(probed.parts)), bool)
    text = " ".join(as_typed(s) for s in words) if checkpoint.kind == "dragg-documents" else as_typed(words)
    trace = core.explain(checkpoint, text)
    for p in (probed.p, probed.masked(everything)[0], probed.removed(everything)[0]):
        assert np.allclose(p, trace.probabilities[step_of_answer(checkpoint)], atol=1e-5)


@pytest.mark.parametrize("kind", ["dragg", "drnn"])
def test_masking_a_word_equals_dropping_its_input(tmp_path, kind):
    checkpoint = zoo.load_folder(save_tiny(tmp_path, kind), "cpu")
    probed = probe(checkpoint, WORDS)
    without = core.explain(checkpoint, as_typed(WORDS), edits=["drop:3"]).probabilities[step_of_answer(checkpoint)]
    assert np.allclose(probed.masked(~np.eye(len(WORDS), dtype=bool))[3], without, atol=1e-6)


@pytest.mark.parametrize("unit", ["gru", "lstm", "rnn"])
def test_masks_have_the_same_answers_together_and_one_by_one(tmp_path, unit):
    checkpoint = zoo.load_folder(save_tiny(tmp_path, "drnn", unit=unit), "cpu")
    probed = probe(checkpoint, WORDS)
    masks = np.random.default_rng(0).random((9, len(WORDS))) < 0.6
    masks[:, 2] = True
    for answer, together in ((probed.masked, probed.masked(masks)), (probed.removed, probed.removed(masks))):
        assert np.allclose(together, np.concatenate([answer(mask[None]) for mask in masks]), atol=1e-6)
    texts = [[word for word, is_left in zip(WORDS, mask, strict=True) if is_left] for mask in masks]
    assert np.allclose(probed.removed(masks), [probe(checkpoint, text).p for text in texts], atol=1e-5)


def test_removing_a_word_equals_probing_the_shorter_text(checkpoint):
    words = sample_of(checkpoint)
    probed = probe(checkpoint, words)
    mask = np.ones((1, len(probed.parts)), bool)
    mask[0, 1] = False
    other = probe(checkpoint, [words[0], *words[2:]])
    assert np.allclose(probed.removed(mask)[0], other.p, atol=1e-5)


def test_every_kind_has_its_own_rankings_and_gradients(checkpoint):
    probed = probe(checkpoint, sample_of(checkpoint))
    assert set(probed.rankings) == OWN_RANKINGS[checkpoint.kind] | {"integrated gradients"}
    assert all(scores.shape == (len(probed.parts),) for scores in probed.rankings.values())


def test_integrated_gradients_add_up_to_the_score_s_change(tmp_path):
    checkpoint = zoo.load_folder(save_tiny(tmp_path, "agt"), "cpu")
    probed = probe(checkpoint, WORDS)
    inputs = checkpoint.inputs([WORDS])
    with torch.no_grad():
        score = checkpoint.model(**inputs)[0, probed.answer]
        hook = checkpoint.model.dropout_word.register_forward_hook(lambda module, args, out: torch.zeros_like(out))
        from_nothing = checkpoint.model(**inputs)[0, probed.answer]
        hook.remove()
    assert probed.rankings["integrated gradients"].sum() == pytest.approx(float(score - from_nothing), abs=0.02)


def test_gradients_of_sentences_add_up_to_the_score_s_change(tmp_path):
    checkpoint = zoo.load_folder(save_tiny(tmp_path, "dragg-documents"), "cpu")
    probed, model = probe(checkpoint, SENTENCES), checkpoint.model
    inputs = checkpoint.inputs([SENTENCES])
    with torch.no_grad():
        score = model(**inputs)[0, probed.answer]
        vectors = model.sentences(inputs["words"], inputs["mask"], inputs["unknown"])
        *_, last = model.document_steps(torch.zeros_like(vectors), inputs["counts"])
        from_nothing = model.classify(last.capsules)[0, probed.answer]
    assert probed.rankings["integrated gradients"].sum() == pytest.approx(float(score - from_nothing), abs=0.02)


def test_only_a_text_of_several_words_has_figures(checkpoint):
    words = sample_of(checkpoint)
    figures = measure_text(checkpoint, words, seed=0)
    assert set(figures) == set(WAYS)
    for rankings in figures.values():
        assert {"drop-one", "random"} < set(rankings)
        assert all(set(row) == set(FIGURES) for row in rankings.values())
        assert rankings["drop-one"]["tau"] in (1.0, None)
    assert measure_text(checkpoint, words[:1], seed=0) == {}


def test_a_picture_network_is_refused(tmp_path):
    with pytest.raises(ValueError, match="reads pictures"):
        probe(zoo.load_folder(save_tiny(tmp_path, "em-smallnorb"), "cpu"), WORDS)


def test_marks_move_from_words_to_the_tokens_that_contain_them():
    words, tokens = ["I", "do", "n't", "like", "``", "it", "''"], ["I", "don't", "like", '"', "it", '"']
    marked = [False, False, True, True, False, False, False]
    assert marked_tokens(words, marked, tokens).tolist() == [False, True, True, False, False, False]
    assert marked_tokens(words, marked, words).tolist() == marked


def test_rankings_are_compared_with_marks(tmp_path):
    checkpoint = zoo.load_folder(save_tiny(tmp_path, "dragg"), "cpu")
    row = measure_text(checkpoint, WORDS, seed=0, marks=Marks([False, True, False, True, False, False], 0.3))
    assert set(row["phrases"]) == set(row["masked"])
    assert all(0 <= figure <= 1 for figures in row["phrases"].values() for figure in figures.values())
    assert "phrases" not in measure_text(checkpoint, WORDS, seed=0, marks=Marks([False] * 6, 0.3))
