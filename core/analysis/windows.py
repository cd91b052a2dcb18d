"""The k-gram behind the decision of a disconnected recurrent network."""

from jaxtyping import Float
from numpy import ndarray


def carries(evidence: Float[ndarray, "i k"], probabilities: Float[ndarray, " k"], window: int) -> tuple[int, int]:
    """The k-gram that carries the decision, as words [start, end).

    It ends at the position with the largest evidence for the most probable class, and has as many words as the
    window, or all words up to that position where there are fewer.

    Args:
        evidence: contribution of each position to each logit, for one window.
        probabilities: class probabilities of that window.
        window: its number of words.
    """
    end = int(evidence[:, probabilities.argmax()].argmax()) + 1
    return max(0, end - window), end
