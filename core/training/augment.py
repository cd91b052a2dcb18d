"""Random variation of pairs of pictures: their place, light, blur and noise.

Both eyes get the same draws; only noise differs from pixel to pixel. All draws come from torch's own generators,
whose state a training run keeps, so that a resumed run sees the same pairs.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Shaped
from torch import Tensor
from torch.nn.functional import pad

Pairs = Float[Tensor, "b 2 y x"]  # from 0, black, to 1


@dataclass(frozen=True)
class Looks:
    """The ranges in which pairs vary; 0 is not at all.

    Args:
        gain, gamma: factor and exponent of the grey are between e^-x and e^x.
        offset: up to this much is added to the grey or taken from it.
        blur: share of the neighbours' binomial mean, up to 1.
        noise: standard deviation, at most.
    """

    gain: float = 0.2
    offset: float = 0.1
    gamma: float = 0.2
    blur: float = 1.0
    noise: float = 0.03


def shifted(images: Shaped[Tensor, "b 2 y x"], distance: int) -> Shaped[Tensor, "b 2 y x"]:
    """Each pair moved by up to ``distance`` pixels both ways, as random crops of the pair padded by edge pixels."""
    b, _, y, x = images.shape
    down, right = torch.randint(-distance, distance + 1, (2, b, 1)).to(images.device)
    rows = (torch.arange(y, device=images.device) + down).clamp(0, y - 1)
    columns = (torch.arange(x, device=images.device) + right).clamp(0, x - 1)
    pair = torch.arange(b, device=images.device).view(b, 1, 1, 1)
    eye = torch.arange(2, device=images.device).view(2, 1, 1)
    return images[pair, eye, rows[:, None, :, None], columns[:, None, None, :]]


def varied(images: Pairs, looks: Looks) -> Pairs:
    """Each pair with other tones, blur and noise, drawn uniformly from the ranges of ``looks``."""
    draws = torch.rand(5, len(images), 1, 1, 1).to(images)
    gain, offset, gamma = 2 * draws[:3] - 1
    lit = toned(images, gain * looks.gain, offset * looks.offset, gamma * looks.gamma)
    return noisy(blurred(lit, draws[3] * looks.blur), draws[4] * looks.noise)


def toned(
    images: Pairs, gain: Float[Tensor, "b 1 1 1"], offset: Float[Tensor, "b 1 1 1"], gamma: Float[Tensor, "b 1 1 1"]
) -> Pairs:
    """e^gain images^(e^gamma) + offset."""
    return (gain.exp() * images ** gamma.exp() + offset).clamp(0, 1)


def blurred(images: Pairs, share: Float[Tensor, "b 1 1 1"]) -> Pairs:
    """Each pixel mixed with its 3 x 3 binomial mean in this share; edge pixels are repeated beyond the edge."""
    wide = pad(images, (1, 1, 1, 1), mode="replicate")
    down = wide[..., :-2, :] + 2 * wide[..., 1:-1, :] + wide[..., 2:, :]
    mean = (down[..., :-2] + 2 * down[..., 1:-1] + down[..., 2:]) / 16
    return images.lerp(mean, share)


def noisy(images: Pairs, deviation: Float[Tensor, "b 1 1 1"]) -> Pairs:
    """Normal noise on every pixel of both eyes."""
    return (images + deviation * torch.randn_like(images)).clamp(0, 1)
