import pytest
import torch

from core.device import denormals_as_zero


def test_numbers_too_small_to_be_normal_count_as_zero_in_the_context_only():
    tiny = torch.tensor([1e-40])
    if not torch.set_flush_denormal(False):
        pytest.skip("this CPU cannot take them for 0")
    with denormals_as_zero():
        assert (tiny * 1).item() == 0
    assert (tiny * 1).item() > 0
