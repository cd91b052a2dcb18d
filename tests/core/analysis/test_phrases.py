"""Words and phrases that the attention of a layer selects."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.phrases import RELAXED, count_lengths, most_selected, phrases, scaled, selected, selected_words

# Two layers over five words.
ATTENTION = np.array([[0.1, 0.4, 0.39, 0.01, 0.1], [0.2, 0.2, 0.2, 0.2, 0.2]])


def test_attention_is_scaled_to_1_at_the_largest():
    np.testing.assert_allclose(scaled(ATTENTION), [[0.25, 1, 0.975, 0.025, 0.25], [1] * 5])


def test_words_above_the_threshold_are_selected():
    assert selected(ATTENTION).tolist() == [[False, True, True, False, False], [True] * 5]
    assert selected(ATTENTION, 0.99)[0].tolist() == [False, True, False, False, False]
    assert selected(ATTENTION, 0.2)[0].tolist() == [True, True, True, False, True]


def test_phrases_are_runs_of_selected_words():
    assert phrases(np.array([True, False, True, True, False, True])) == [(0, 1), (2, 4), (5, 6)]
    assert phrases(np.zeros(3, bool)) == []
    assert phrases(np.ones(3, bool)) == [(0, 3)]


def test_selected_words_keep_their_order():
    assert selected_words(list("abc"), np.array([True, False, True])) == ["a", "c"]


def test_phrases_are_counted_by_length():
    chosen = np.array([[True, False, True, True], [True] * 4])
    assert count_lengths(chosen, 3).tolist() == [[1, 1, 0], [0, 0, 1]]


def test_most_selected_words_by_hand():
    sentences = [
        (["not", "bad"], np.array([[True, False], [True, True]])),
        (["bad", "not"], np.array([[False, True], [True, False]])),
    ]
    assert most_selected(sentences, 1) == [[("not", 2)], [("bad", 2)]]
    assert most_selected(sentences, 5) == [[("not", 2)], [("bad", 2), ("not", 1)]]


def test_the_paper_s_third_sentence():
    """Layer 8 of its figure 4, and the two readings that it prints."""
    words = ["not", "so", "much", "a", "movie", "as", "a", "picture", "book", "for", "the", "big", "screen"]
    attention = np.array([[1.00, 0.99, 0.95, 0.59, 1.00, 0.41, 0.59, 0.98, 0.91, 0.89, 0.10, 0.96, 0.99]])
    strict, relaxed = (selected_words(words, selected(attention, t)[0]) for t in (0.949, RELAXED))
    assert " ".join(strict) == "not so much movie picture big screen"
    assert " ".join(relaxed) == "not so much a movie a picture book for big screen"


@given(st.lists(st.booleans(), min_size=1))
def test_phrases_cover_exactly_the_selected_words(chosen):
    chosen = np.array(chosen)
    repeated = np.zeros_like(chosen)
    for start, end in phrases(chosen):
        assert end == len(chosen) or not chosen[end]
        repeated[start:end] = True
    assert (repeated == chosen).all()
