"""Word vectors from counts of neighbouring words in a corpus."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray
from scipy.sparse import csr_array
from sklearn.decomposition import TruncatedSVD
from torch import Tensor

WINDOW = 10  # words on either side that are counted, weighted by 1 / distance
MIN_COUNT = 2  # occurrences that a word in the vocabulary needs for a vector
MIN_COUNT_OUTSIDE = 5  # occurrences that a word outside the vocabulary needs to count as context
SMOOTHING = 0.75  # exponent of the frequency of a context word


def cooccurrence_vectors(texts: Sequence[Sequence[str]], vocabulary: Sequence[str], d: int) -> Float[Tensor, "w d"]:
    """Word vectors from co-occurrence counts: d singular dimensions of positive pointwise mutual information.

    Args:
        texts: texts as normalized words; a word's context ends with its text.
        vocabulary: words that get a row.
        d: components of a vector.

    Returns:
        One row per word in the vocabulary; NaN for a word that is too rare in the texts.

    Source: Levy, Goldberg, Dagan 2015, TACL.
    """
    in_vocabulary, counts = set(vocabulary), Counter(word for text in texts for word in text)
    words = [word for word, n in counts.items() if n >= (MIN_COUNT if word in in_vocabulary else MIN_COUNT_OUTSIDE)]
    number = {word: k for k, word in enumerate(words)}
    gap = [-1] * WINDOW  # separates texts
    flat = np.array([k for text in texts for k in (*(number.get(word, -1) for word in text), *gap)])
    information = _positive_information(_counts(flat, len(words)))
    svd = TruncatedSVD(d, n_iter=3, random_state=0)
    vectors = svd.fit_transform(information) / np.sqrt(svd.singular_values_)
    rows = np.full((len(vocabulary), d), np.nan, np.float32)
    for row, word in zip(rows, vocabulary, strict=True):
        if word in number:
            row[:] = vectors[number[word]]
    return torch.from_numpy(rows)


def _counts(flat: ndarray, n_words: int) -> csr_array:
    """Counts of pairs of words up to ``WINDOW`` apart, weighted by 1 / distance.

    Args:
        flat: index of each word in the texts; -1 for words that are not counted, and between texts.
        n_words: number of distinct words that are counted.
    """
    counts = csr_array((n_words, n_words), dtype=np.float32)
    for distance in range(1, WINDOW + 1):
        word, context = flat[:-distance], flat[distance:]
        counted = (word >= 0) & (context >= 0)
        weights = np.full(counted.sum(), 1 / distance, np.float32)
        counts = counts + csr_array((weights, (word[counted], context[counted])), shape=counts.shape)
    return counts + counts.T


def _positive_information(counts: csr_array) -> csr_array:
    """Pointwise mutual information log P(word, context) / P(word) P(context), where it is positive."""
    word_counts, context_counts = counts.sum(1), counts.sum(0) ** SMOOTHING
    pairs = counts.tocoo()
    row, column = pairs.coords
    information = np.log(pairs.data / word_counts[row] / (context_counts / context_counts.sum())[column])
    positive = information > 0
    return csr_array((information[positive], (row[positive], column[positive])), shape=counts.shape)
