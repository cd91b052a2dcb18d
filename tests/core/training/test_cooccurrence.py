"""Word vectors from counts of neighbours, compared with plain counts."""

from collections import Counter

import numpy as np

from core.training import cooccurrence

TEXTS = [
    ["a", "good", "film", "is", "a", "good", "film"],
    ["a", "bad", "film", "is", "a", "bad", "film"],
    ["the", "good", "actor", "in", "a", "bad", "play"],
] * 3


def plain_vectors(texts, d):
    """Word vectors from a dense matrix of counts, which are added pair by pair."""
    words = [w for w, n in Counter(w for t in texts for w in t).items() if n >= cooccurrence.MIN_COUNT_OUTSIDE]
    counts = np.zeros((len(words), len(words)))
    for text in texts:
        for i, word in enumerate(text):
            for j, neighbour in enumerate(text):
                if i != j and abs(i - j) <= cooccurrence.WINDOW and word in words and neighbour in words:
                    counts[words.index(word), words.index(neighbour)] += 1 / abs(i - j)
    smoothed = counts.sum(0) ** cooccurrence.SMOOTHING
    with np.errstate(divide="ignore"):
        information = np.log(counts / counts.sum(1, keepdims=True) / (smoothed / smoothed.sum()))
    u, s, _ = np.linalg.svd(np.maximum(information, 0))
    return dict(zip(words, (u * np.sqrt(s))[:, :d], strict=True))


def test_vectors_equal_those_of_plain_counts():
    wanted = plain_vectors(TEXTS, d=3)
    vectors = cooccurrence.cooccurrence_vectors(TEXTS, list(wanted), d=3).double().numpy()
    expected = np.array(list(wanted.values()))
    np.testing.assert_allclose(vectors @ vectors.T, expected @ expected.T, atol=1e-4)  # a component's sign is free


def test_similar_contexts_give_similar_vectors():
    texts = [["cats", "eat", "fish"], ["dogs", "eat", "fish"], ["rockets", "burn", "fuel"]] * 5 + [["once", "eat"]]
    vectors = cooccurrence.cooccurrence_vectors(texts, ["cats", "dogs", "rockets", "once", "never"], d=3)
    cats, dogs, rockets = vectors[:3] / vectors[:3].norm(dim=1, keepdim=True)
    assert cats @ dogs > 0.99 > 0.5 > cats @ rockets
    assert vectors[3:].isnan().all()  # rare and unknown words have no vector
