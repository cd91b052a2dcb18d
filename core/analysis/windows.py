"""Which words decide the output of a disconnected recurrent network."""

from jaxtyping import Float
from numpy import ndarray


def decisive_words(
    evidence: Float[ndarray, "i k"], probabilities: Float[ndarray, " k"], window: int
) -> tuple[int, int]:
    """The words [start, end) read by the state with the most evidence for the winning class.

    They end where the evidence for the most probable class is largest, and are as many as the window holds, or fewer at
    the start of the text.

    Args:
        evidence: contribution of each position to each logit.
        probabilities: of the classes, with the same window.
        window: in words.
    """
    end = int(evidence[:, probabilities.argmax()].argmax()) + 1
    return max(0, end - window), end
