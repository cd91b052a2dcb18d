"""The answers of a network without each of its units, and the spans of a trace."""

from typing import Any, Literal

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray

from core.checkpoint import Checkpoint
from core.networks.base import network_of
from core.networks.effects import cuts, log_odds


def probabilities_without(
    checkpoint: Checkpoint, sample: Any, by: Literal["input", "capsule"], routing: int
) -> Float[ndarray, "u k"]:
    """The class probabilities when each input, or each output capsule, of a routing is left out.

    Errors as in ``core.networks.effects.cuts``.
    """
    lost = cuts(checkpoint, sample, by=by, routing=routing)
    with torch.inference_mode():
        *_, last = network_of(checkpoint).reruns(checkpoint, sample, []).steps(1, [], None)
        odds = log_odds(last.probabilities) - torch.from_numpy(lost).flatten(0, 1).to(last.probabilities)
        return odds.sigmoid().float().cpu().numpy()


def spans_of(trace: Any) -> Int[ndarray, "i 2"]:
    """The spans of a trace's tokens as an array."""
    return np.array(trace.spans, int).reshape(-1, 2)
