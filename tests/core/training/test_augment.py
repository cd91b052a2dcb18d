"""Augmentations of pairs of pictures: cases by hand, ranges, and equal changes for both eyes."""

import pytest
import torch
from torch.nn.functional import pad

from core.training.augment import Looks, add_noise, blur, change_tones, resize, shift, use_one_eye, vary


def per_pair(*values):
    """One value per pair of pictures."""
    return torch.tensor(values).view(-1, 1, 1, 1)


def test_a_shift_is_a_crop_of_the_padded_pair():
    images = torch.rand(6, 2, 5, 7)
    torch.manual_seed(3)
    augmented = shift(images, 2)
    torch.manual_seed(3)
    down, right = torch.randint(-2, 3, (2, 6, 1))
    wide = pad(images, (2, 2, 2, 2), mode="replicate")
    for k, (i, j) in enumerate(zip((down + 2).tolist(), (right + 2).tolist(), strict=True)):
        assert torch.equal(augmented[k], wide[k, :, i[0] : i[0] + 5, j[0] : j[0] + 7])
    assert len(down.unique()) > 1
    assert torch.equal(shift(images, 0), images)
    assert shift((images * 255).byte(), 2).dtype == torch.uint8


def test_tones_by_hand():
    images = torch.tensor([0.0, 0.25, 0.5, 1.0]).expand(2, 2, 1, 4)
    log2 = torch.tensor(2.0).log().item()
    augmented = change_tones(images, per_pair(log2, 0.0), per_pair(0.0, -0.25), per_pair(0.0, log2))
    torch.testing.assert_close(augmented[0, 0, 0], torch.tensor([0.0, 0.5, 1.0, 1.0]))
    torch.testing.assert_close(augmented[1, 1, 0], torch.tensor([0.0, 0.0, 0.0, 0.75]))


def test_blur_spreads_a_point_over_its_neighbours():
    point = torch.zeros(2, 2, 5, 5)
    point[:, :, 2, 2] = 16
    augmented = blur(point, per_pair(1.0, 0.5))
    assert augmented[0, 0, 1:4, 1:4].tolist() == [[1, 2, 1], [2, 4, 2], [1, 2, 1]]
    assert augmented[1, 1, 2, 1:4].tolist() == [1, 10, 1]
    torch.testing.assert_close(blur(torch.ones(1, 2, 3, 3), per_pair(1.0)), torch.ones(1, 2, 3, 3))


def test_noise_has_its_deviation_and_stays_in_range():
    grey = torch.full((2, 2, 64, 64), 0.5)
    augmented = add_noise(grey, per_pair(0.02, 0.0))
    assert augmented[0].std().item() == pytest.approx(0.02, rel=0.05)
    assert torch.equal(augmented[1], grey[1])
    assert add_noise(grey, per_pair(5.0, 5.0)).aminmax() == (0, 1)


def test_both_pictures_of_a_pair_vary_in_the_same_way():
    images = torch.rand(3, 1, 8, 8).expand(3, 2, 8, 8)
    torch.manual_seed(1)
    augmented = vary(images, Looks(noise=0))
    assert torch.equal(augmented[:, 0], augmented[:, 1])
    assert not torch.allclose(augmented[0] - images[0], augmented[1] - images[1])
    torch.manual_seed(1)
    assert torch.equal(vary(images, Looks(noise=0)), augmented)
    torch.testing.assert_close(vary(images, Looks(0, 0, 0, 0, 0)), images)


def test_a_pair_keeps_its_size_or_grows_about_its_middle():
    images = torch.zeros(2, 2, 8, 8)
    images[:, :, 3:5, 3:5] = 1
    torch.testing.assert_close(resize(images, torch.ones(2), torch.zeros(2)), images)
    grown = resize(images, torch.full((2,), 2.0), torch.zeros(2))
    assert grown[0, 0].sum() == pytest.approx(16, rel=0.15)
    torch.testing.assert_close(grown, grown.flip(-1))
    torch.testing.assert_close(grown, grown.flip(-2))


def test_disparity_moves_the_left_picture_to_the_right():
    images = torch.rand(1, 2, 4, 8)
    moved = resize(images, torch.ones(1), torch.tensor([2.0]))
    torch.testing.assert_close(moved[0, 0, :, 2:], images[0, 0, :, :-2])
    torch.testing.assert_close(moved[0, 1], images[0, 1])


def test_one_picture_replaces_the_other_in_a_share_of_pairs():
    torch.manual_seed(0)
    images = torch.rand(300, 2, 2, 2)
    changed = use_one_eye(images, 0.3)
    single = (changed[:, 0] == changed[:, 1]).flatten(1).all(1)
    assert single.float().mean().item() == pytest.approx(0.3, abs=0.08)
    assert torch.equal(changed[~single], images[~single])
    from_left = (changed[single, 0] == images[single, 0]).flatten(1).all(1)
    assert 0.3 < from_left.float().mean() < 0.7
    assert torch.equal(changed[single][~from_left], images[single][~from_left][:, [1, 1]])


def test_the_eyes_differ_in_exposure_up_to_the_limit():
    images = torch.full((50, 2, 4, 4), 0.5)
    changed = vary(images, Looks(0, 0, 0, 0, 0, eyes=0.2))
    ratio = changed[:, 0].mean((1, 2)) / changed[:, 1].mean((1, 2))
    assert ratio.log().abs().max().item() == pytest.approx(0.2, abs=0.03)
    torch.testing.assert_close(ratio.log().mean().item(), 0.0, atol=0.06, rtol=0)
