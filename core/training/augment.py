"""Augmentation of pairs of pictures: random places and sizes, single eyes, tones, blur and noise.

Both eyes get the same random values, unless a range says otherwise; noise differs per pixel. All values come from
torch's global generators. A training run saves their state, so that a resumed run gets the same pairs.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Shaped
from torch import Tensor, nn
from torch.nn.functional import pad

Pairs = Float[Tensor, "b 2 y x"]  # from 0, black, to 1


@dataclass(frozen=True)
class Looks:
    """The ranges in which pairs vary; 0 for no variation.

    Args:
        gain, gamma: the grey's factor and exponent range from e^-x to e^x, where x is this value.
        offset: largest amount added to the grey or subtracted from it.
        blur: largest share of a pixel's 3 x 3 binomial mean, up to 1.
        noise: largest standard deviation of the noise.
        eyes: the ratio of the left eye's grey to the right eye's ranges from e^-x to e^x, where x is this value.
        zoom: the factor of the toy's size ranges from e^-x to e^x, where x is this value.
        disparity: largest shift of one eye's picture to the side, in pixels.
        single: share of the pairs in which both eyes see the same picture.
    """

    gain: float = 0.2
    offset: float = 0.1
    gamma: float = 0.2
    blur: float = 1.0
    noise: float = 0.03
    eyes: float = 0.0
    zoom: float = 0.0
    disparity: float = 0.0
    single: float = 0.0


def shift(images: Shaped[Tensor, "b 2 y x"], distance: int) -> Shaped[Tensor, "b 2 y x"]:
    """Shift each pair by up to ``distance`` pixels along both axes, repeating edge pixels."""
    b, _, y, x = images.shape
    down, right = torch.randint(-distance, distance + 1, (2, b, 1)).to(images.device)
    rows = (torch.arange(y, device=images.device) + down).clamp(0, y - 1)
    columns = (torch.arange(x, device=images.device) + right).clamp(0, x - 1)
    pair = torch.arange(b, device=images.device).view(b, 1, 1, 1)
    eye = torch.arange(2, device=images.device).view(2, 1, 1)
    return images[pair, eye, rows[:, None, :, None], columns[:, None, None, :]]


def vary(images: Pairs, looks: Looks) -> Pairs:
    """Change size, eyes, tones, blur and noise of each pair by amounts drawn uniformly from the ranges of ``looks``."""
    draws = torch.rand(8, len(images), 1, 1, 1).to(images)
    gain, offset, gamma, zoom, disparity, eyes = 2 * draws[:6] - 1
    if looks.zoom or looks.disparity:
        images = resize(images, (zoom * looks.zoom).exp().flatten(), (disparity * looks.disparity).flatten())
    # Each eye takes half of the difference between the eyes.
    side = eyes * looks.eyes / 2 * eyes.new_tensor([1.0, -1.0]).view(2, 1, 1)
    toned = change_tones(images, gain * looks.gain + side, offset * looks.offset, gamma * looks.gamma)
    noisy = add_noise(blur(toned, draws[6] * looks.blur), draws[7] * looks.noise)
    return use_one_eye(noisy, looks.single) if looks.single else noisy


def use_one_eye(images: Pairs, share: float) -> Pairs:
    """In this share of the pairs, show the picture of one random eye to both eyes."""
    single = torch.rand(len(images)).to(images.device) < share
    eye = torch.randint(2, (len(images),)).to(images.device)
    both = images[torch.arange(len(images), device=images.device), eye][:, None].expand_as(images)
    return torch.where(single[:, None, None, None], both, images)


def resize(images: Pairs, zoom: Float[Tensor, " b"], disparity: Float[Tensor, " b"]) -> Pairs:
    """Enlarge each pair about its middle, and move its left picture to the right, repeating edge pixels.

    Args:
        images: pairs to resize.
        zoom: factor of the size.
        disparity: shift in pixels before the zoom.
    """
    b, _, y, x = images.shape
    transform = images.new_zeros(b, 2, 2, 3)  # per eye, from sampled to source places, in units of half a side
    transform[:, :, 0, 0] = transform[:, :, 1, 1] = 1 / zoom[:, None]
    transform[:, 0, 0, 2] = -2 * disparity / x
    places = nn.functional.affine_grid(transform.flatten(0, 1), [2 * b, 1, y, x], align_corners=False)
    pictures = images.reshape(2 * b, 1, y, x)
    return nn.functional.grid_sample(pictures, places, padding_mode="border", align_corners=False).view_as(images)


def change_tones(
    images: Pairs, gain: Float[Tensor, "b eye 1 1"], offset: Float[Tensor, "b 1 1 1"], gamma: Float[Tensor, "b 1 1 1"]
) -> Pairs:
    """Change the grey to e^gain images^(e^gamma) + offset, clipped to 0..1, with one gain per pair or per eye."""
    return (gain.exp() * images ** gamma.exp() + offset).clamp(0, 1)


def blur(images: Pairs, share: Float[Tensor, "b 1 1 1"]) -> Pairs:
    """Mix each pixel with this share of its 3 x 3 binomial mean, repeating edge pixels."""
    padded = pad(images, (1, 1, 1, 1), mode="replicate")
    columns = padded[..., :-2, :] + 2 * padded[..., 1:-1, :] + padded[..., 2:, :]
    mean = (columns[..., :-2] + 2 * columns[..., 1:-1] + columns[..., 2:]) / 16
    return images.lerp(mean, share)


def add_noise(images: Pairs, deviation: Float[Tensor, "b 1 1 1"]) -> Pairs:
    """Add normal noise to every pixel of both eyes, clipped to 0..1."""
    return (images + deviation * torch.randn_like(images)).clamp(0, 1)
