"""Summaries of runs, which batches keep. One function summarizes single runs and batched ones."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from core.analysis.routing import Normalize, entropy
from core.quantities import check_finite
from core.trace import Trace


@dataclass(frozen=True, eq=False)
class Summary:
    """A few numbers about a run.

    Args:
        probabilities: class probabilities [k] after the last step, or with the network's own window.
        entropy: mean entropy, in bits, of the couplings' shares in the last iteration of the first routing; None
            without routing.
        settled_at: first iteration, layer or window, counted from 1, whose most probable class is also that of all
            later ones.
        notices: notices of the trace.
    """

    probabilities: ndarray
    entropy: float | None
    settled_at: int
    notices: tuple[str, ...] = ()

    @property
    def best(self) -> int:
        """The index of the most probable class."""
        return int(self.probabilities.argmax())

    @property
    def certainty(self) -> float:
        """The probability of the most probable class."""
        return float(self.probabilities.max())


def summarize(
    probabilities: Float[ndarray, "t k"],
    couplings: Sequence[Float[ndarray, "_ _"]] = (),
    normalize: Normalize = "output",
    notices: Sequence[str] = (),
) -> Summary:
    """Summarize a run.

    Args:
        probabilities: class probabilities after each step.
        couplings: c_ij [i, j] of the last iteration, for real inputs only; for a document, one matrix per sentence.
        normalize: as in ``core.routing.dynamic_routing``.
        notices: notices of the trace.

    Raises:
        ValueError: the network's numbers overflow.
    """
    check_finite(probabilities)
    best = probabilities.argmax(1)
    changes = np.flatnonzero(best != best[-1])
    shares = [entropy(coupling[None], normalize)[0] for coupling in couplings]
    return Summary(
        probabilities=probabilities[-1],
        entropy=float(np.concatenate(shares).mean()) if shares else None,
        settled_at=int(changes[-1]) + 2 if len(changes) else 1,
        notices=tuple(notices),
    )


def summarize_trace(trace: Trace) -> Summary:
    """Summarize a single run."""
    trace = trace.first(trace.own_step)
    return summarize(trace.probabilities, trace.last_couplings, getattr(trace, "normalize", "output"), trace.notices)
