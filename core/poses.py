"""The class capsules of many pictures: what a sweep over a toy's views looks at."""

from typing import NamedTuple

import torch
from jaxtyping import Float, UInt8
from numpy import ndarray

from core.zoo import Checkpoint

AT_ONCE = 18  # pairs; a turn about the toy has as many


class ClassCapsules(NamedTuple):
    """What a network says of each pair after its own count of iterations."""

    probabilities: Float[ndarray, "n classes"]
    poses: Float[ndarray, "n classes c h"]  # the class capsules' means


def poses(checkpoint: Checkpoint, images: UInt8[ndarray, "n 2 y x"]) -> ClassCapsules:
    """Run a network that reads pictures on pairs of them, ``AT_ONCE`` together.

    Raises:
        ValueError: the network reads text, or images has another shape or dtype or holds no pair.
    """
    checkpoint.check(images)
    found = []
    with torch.inference_mode():
        for start in range(0, max(1, len(images)), AT_ONCE):
            batch = checkpoint.encode(images[start : start + AT_ONCE])
            scores, means, _ = checkpoint.model.class_capsules(**batch)
            found.append((scores.softmax(-1), means))
    return ClassCapsules(*(torch.cat(parts).float().cpu().numpy() for parts in zip(*found, strict=True)))
