from collections import Counter

import numpy as np
import pytest
import torch

from core.layers import CompositionalEmbedding
from core.models.words import ReadsWords
from core.training import vectors

TEXTS = [
    ["a", "good", "film", "is", "a", "good", "film"],
    ["a", "bad", "film", "is", "a", "bad", "film"],
    ["the", "good", "actor", "in", "a", "bad", "play"],
] * 3


def plain_vectors(texts, d):
    """Pair by pair, dense."""
    words = [w for w, n in Counter(w for t in texts for w in t).items() if n >= vectors.OTHERS]
    counts = np.zeros((len(words), len(words)))
    for text in texts:
        for i, word in enumerate(text):
            for j, other in enumerate(text):
                if i != j and abs(i - j) <= vectors.NEAR and word in words and other in words:
                    counts[words.index(word), words.index(other)] += 1 / abs(i - j)
    smoothed = counts.sum(0) ** vectors.SMOOTHING
    with np.errstate(divide="ignore"):
        information = np.log(counts / counts.sum(1, keepdims=True) / (smoothed / smoothed.sum()))
    u, s, _ = np.linalg.svd(np.maximum(information, 0))
    return dict(zip(words, (u * np.sqrt(s))[:, :d], strict=True))


def test_company_is_what_pairs_counted_one_by_one_make_of_it():
    wanted = plain_vectors(TEXTS, d=3)
    found = vectors.company(TEXTS, list(wanted), d=3).double().numpy()
    expected = np.array(list(wanted.values()))
    np.testing.assert_allclose(found @ found.T, expected @ expected.T, atol=1e-4)  # a component's sign is free


def test_words_in_like_company_are_alike_and_rare_ones_have_none():
    texts = [["cats", "eat", "fish"], ["dogs", "eat", "fish"], ["rockets", "burn", "fuel"]] * 5 + [["once", "eat"]]
    found = vectors.company(texts, ["cats", "dogs", "rockets", "once", "never"], d=3)
    cats, dogs, rockets = found[:3] / found[:3].norm(dim=1, keepdim=True)
    assert cats @ dogs > 0.99 > 0.5 > cats @ rockets
    assert found[3:].isnan().all()


def test_embedding_starts_from_both_and_unknown_words_from_a_guess():
    torch.manual_seed(0)
    pieces = torch.randn(50, 6)
    company = pieces @ torch.randn(6, 4) + 0.01 * torch.randn(50, 4)
    company[7] = torch.nan
    model = ReadsWords(n_words=50, d_word=10, d_piece=6, dropout=0.0)
    vectors.start_from_both(model, pieces, company)
    start = model.embedding.weight.detach()
    assert start.isfinite().all()
    assert abs(float(start.std()) - 1) < 1e-3
    parts = [part.var(0).sum() for part in start.split([6, 4], 1)]
    torch.testing.assert_close(parts[0], parts[1], rtol=0.05, atol=0)
    with torch.no_grad():
        assert (model.from_pieces(pieces) - start).square().mean() < 0.01


@pytest.mark.parametrize("n", [1, 2, 3, 4, 6])
def test_corners_of_a_simplex_are_all_as_far_apart(n):
    corners = vectors._simplex(n)
    assert corners.shape == (n, n - 1)
    wanted = torch.full((n, n), -1 / max(1, n - 1)) + torch.eye(n) * (1 + 1 / max(1, n - 1))
    if n > 1:
        torch.testing.assert_close(corners @ corners.T, wanted)


def test_composed_words_start_from_the_leading_components_of_their_vectors(monkeypatch):
    monkeypatch.setattr(vectors, "REACH", 6)  # none is further out
    torch.manual_seed(0)
    composed = CompositionalEmbedding(60, 20, 3)  # K = 4: nine components
    given = torch.rand(60, 30) - 0.5
    vectors.start_codes(composed, given)
    table = torch.nn.Embedding(60, 9)
    vectors.start_table(table, given)
    found, wanted = composed.weight @ composed.weight.T, table.weight @ table.weight.T
    torch.testing.assert_close(found, wanted, rtol=1e-3, atol=1e-3)


def test_one_codeword_a_book_tells_no_words_apart():
    composed = CompositionalEmbedding(1, 4, 2)
    vectors.start_codes(composed, torch.rand(1, 6))
    assert composed.weight.abs().sum() == 0


def test_unknown_words_are_guessed_as_the_known_ones_are_by_now():
    torch.manual_seed(0)
    pieces, model = torch.randn(50, 6), ReadsWords(50, 3, 6, 0.0)
    with torch.no_grad():
        model.embedding.weight.copy_(pieces[:, :3] @ torch.randn(3, 3) + 1)
    vectors.guess_from_pieces(model, pieces)
    torch.testing.assert_close(model.from_pieces(pieces), model.embedding.weight, rtol=0.02, atol=0.02)
