"""Probes of a sample: a network's rankings of its parts, and its answers without some of them."""

import torch
from numpy import ndarray

from core.checkpoint import Checkpoint
from core.measured.evidence.gradients import integrated_gradients
from core.networks.base import network_of
from core.networks.probe import Probe, Sample


def probe(checkpoint: Checkpoint, sample: Sample) -> Probe:
    """Read a text or a pair of pictures and rank its parts.

    Args:
        sample: the words of a text; the sentences of a document, each a list of words; a text as typed; or a pair of
            pictures, uint8 [2, y, x].

    Raises:
        ValueError: the network reads the other kind of sample.
    """
    if isinstance(sample, ndarray) != (checkpoint.reader.reads == "pictures"):
        raise ValueError(f"{checkpoint.name} reads {checkpoint.reader.reads}; give it {checkpoint.reader.reads}.")
    network = network_of(checkpoint)
    if isinstance(sample, str):
        sample = network.typed_parts(checkpoint, sample)
    with torch.inference_mode():
        read = network.probe(checkpoint, sample)
    if scores := network.differentiable(checkpoint, sample):
        read.rankings["integrated gradients"] = integrated_gradients(scores, read.answer)
    return read
