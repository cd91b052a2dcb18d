"""What the codes of composed word vectors say: which words are told apart, and which hardly are."""

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray


def overlap(codes: Float[ndarray, "v q e"], code: Float[ndarray, "q e"]) -> Float[ndarray, " v"]:
    """How much of each word's code is this code's too, a mean over codebooks: 1 is the same, 0 has nothing in common.

    Shares of one book overlap by the sum of the smaller of each two, which is 1 less their total variation.
    """
    n_books = codes.shape[1]
    return np.minimum(codes, code).reshape(len(codes), -1) @ np.full(code.size, 1 / n_books, codes.dtype)


def nearest(
    codes: Float[ndarray, "v q e"], code: Float[ndarray, "q e"], n: int
) -> tuple[Int[ndarray, " n"], Float[ndarray, " n"]]:
    """The n words whose codes overlap most with this one, and by how much, the nearest first."""
    shared = overlap(codes, code)
    first = np.flatnonzero(shared >= np.partition(shared, -n)[-n]) if n < len(shared) else np.arange(len(shared))
    first = first[np.argsort(-shared[first], kind="stable")][:n]
    return first, shared[first]
