import pytest
import torch
from torch.nn.functional import pad

from core.training.augment import Looks, add_noise, blur, change_tones, shift, vary


def each(*values):
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
    augmented = change_tones(images, each(log2, 0.0), each(0.0, -0.25), each(0.0, log2))
    torch.testing.assert_close(augmented[0, 0, 0], torch.tensor([0.0, 0.5, 1.0, 1.0]))
    torch.testing.assert_close(augmented[1, 1, 0], torch.tensor([0.0, 0.0, 0.0, 0.75]))


def test_blur_spreads_a_point_over_its_neighbours():
    point = torch.zeros(2, 2, 5, 5)
    point[:, :, 2, 2] = 16
    augmented = blur(point, each(1.0, 0.5))
    assert augmented[0, 0, 1:4, 1:4].tolist() == [[1, 2, 1], [2, 4, 2], [1, 2, 1]]
    assert augmented[1, 1, 2, 1:4].tolist() == [1, 10, 1]
    torch.testing.assert_close(blur(torch.ones(1, 2, 3, 3), each(1.0)), torch.ones(1, 2, 3, 3))


def test_noise_has_its_deviation_and_stays_in_range():
    grey = torch.full((2, 2, 64, 64), 0.5)
    augmented = add_noise(grey, each(0.02, 0.0))
    assert augmented[0].std().item() == pytest.approx(0.02, rel=0.05)
    assert torch.equal(augmented[1], grey[1])
    assert add_noise(grey, each(5.0, 5.0)).aminmax() == (0, 1)


def test_a_pair_varies_as_one_and_the_same_draws_give_the_same():
    images = torch.rand(3, 1, 8, 8).expand(3, 2, 8, 8)
    torch.manual_seed(1)
    augmented = vary(images, Looks(noise=0))
    assert torch.equal(augmented[:, 0], augmented[:, 1])
    assert not torch.allclose(augmented[0] - images[0], augmented[1] - images[1])
    torch.manual_seed(1)
    assert torch.equal(vary(images, Looks(noise=0)), augmented)
    torch.testing.assert_close(vary(images, Looks(0, 0, 0, 0, 0)), images)
