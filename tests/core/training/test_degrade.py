"""Faults of people's pictures: cases by hand, and the same fault for both eyes."""

import io

import numpy as np
import pytest
import torch
from PIL import Image

from core.training.augment import Looks, resize, source_places, vary
from core.training.degrade import FAR, compress, soften, surround

HARD = Looks(0, 0, 0, 0, 0, away=1.0, surroundings=0.8, soft=1.5, jpeg=4.0)


def test_a_blur_has_its_radius_and_keeps_the_grey():
    point = torch.zeros(2, 2, 31, 31)
    point[:, :, 15, 15] = 1
    blurred = soften(point, torch.tensor([2.0, 0.0]))
    spread = (blurred[0, 0].sum(0) * (torch.arange(31) - 15.0).square()).sum()
    assert spread.item() == pytest.approx(4, rel=0.02)
    assert torch.equal(blurred[1], point[1])
    torch.testing.assert_close(soften(torch.ones(1, 2, 5, 7), torch.tensor([3.0])), torch.ones(1, 2, 5, 7))


def test_compression_is_that_of_a_jpeg_file():
    random = np.random.default_rng(0)
    picture = np.clip(np.cumsum(random.normal(0, 12, (24, 16)), 0) + 128, 0, 255).astype(np.uint8)
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "JPEG", quality=50)
    images = (torch.from_numpy(picture.copy()).float() / 255).expand(2, 2, 24, 16)
    compressed = compress(images, torch.tensor([1.0, 0.0]))
    np.testing.assert_allclose(compressed[0, 0] * 255, np.asarray(Image.open(file), float), atol=1.5)
    torch.testing.assert_close(compressed[1], images[1], atol=1e-4, rtol=0)
    assert compress(torch.rand(1, 2, 5, 13), torch.ones(1)).shape == (1, 2, 5, 13)


def test_surroundings_change_more_than_the_toy():
    torch.manual_seed(0)
    grey = torch.full((40, 2, 32, 32), 0.5)
    places = source_places(grey, torch.ones(40), torch.zeros(40, 2))
    changed = surround(grey, places, torch.tensor([0.6, 0.0]).repeat(20))
    assert torch.equal(changed[1::2], grey[1::2])
    assert torch.equal(changed[:, 0], changed[:, 1])
    difference, distance = (changed - grey)[::2, 0].abs(), places[0].square().sum(-1).sqrt()
    assert difference[:, distance > FAR].mean() > 5 * difference[:, distance < 0.4].mean()
    assert difference.max() <= 0.6 * 0.5 + 1e-6


def test_a_smaller_pair_moves_and_the_ground_goes_on():
    images = torch.full((1, 2, 96, 96), 0.8)
    images[:, :, 32:64, 32:64] = 0.2
    small = resize(images, torch.tensor([0.5]), torch.zeros(1), torch.tensor([[0.25, -0.25]]))
    rows, columns = (small[0, 0] < 0.5).nonzero().float().mean(0).tolist()
    assert (rows, columns) == pytest.approx((47.5 - 12, 47.5 + 12))
    assert (small[0, 0] < 0.5).sum() == 16 * 16
    torch.testing.assert_close(small[0, :, 64:], torch.full((2, 32, 96), 0.8), atol=0.02, rtol=0)


def test_hard_pairs_are_smaller_and_the_same_for_both_eyes():
    images = torch.full((60, 2, 32, 32), 0.8)
    images[:, :, 8:24, 8:24] = 0.2
    torch.manual_seed(1)
    sizes = (vary(images, Looks(0, 0, 0, 0, 0, away=1.0))[:, 0] < 0.5).sum((1, 2)).sqrt() / 16
    assert sizes.min().item() == pytest.approx(0.37, abs=0.07)
    assert sizes.max().item() == pytest.approx(1, abs=0.07)
    torch.manual_seed(1)
    changed = vary(images, HARD)
    assert torch.equal(changed[:, 0], changed[:, 1])
    torch.manual_seed(1)
    assert torch.equal(vary(images, HARD), changed)
