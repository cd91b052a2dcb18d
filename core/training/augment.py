"""Augmentation of pairs of pictures: random shifts, tones, blur and noise.

Both eyes get the same random values; only noise differs from pixel to pixel. All values come from torch's global
generators, whose state a training run saves, so that a resumed run gets the same pairs.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Shaped
from torch import Tensor
from torch.nn.functional import pad

Pairs = Float[Tensor, "b 2 y x"]  # from 0, black, to 1


@dataclass(frozen=True)
class Looks:
    """The ranges in which pairs vary; 0 for no variation.

    Args:
        gain, gamma: x, for a factor and an exponent of the grey between e^-x and e^x.
        offset: largest amount added to the grey or subtracted from it.
        blur: largest share of a pixel's 3 x 3 binomial mean, up to 1.
        noise: largest standard deviation.
    """

    gain: float = 0.2
    offset: float = 0.1
    gamma: float = 0.2
    blur: float = 1.0
    noise: float = 0.03


def shift(images: Shaped[Tensor, "b 2 y x"], distance: int) -> Shaped[Tensor, "b 2 y x"]:
    """Shift each pair by up to ``distance`` pixels along both axes; edge pixels are repeated beyond the edge."""
    b, _, y, x = images.shape
    down, right = torch.randint(-distance, distance + 1, (2, b, 1)).to(images.device)
    rows = (torch.arange(y, device=images.device) + down).clamp(0, y - 1)
    columns = (torch.arange(x, device=images.device) + right).clamp(0, x - 1)
    pair = torch.arange(b, device=images.device).view(b, 1, 1, 1)
    eye = torch.arange(2, device=images.device).view(2, 1, 1)
    return images[pair, eye, rows[:, None, :, None], columns[:, None, None, :]]


def vary(images: Pairs, looks: Looks) -> Pairs:
    """Change tones, blur and noise of each pair by amounts drawn uniformly from the ranges of ``looks``."""
    draws = torch.rand(5, len(images), 1, 1, 1).to(images)
    gain, offset, gamma = 2 * draws[:3] - 1
    lit = change_tones(images, gain * looks.gain, offset * looks.offset, gamma * looks.gamma)
    return add_noise(blur(lit, draws[3] * looks.blur), draws[4] * looks.noise)


def change_tones(
    images: Pairs, gain: Float[Tensor, "b 1 1 1"], offset: Float[Tensor, "b 1 1 1"], gamma: Float[Tensor, "b 1 1 1"]
) -> Pairs:
    """Change the grey to e^gain images^(e^gamma) + offset, clipped to 0..1."""
    return (gain.exp() * images ** gamma.exp() + offset).clamp(0, 1)


def blur(images: Pairs, share: Float[Tensor, "b 1 1 1"]) -> Pairs:
    """Mix each pixel with this share of its 3 x 3 binomial mean; edge pixels are repeated beyond the edge."""
    wide = pad(images, (1, 1, 1, 1), mode="replicate")
    down = wide[..., :-2, :] + 2 * wide[..., 1:-1, :] + wide[..., 2:, :]
    mean = (down[..., :-2] + 2 * down[..., 1:-1] + down[..., 2:]) / 16
    return images.lerp(mean, share)


def add_noise(images: Pairs, deviation: Float[Tensor, "b 1 1 1"]) -> Pairs:
    """Add normal noise to every pixel of both eyes, clipped to 0..1."""
    return (images + deviation * torch.randn_like(images)).clamp(0, 1)
