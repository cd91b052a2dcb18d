"""Similarity between the codes of words in a compositional embedding."""

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray


def overlap(codes: Float[ndarray, "v q e"], code: Float[ndarray, "q e"]) -> Float[ndarray, " v"]:
    """The overlap of each word's code with one code, from 0 (nothing in common) to 1 (the same).

    It is a mean over codebooks. Within a book it is 1 minus the total variation distance: the sum over codewords of the
    smaller of the two shares.

    Args:
        codes: codeword shares of every word in the vocabulary.
        code: code that they are compared with.
    """
    n_books = codes.shape[1]
    return np.minimum(codes, code).reshape(len(codes), -1) @ np.full(code.size, 1 / n_books, codes.dtype)


def nearest(
    codes: Float[ndarray, "v q e"], code: Float[ndarray, "q e"], n: int
) -> tuple[Int[ndarray, " n"], Float[ndarray, " n"]]:
    """The indices and overlaps of the n words whose codes overlap most with this one, nearest first."""
    overlaps = overlap(codes, code)
    candidates = np.arange(len(overlaps))
    if n < len(overlaps):  # sort only words that overlap as much as the n-th: the vocabulary is large
        candidates = np.flatnonzero(overlaps >= np.partition(overlaps, -n)[-n])
    words = candidates[np.argsort(-overlaps[candidates], kind="stable")][:n]
    return words, overlaps[words]
