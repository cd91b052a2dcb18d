"""Finds the words that decide the output of a disconnected recurrent network."""

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
