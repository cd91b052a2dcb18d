import pytest
import torch

from core.models import EMSmallNORB, EMSmallNORBConfig


def model_of():
    torch.manual_seed(0)
    return EMSmallNORB(EMSmallNORBConfig(n_channels=3, n_detected=2, n_parts=4, d_pose=2)).eval()


def test_has_as_many_parameters_as_the_paper_s_network():
    assert sum(p.numel() for p in EMSmallNORB(EMSmallNORBConfig()).parameters()) == 271_688


@pytest.mark.parametrize(("size", "places"), [((96, 96), 81), ((31, 31), 1), ((48, 80), 3 * 7)])
def test_any_size_has_its_own_number_of_capsules(size, places):
    model = model_of()
    scores, poses = model.capsules(torch.rand(2, 2, *size))
    assert scores.shape == (2, 2 * places)
    assert poses.shape == (2, 2 * places, 2, 2)
    assert model(torch.rand(2, 2, *size)).shape == (2, 5)


def test_forward_is_the_last_step():
    model, images = model_of(), torch.rand(1, 2, 40, 40)
    *_, last = model.steps(images)
    assert torch.equal(model(images), last.classes.scores)


@pytest.mark.parametrize("shape", [(1, 2, 30, 96), (1, 1, 96, 96), (2, 96, 96), (0, 2, 96, 96)])
def test_what_does_not_fit_is_refused(shape):
    with pytest.raises(ValueError, match="images has shape"):
        model_of()(torch.rand(shape))
