"""Faults of people's pictures of toys: blur, compression, and surroundings other than plain ground.

Both eyes get the same fault. No gradient is needed, and no pair is read on its own, so a batch takes a few operations.
"""

import math

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import interpolate, pad

Pairs = Float[Tensor, "b 2 y x"]  # from 0, black, to 1
BLOCK = 8  # pixels per side that JPEG compresses together
# The steps of brightness at quality 50 (annex K of the standard). Coarser steps are multiples of these.
STEPS = (
    (16, 11, 10, 16, 24, 40, 51, 61),
    (12, 12, 14, 19, 26, 58, 60, 55),
    (14, 13, 16, 24, 40, 57, 69, 56),
    (14, 17, 22, 29, 51, 87, 80, 62),
    (18, 22, 37, 56, 68, 109, 103, 77),
    (24, 35, 55, 64, 81, 104, 113, 92),
    (49, 64, 78, 87, 103, 121, 120, 101),
    (72, 92, 95, 98, 112, 100, 103, 99),
)
CELLS = (3, 12)  # cells per side of the random patches around a toy, large and small ones
STRIPES = (1.0, 7.0)  # stripes per half picture
NEAR, FAR = 0.5, 0.9  # distances from the middle of a toy, in half sides of its picture, where surroundings begin
CAST = 0.15  # share of the surroundings' pattern that also falls on the toy


def soften(images: Pairs, radius: Float[Tensor, " b"]) -> Pairs:
    """Blur each pair with a Gaussian of this standard deviation, in pixels; 0 changes nothing."""
    spread = 2 * radius.square()[:, None, None] + 1e-4

    def shares(n: int) -> Float[Tensor, "b 1 n n"]:
        place = torch.arange(n, device=images.device)
        return (-(place[:, None] - place).square() / spread).softmax(-1)[:, None]

    return shares(images.shape[2]) @ images @ shares(images.shape[3]).mT


def compress(images: Pairs, coarseness: Float[Tensor, " b"]) -> Pairs:
    """Lose what JPEG loses, with its steps at quality 50 times this factor per pair; 0 loses nothing."""
    b, _, y, x = images.shape
    down, right = -y % BLOCK, -x % BLOCK
    blocks = pad(images, (0, right, 0, down), mode="replicate") * 255 - 128
    blocks = blocks.unflatten(3, (-1, BLOCK)).unflatten(2, (-1, BLOCK)).transpose(3, 4)  # [b, eye, row, column, 8, 8]
    wave = torch.arange(BLOCK).to(images)
    cosines = (math.pi / BLOCK * wave[:, None] * (wave + 0.5)).cos() * math.sqrt(2 / BLOCK)
    cosines[0] /= math.sqrt(2)
    step = (images.new_tensor(STEPS) * coarseness.view(b, 1, 1, 1, 1, 1)).clamp(min=1e-2)
    rounded = (cosines @ blocks @ cosines.mT / step).round() * step
    restored = (cosines.mT @ rounded @ cosines).transpose(3, 4).flatten(4, 5).flatten(2, 3)
    return ((restored[..., :y, :x] + 128) / 255).clamp(0, 1)


def surround(images: Pairs, places: Float[Tensor, "b y x 2"], strength: Float[Tensor, " b"]) -> Pairs:
    """Vary the grey around each toy by patches, stripes and an edge, such as a table's.

    Args:
        images: pairs to vary.
        places: each pixel's column and row, counted from the middle of the toy in half sides of its picture at full
            size.
        strength: largest change of the grey, as a share of it.
    """
    b, _, y, x = images.shape
    draws = torch.rand(8, b, 1, 1).to(images)
    patches = sum(interpolate(torch.randn(b, 1, n, n).to(images), (y, x), mode="bilinear")[:, 0] for n in CELLS)
    across = places[..., 0] * (2 * math.pi * draws[0]).cos() + places[..., 1] * (2 * math.pi * draws[0]).sin()
    count = STRIPES[0] + (STRIPES[1] - STRIPES[0]) * draws[1]
    stripes = (math.pi * count * across + 2 * math.pi * draws[2]).sin()
    edge = 20 * (across - NEAR - (1 - NEAR) * draws[3])
    mixture = draws[4] * patches / len(CELLS) + draws[5] * draws[7] * stripes + (2 * draws[6] - 1) * edge.sigmoid()
    near = ((places.square().sum(-1).sqrt() - NEAR) / (FAR - NEAR)).clamp(0, 1)
    weight = strength.view(b, 1, 1) * (CAST + (1 - CAST) * near)
    return (images * (1 + weight * mixture.clamp(-1, 1))[:, None]).clamp(0, 1)
