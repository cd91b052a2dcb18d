"""Finds the words that decide the output of a disconnected recurrent network."""

import numpy as np
from jaxtyping import Float
from numpy import ndarray


def decisive_words(
    evidence: Float[ndarray, "i k"], probabilities: Float[ndarray, " k"], window: int
) -> tuple[int, int]:
    """The words [start, end) read by the state with the most evidence for the winning class.

    They end at the position with the most evidence for the most probable class, and fill the window, except at the
    start of the text.

    Args:
        evidence: contribution of each position to each logit.
        probabilities: class probabilities with the same window.
        window: size of the window in words.
    """
    end = int(evidence[:, probabilities.argmax()].argmax()) + 1
    return max(0, end - window), end


def words_needed(probabilities: Float[ndarray, "t k"]) -> int:
    """The smallest window, in words, from which on every window has the same answer as the last one.

    Args:
        probabilities: class probabilities with windows of 1, 2, .. words.
    """
    answers = probabilities.argmax(1)
    others = np.flatnonzero(answers != answers[-1])
    return int(others[-1]) + 2 if len(others) else 1
