"""The smallNORB network: its sizes, receptive fields and start, and standardized pictures."""

import math

import pytest
import torch

from core.models import EMSmallNORB, EMSmallNORBConfig
from core.models.em_smallnorb import FIELD, FIRST, STEP, grid, standardize


def small_model():
    """A small network with its first random weights."""
    torch.manual_seed(0)
    return EMSmallNORB(EMSmallNORBConfig(n_channels=3, n_detected=2, n_parts=4, d_pose=2)).eval()


def test_the_number_of_parameters_is_the_paper_s():
    assert sum(p.numel() for p in EMSmallNORB(EMSmallNORBConfig()).parameters()) == 271_688


@pytest.mark.parametrize(("size", "places"), [((96, 96), 81), ((29, 36), 1), ((37, 29), 2), ((48, 80), 3 * 7)])
def test_the_size_of_a_picture_decides_the_number_of_capsules(size, places):
    model = small_model()
    assert math.prod(grid(*size)) == places
    scores, poses = model.capsules(torch.rand(2, 2, *size))
    assert scores.shape == (2, 2 * places)
    assert poses.shape == (2, 2 * places, 2, 2)
    assert model(torch.rand(2, 2, *size)).shape == (2, 5)


def test_forward_is_the_last_step():
    model, images = small_model(), torch.rand(1, 2, 40, 40)
    *_, last = model.steps(images)
    assert torch.equal(model(images), last.to_classes.scores)


def test_a_location_sees_a_square_around_its_centre():
    """The gradient of one location's poses confirms the arithmetic of the strides."""
    assert (FIRST, STEP, FIELD) == (14, 8, 29)
    model, images = small_model(), torch.rand(1, 2, 96, 96, requires_grad=True)
    rows, columns = grid(96, 96)
    row, column = 2, 5
    poses = model.capsules(images)[1].reshape(rows, columns, -1)
    poses[row, column].square().sum().backward()
    _, _, seen_rows, seen_columns = images.grad.nonzero().unbind(1)
    for pixels, number in ((seen_rows, row), (seen_columns, column)):
        centre = FIRST + STEP * number
        assert (pixels.min(), pixels.max()) == (centre - FIELD // 2, centre + FIELD // 2)


@pytest.mark.wrong_arguments
@pytest.mark.parametrize("shape", [(1, 2, 28, 96), (1, 1, 96, 96), (2, 96, 96), (0, 2, 96, 96)])
def test_sizes_that_do_not_fit_are_refused(shape):
    with pytest.raises(ValueError, match="images has shape"):
        small_model()(torch.rand(shape))


def test_a_standardized_network_ignores_exposure_and_contrast():
    torch.manual_seed(0)
    sizes = {"n_channels": 3, "n_detected": 2, "n_parts": 4, "d_pose": 2}
    model = EMSmallNORB(EMSmallNORBConfig(**sizes, standardized=True)).eval().double()
    images = torch.rand(2, 2, 40, 40).double()
    changed = images * torch.tensor([0.5, 0.8]).view(2, 1, 1) + 0.1
    torch.testing.assert_close(model.capsules(changed), model.capsules(images))
    other = small_model().double()
    assert not torch.allclose(other.capsules(changed)[1], other.capsules(images)[1])


def test_a_standardized_picture_has_mean_0_and_deviation_1():
    images = torch.rand(2, 2, 40, 40)
    images[0, 0] = 0.3
    standard = standardize(images)
    assert standard[0, 0].abs().max() < 1e-4
    torch.testing.assert_close(standard[1].mean((1, 2)), torch.zeros(2), atol=1e-5, rtol=0)
    torch.testing.assert_close(standard[1].std((1, 2), correction=0), torch.ones(2))


def test_weights_start_kaiming_normal_with_zero_biases():
    """The paper's sections 4.2 and 5.2 state this start."""
    model = EMSmallNORB(EMSmallNORBConfig())
    convolution = model.convolve[4]
    assert convolution.weight.std().item() == pytest.approx((2 / (64 * 9)) ** 0.5, rel=0.02)
    assert not convolution.bias.any()
    assert not model.to_poses[1].bias.any()
