"""Which inputs a score is made of."""

import numpy as np
from jaxtyping import Float
from numpy import ndarray


def end_to_end(use: Float[ndarray, "t i j"], effect: Float[ndarray, "t j k"]) -> Float[ndarray, "t i k"]:
    """Credit of each input i of a first EM routing for each output k of a second one.

    The second routing's score of k is a sum over its inputs j (Heinsen 2019, eq. 8),
    ``effect_jk = beta_use_jk D_use_jk - beta_ign_jk D_ign_jk``. The effect of j is handed on to the
    inputs of the first routing as they share in j, ``D_use_ij / sum_i D_use_ij``: the weights that the
    mean of j is formed with. So credit = share @ effect, and because the shares of each j sum to 1,
    the credits for k sum to k's score, and none of it is lost or made up.

    It says who fed the parts that a score is made of. It does not say how the score would change
    without an input: D_use itself depends on every input. An output j that takes in nothing hands
    its effect on to all inputs equally.

    Args:
        use: D_use of the first routing.
        effect: of each input of the second routing on each of its scores.
    """
    taken = use.sum(1, keepdims=True)
    share = np.divide(use, taken, out=np.full_like(use, 1 / use.shape[1]), where=taken > 0)
    return share @ effect


def leading_part(effect: Float[ndarray, "t j k"], probabilities: Float[ndarray, "t k"]) -> int:
    """The input of the second routing with the largest effect on the score of the class that won in the end."""
    return int(abs(effect[-1, :, probabilities[-1].argmax()]).argmax())


def by_token(
    values: Float[ndarray, "t i *rest"], token_of: list[int], n_layers: int
) -> Float[ndarray, "t token l *rest"]:
    """Sums over the pieces of each token, layer by layer.

    Args:
        values: of the n * l parts of a text, the layers of one piece together.
        token_of: for each piece the number of its token, ascending from 0.
    """
    first = np.flatnonzero(np.diff(token_of, prepend=-1))
    by_piece = values.reshape(len(values), len(token_of), n_layers, *values.shape[2:])
    return np.add.reduceat(by_piece, first, axis=1)
