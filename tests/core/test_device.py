import pytest
import torch

from core.device import denormals_as_zero

N = 1 << 20  # enough for PyTorch to use its helper threads


def test_numbers_too_small_to_be_normal_count_as_zero_there_in_every_thread_and_nowhere_else():
    tiny = torch.full((N,), 1e-40)
    if not torch.set_flush_denormal(False):
        pytest.skip("this CPU cannot take them for 0")
    assert ((tiny * 1) > 0).all()  # helper threads have started
    with denormals_as_zero() as without_denormals:
        assert ((tiny * 1) > 0).all()
        assert (without_denormals(torch.mul, tiny, 1) == 0).all()
        assert (without_denormals(torch.mul, tiny, 1) == 0).all()
    assert ((tiny * 1) > 0).all()


def test_gradients_are_recorded_there_and_errors_come_back():
    x = torch.ones(3, requires_grad=True)
    with torch.no_grad(), denormals_as_zero() as without_denormals:
        assert without_denormals(lambda: (2 * x).sum()).requires_grad
        with pytest.raises(ZeroDivisionError):
            without_denormals(lambda: 1 / 0)
