"""Augmentation of pairs of pictures: random places, sizes, surroundings, single eyes, tones, blur, noise, compression.

Both eyes get the same random values, unless a range says otherwise; noise differs per pixel. All values come from
torch's global generators. A training run saves their state, so that a resumed run gets the same pairs.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Shaped
from torch import Tensor
from torch.nn.functional import affine_grid, grid_sample, pad

from core.training.degrade import Pairs, compress, soften, surround

GROUND = 6.0  # radius of the blur of the ground that surrounds a smaller picture, in pixels
WANDER = 0.6  # largest shift of a smaller picture, as a share of the room around it


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
        away: the smallest factor of the toy's size is e^-x, where x is this value, if this is not 0. A smaller toy also
            moves, by up to ``WANDER`` of the room around it.
        surroundings: largest change of the grey around the toy, as a share.
        soft: largest radius of a blur, in pixels, as that of a picture of fewer pixels.
        jpeg: coarsest compression, as a multiple of JPEG's steps at quality 50.

    A third of the pairs keeps its surroundings, a third is not blurred, and a third is not compressed.
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
    away: float = 0.0
    surroundings: float = 0.0
    soft: float = 0.0
    jpeg: float = 0.0


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
    """Change each pair by amounts drawn uniformly from the ranges of ``looks``."""
    draws = torch.rand(8, len(images), 1, 1, 1).to(images)
    gain, offset, gamma, zoom, disparity, eyes = 2 * draws[:6] - 1
    if looks.zoom or looks.disparity or looks.away or looks.surroundings:
        size = zoom * looks.zoom if not looks.away else looks.zoom - draws[3] * (looks.zoom + looks.away)
        images = _place(images, size.exp().flatten(), (disparity * looks.disparity).flatten(), looks)
    # Each eye takes half of the difference between the eyes.
    side = eyes * looks.eyes / 2 * eyes.new_tensor([1.0, -1.0]).view(2, 1, 1)
    toned = change_tones(images, gain * looks.gain + side, offset * looks.offset, gamma * looks.gamma)
    blurred = blur(toned, draws[6] * looks.blur)
    if looks.soft:
        blurred = soften(blurred, _some(len(images), looks.soft).to(images))
    noisy = add_noise(blurred, draws[7] * looks.noise)
    if looks.jpeg:
        noisy = compress(noisy, _some(len(images), looks.jpeg).to(images))
    return use_one_eye(noisy, looks.single) if looks.single else noisy


def _some(n: int, largest: float) -> Float[Tensor, " n"]:
    """Draw an amount per pair: 0 for a third of the pairs, and otherwise up to ``largest``."""
    return (1.5 * torch.rand(n) - 0.5).clamp(min=0) * largest


def _place(images: Pairs, zoom: Float[Tensor, " b"], disparity: Float[Tensor, " b"], looks: Looks) -> Pairs:
    """Change sizes and disparities, move smaller pairs, and draw what surrounds the toys."""
    if not (looks.away or looks.surroundings):
        return resize(images, zoom, disparity)
    room = (1 - zoom).clamp(min=0) if looks.away else torch.zeros_like(zoom)
    move = WANDER * room[:, None] * (2 * torch.rand(len(images), 2).to(images) - 1)
    resized = resize(images, zoom, disparity, move)
    if not looks.surroundings:
        return resized
    places = source_places(images, zoom, move)
    return surround(resized, places, _some(len(images), looks.surroundings).to(images))


def use_one_eye(images: Pairs, share: float) -> Pairs:
    """In this share of the pairs, show the picture of one random eye to both eyes."""
    single = torch.rand(len(images)).to(images.device) < share
    eye = torch.randint(2, (len(images),)).to(images.device)
    both = images[torch.arange(len(images), device=images.device), eye][:, None].expand_as(images)
    return torch.where(single[:, None, None, None], both, images)


def source_places(images: Pairs, zoom: Float[Tensor, " b"], move: Float[Tensor, "b 2"]) -> Float[Tensor, "b y x xy"]:
    """Where ``resize`` takes each pixel from, in half sides from the middle of the picture."""
    transform = torch.diag_embed(1 / zoom[:, None].expand(-1, 2))
    return affine_grid(
        torch.cat([transform, (-move / zoom[:, None])[..., None]], 2), [len(images), 1, *images.shape[2:]], False
    )


def resize(
    images: Pairs, zoom: Float[Tensor, " b"], disparity: Float[Tensor, " b"], move: Float[Tensor, "b 2"] | None = None
) -> Pairs:
    """Enlarge each pair about its middle, and move its left picture to the right.

    Around a pair that becomes smaller, the ground continues as at the edge of the picture, but smoothly.

    Args:
        images: pairs to resize.
        zoom: factor of the size.
        disparity: shift of the left picture in pixels, before the zoom.
        move: shift of both pictures to the right and down after the zoom, in half sides.
    """
    x = images.shape[3]
    places = source_places(images, zoom, torch.zeros(len(images), 2).to(images) if move is None else move)
    apart = torch.stack([-2 * disparity / x, torch.zeros_like(disparity)], 1)  # of the left picture only
    by_eye = torch.stack([places + apart[:, None, None], places], 1).flatten(0, 1)

    def sample(pictures: Pairs) -> Pairs:
        one_eye = pictures.flatten(0, 1)[:, None]
        return grid_sample(one_eye, by_eye, padding_mode="border", align_corners=False).view_as(images)

    if (zoom >= 1).all():
        return sample(images)
    outside = (by_eye.abs().amax(-1) > 1).view_as(images)
    ground = sample(soften(images, torch.full_like(zoom, GROUND)))
    return torch.where(outside, ground, sample(images))


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
