"""Credit of inputs for the scores of two EM routings in a row."""

import numpy as np
from jaxtyping import Float
from numpy import ndarray


def end_to_end(use: Float[ndarray, "t i j"], effect: Float[ndarray, "t j k"]) -> Float[ndarray, "t i k"]:
    """Credit of each input i of a first EM routing for each output k of a second one.

    The second routing's score of k is a sum over its inputs j (Heinsen 2019, eq. 8),
    ``effect_jk = beta_use_jk D_use_jk - beta_ign_jk D_ign_jk``. The effect of j is divided among the
    inputs of the first routing by their share in j, ``D_use_ij / sum_i D_use_ij``, the weights of the
    mean of j. So credit = share @ effect. The shares of each j sum to 1, so the credits for k sum to
    the score of k.

    Credit says which inputs the parts behind a score were made of. It does not say how the score would
    change without an input, as D_use itself depends on every input. The effect of an output j that uses
    no data is divided equally.

    Args:
        use: D_use of the first routing.
        effect: effect of each input of the second routing on each of its scores.
    """
    total = use.sum(1, keepdims=True)
    share = np.divide(use, total, out=np.full_like(use, 1 / use.shape[1]), where=total > 0)
    return share @ effect


def leading_part(effect: Float[ndarray, "t j k"], probabilities: Float[ndarray, "t k"]) -> int:
    """The input of the second routing with the largest effect on the score of the last iteration's winning class."""
    return int(abs(effect[-1, :, probabilities[-1].argmax()]).argmax())


def by_token(
    values: Float[ndarray, "t i *rest"], token_of: list[int], n_layers: int
) -> Float[ndarray, "t token l *rest"]:
    """Sums over the pieces of each token, layer by layer.

    Args:
        values: [t, n * l, ...], values of the n * l parts of a text; the layers of a word piece are neighbours.
        token_of: number of the token of each word piece, ascending from 0.
        n_layers: l.
    """
    first = np.flatnonzero(np.diff(token_of, prepend=-1))
    by_piece = values.reshape(len(values), len(token_of), n_layers, *values.shape[2:])
    return np.add.reduceat(by_piece, first, axis=1)
