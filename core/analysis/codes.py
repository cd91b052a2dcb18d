"""Similarity of words by the codes of their composed vectors."""

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray


def overlap(codes: Float[ndarray, "v q e"], code: Float[ndarray, "q e"]) -> Float[ndarray, " v"]:
    """Overlap of each word's code with this code, from 0 (nothing in common) to 1 (the same), a mean over codebooks.

    In one book it is sum_e min(share_e, other share_e), which is 1 less the total variation distance.
    """
    n_books = codes.shape[1]
    return np.minimum(codes, code).reshape(len(codes), -1) @ np.full(code.size, 1 / n_books, codes.dtype)


def nearest(
    codes: Float[ndarray, "v q e"], code: Float[ndarray, "q e"], n: int
) -> tuple[Int[ndarray, " n"], Float[ndarray, " n"]]:
    """The n words with the largest overlap with this code, and the overlaps, in descending order."""
    overlaps = overlap(codes, code)
    smallest = np.partition(overlaps, -n)[-n] if n < len(overlaps) else -np.inf
    words = np.flatnonzero(overlaps >= smallest)
    words = words[np.argsort(-overlaps[words], kind="stable")][:n]
    return words, overlaps[words]
