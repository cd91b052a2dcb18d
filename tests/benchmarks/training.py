"""What a training step of the smallNORB network costs, with and without numbers too small to be normal."""

import numpy as np
import torch

from core import zoo
from core.datasets import toyrig
from core.device import denormals_as_zero
from core.models import EMSmallNORB
from tests.benchmarks.figure import Figure, median_seconds

AZIMUTHS = (0, 80, 160, 240)  # of the first toy of each kind: 20 pairs, as many as in a batch


def training(device: str) -> list[Figure]:
    """Forward and backward with the shipped weights; the CPU alone slows down for such numbers."""
    shipped = zoo.load("em-smallnorb", "cpu").model
    network = EMSmallNORB(shipped.config).to(device, memory_format=torch.channels_last).train()
    network.load_state_dict(shipped.state_dict())
    images = [toyrig.photographs(kind, 0, AZIMUTHS, [50])[0, :, 0] for kind in range(len(toyrig.KINDS))]
    pairs = torch.from_numpy(np.concatenate(images)).to(device).float() / 255

    def step() -> None:
        network(pairs).logsumexp(1).sum().backward()

    kept = median_seconds(step, device)
    with denormals_as_zero() as without_denormals:
        flushed = median_seconds(lambda: without_denormals(step), device)
    name = "em-smallnorb, forward + backward, denormal numbers kept / taken for 0"
    return [Figure(name, kept / flushed, 1.5 if device == "cpu" else None, "times", at_least=True)]
