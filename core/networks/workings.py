"""The numbers of a run that its trace does not hold, such as votes, for ``core.worked``."""

from collections.abc import Sequence

import torch
from numpy import ndarray

from core.checkpoint import Checkpoint
from core.edits import parse_edit
from core.networks.arrays import to_array
from core.networks.base import network_of


def weights_of(checkpoint: Checkpoint, text: str, edits: Sequence[str] = ()) -> dict[str, ndarray]:
    """The votes of a text, and the weights that turn shares into scores, by their name in ``core.worked.work``.

    Args:
        checkpoint: network that reads texts.
        text: text as typed.
        edits: edits of the run as the trace lists them; those that replace words are applied.

    Raises:
        ValueError: the text cannot be read.
    """
    with torch.inference_mode():
        numbers = network_of(checkpoint).workings(checkpoint, text, list(map(parse_edit, edits)))
    return {name: to_array(values) for name, values in numbers.items()}
