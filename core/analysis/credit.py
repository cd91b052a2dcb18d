"""Contributions of inputs to class scores."""

import numpy as np
from jaxtyping import Float
from numpy import ndarray


def end_to_end(use: Float[ndarray, "t i j"], effect: Float[ndarray, "t j k"]) -> Float[ndarray, "t i k"]:
    """Credit of each input i of a first EM routing for each output k of a second one.

    The second routing's score of k is a sum over its inputs j (Heinsen 2019, eq. 8),
    ``effect_jk = beta_use_jk D_use_jk - beta_ign_jk D_ign_jk``. The effect of j is divided among the
    inputs of the first routing by their shares in j, ``D_use_ij / sum_i D_use_ij``, which are also the
    weights of the mean of j. So credit = share @ effect. The shares of each j sum to 1, so the
    credits for k sum to k's score.

    Credit shows which inputs fed the parts that make up a score. It is not the change in the score when an input is
    removed, because D_use itself depends on every input. If an output j takes nothing, its effect is divided equally
    among all inputs.

    Args:
        use: D_use of the first routing.
        effect: effect of each input of the second routing on each of its scores.
    """
    total = use.sum(1, keepdims=True)
    share = np.divide(use, total, out=np.full_like(use, 1 / use.shape[1]), where=total > 0)
    return share @ effect


def leading_part(effect: Float[ndarray, "t j k"], probabilities: Float[ndarray, "t k"]) -> int:
    """The input j of the second routing with the largest final effect on the score of the most probable class."""
    return int(abs(effect[-1, :, probabilities[-1].argmax()]).argmax())


def leading_used_part(
    use: Float[ndarray, "t j k"], effect: Float[ndarray, "t j k"], probabilities: Float[ndarray, "t k"]
) -> int:
    """The input j with the largest final product of D_use and effect for the most probable class."""
    return int((use * effect)[-1, :, probabilities[-1].argmax()].argmax())


def by_token(
    values: Float[ndarray, "t i *rest"], token_of: list[int], n_layers: int
) -> Float[ndarray, "t token l *rest"]:
    """Sum values over the pieces of each token, per layer.

    Args:
        values: values per piece and layer of a text; the layers of one piece are adjacent.
        token_of: token index of each piece, ascending from 0.
        n_layers: number of layers, l.
    """
    first = np.flatnonzero(np.diff(token_of, prepend=-1))
    by_piece = values.reshape(len(values), len(token_of), n_layers, *values.shape[2:])
    return np.add.reduceat(by_piece, first, axis=1)
