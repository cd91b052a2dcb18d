"""Pairs of pictures, a little different each time they are seen: moved, lit, blurred and noisy in other ways.

What is drawn for a pair holds for both eyes; only noise differs from pixel to pixel. All draws come from torch's own
generators, whose state a training run keeps, so that a resumed run sees the same pairs.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Shaped
from torch import Tensor
from torch.nn.functional import pad

Pairs = Float[Tensor, "b 2 y x"]  # from 0, black, to 1


@dataclass(frozen=True)
class Looks:
    """The most by which pairs vary; 0 is not at all.

    gain, gamma: factor and exponent of the grey, up to e^most and down to e^-most. offset: added to it.
    blur: share of the neighbours' binomial mean, up to 1. noise: standard deviation.
    """

    gain: float = 0.2
    offset: float = 0.1
    gamma: float = 0.2
    blur: float = 1.0
    noise: float = 0.03


def shifted(images: Shaped[Tensor, "b 2 y x"], most: int) -> Shaped[Tensor, "b 2 y x"]:
    """Each pair moved by up to ``most`` pixels both ways, as padding by edge pixels and cropping at random would."""
    b, _, y, x = images.shape
    down, right = torch.randint(-most, most + 1, (2, b, 1)).to(images.device)
    rows = (torch.arange(y, device=images.device) + down).clamp(0, y - 1)
    columns = (torch.arange(x, device=images.device) + right).clamp(0, x - 1)
    pair = torch.arange(b, device=images.device).view(b, 1, 1, 1)
    eye = torch.arange(2, device=images.device).view(2, 1, 1)
    return images[pair, eye, rows[:, None, :, None], columns[:, None, None, :]]


def varied(images: Pairs, looks: Looks) -> Pairs:
    """Each pair in another light and through another lens, by amounts drawn evenly up to those of ``looks``."""
    even = torch.rand(5, len(images), 1, 1, 1).to(images)
    gain, offset, gamma = 2 * even[:3] - 1
    lit = toned(images, gain * looks.gain, offset * looks.offset, gamma * looks.gamma)
    return noisy(blurred(lit, even[3] * looks.blur), even[4] * looks.noise)


def toned(
    images: Pairs, gain: Float[Tensor, "b 1 1 1"], offset: Float[Tensor, "b 1 1 1"], gamma: Float[Tensor, "b 1 1 1"]
) -> Pairs:
    """e^gain images^(e^gamma) + offset."""
    return (gain.exp() * images ** gamma.exp() + offset).clamp(0, 1)


def blurred(images: Pairs, share: Float[Tensor, "b 1 1 1"]) -> Pairs:
    """That share of each pixel's 3 x 3 binomial mean, the rest its own; edge pixels go on beyond the edge."""
    wide = pad(images, (1, 1, 1, 1), mode="replicate")
    down = wide[..., :-2, :] + 2 * wide[..., 1:-1, :] + wide[..., 2:, :]
    mean = (down[..., :-2] + 2 * down[..., 1:-1] + down[..., 2:]) / 16
    return images.lerp(mean, share)


def noisy(images: Pairs, deviation: Float[Tensor, "b 1 1 1"]) -> Pairs:
    """Normal noise on every pixel of both eyes."""
    return (images + deviation * torch.randn_like(images)).clamp(0, 1)
