"""What a window of a disconnected recurrent network says of a text."""

from jaxtyping import Float
from numpy import ndarray


def carries(evidence: Float[ndarray, "i k"], probabilities: Float[ndarray, " k"], window: int) -> tuple[int, int]:
    """The k-gram that carries the decision, as words [start, end): it ends where the evidence for the most probable
    class is largest, and is as long as the window or as what stands to the left.

    Args:
        evidence: of one window, what each position adds to each logit.
        probabilities: of the same window.
    """
    end = int(evidence[:, probabilities.argmax()].argmax()) + 1
    return max(0, end - window), end
