"""Forward and backward of the smallNORB network in a training step, with and without denormal numbers."""

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from core import zoo
from core.datasets import toyrig
from core.device import without_denormals
from core.models import EMSmallNORB
from tests.benchmarks.figure import Figure, median_seconds

AZIMUTHS = (0, 80, 160, 240)  # azimuths of the first toy of each kind: 20 pairs, one batch


def training(device: str) -> list[Figure]:
    """The time of a forward and backward pass. Denormal numbers in the shipped weights slow down a CPU only."""
    shipped = zoo.load("em-smallnorb", "cpu").model
    network = EMSmallNORB(shipped.config).to(device, memory_format=torch.channels_last).train()
    network.load_state_dict(shipped.state_dict())
    kinds = range(len(toyrig.KINDS))
    images = [toyrig.photographs(kind, 0, AZIMUTHS, [50])[0, :, 0] for kind in kinds]
    pairs = torch.from_numpy(np.concatenate(images)).to(device).float() / 255
    classes = torch.tensor(kinds, device=device).repeat_interleave(len(AZIMUTHS))

    def step() -> None:
        network.zero_grad()
        cross_entropy(network(pairs), classes).backward()

    kept = median_seconds(step, device)
    with without_denormals() as thread:
        flushed = median_seconds(lambda: thread.submit(step).result(), device)
    name = "em-smallnorb, 20 pairs forward + backward"
    ratio = Figure(f"{name}, denormal numbers kept / taken for 0", kept / flushed, 1.5, "times", at_least=True)
    time = Figure(f"{name}, taken for 0", 1000 * flushed, None, "ms")
    return [ratio, time] if device == "cpu" else [time]
