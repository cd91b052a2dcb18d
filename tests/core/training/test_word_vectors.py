"""The first values of word vectors: from word pieces, from counted words, and for unknown words."""

import pytest
import torch

from core.layers import CompositionalEmbedding
from core.models.words import ReadsWords
from core.training import word_vectors


class OnlyWordVectors(ReadsWords):
    """A network that returns its word vectors."""

    def forward(self, words, mask=None, unknown=None, edits=()):
        return self.embed(words, unknown)


def test_vectors_start_from_both_sources_or_from_a_regression():
    torch.manual_seed(0)
    pieces = torch.randn(50, 6)
    counted = pieces @ torch.randn(6, 4) + 0.01 * torch.randn(50, 4)
    counted[7] = torch.nan
    model = OnlyWordVectors(n_words=50, d_word=10, d_piece=6, dropout=0.0)
    word_vectors.init_from_all(model, pieces, [counted])
    start = model.embedding.weight.detach()
    assert start.isfinite().all()
    assert abs(float(start.std()) - 1) < 1e-3
    variances = [half.var(0).sum() for half in start.split([6, 4], 1)]
    torch.testing.assert_close(variances[0], variances[1], rtol=0.05, atol=0)
    with torch.no_grad():
        assert (model.from_pieces(pieces) - start).square().mean() < 0.01


@pytest.mark.parametrize("n", [1, 2, 3, 4, 6])
def test_corners_of_a_simplex_are_equally_far_apart(n):
    corners = word_vectors._simplex(n)
    assert corners.shape == (n, n - 1)
    expected = torch.full((n, n), -1 / max(1, n - 1)) + torch.eye(n) * (1 + 1 / max(1, n - 1))
    if n > 1:
        torch.testing.assert_close(corners @ corners.T, expected)


def test_composed_words_start_from_leading_components(monkeypatch):
    monkeypatch.setattr(word_vectors, "REACH", 6)  # large enough that no vector is moved
    torch.manual_seed(0)
    composed = CompositionalEmbedding(60, 20, 3)  # 4 codewords per book, so three components in each of the 3 books
    given = torch.rand(60, 30) - 0.5
    word_vectors.init_codes(composed, given)
    table = torch.nn.Embedding(60, 9)
    word_vectors.init_table(table, given)
    products, expected = composed.weight @ composed.weight.T, table.weight @ table.weight.T
    torch.testing.assert_close(products, expected, rtol=1e-3, atol=1e-3)


def test_a_single_codeword_per_book_gives_zero_vectors():
    composed = CompositionalEmbedding(1, 4, 2)
    word_vectors.init_codes(composed, torch.rand(1, 6))
    assert composed.weight.abs().sum() == 0


def test_unknown_words_are_predicted_from_the_trained_vectors():
    torch.manual_seed(0)
    pieces, model = torch.randn(50, 6), OnlyWordVectors(50, 3, 6, 0.0)
    with torch.no_grad():
        model.embedding.weight.copy_(pieces[:, :3] @ torch.randn(3, 3) + 1)
    word_vectors.fit_from_pieces(model, pieces)
    torch.testing.assert_close(model.from_pieces(pieces), model.embedding.weight, rtol=0.02, atol=0.02)
