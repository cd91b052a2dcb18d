"""The thread in which subnormal numbers are 0."""

import pytest
import torch

from core.device import without_denormals

N = 1 << 20  # enough for PyTorch to use its helper threads


@pytest.fixture
def two_threads():
    """PyTorch with two threads, so that it has a helper thread."""
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


def test_subnormal_numbers_are_zero_only_in_the_thread(two_threads):
    tiny = torch.full((N,), 1e-40)
    if not torch.set_flush_denormal(False):
        pytest.skip("this CPU cannot take subnormal numbers for 0")
    assert ((tiny * 1) > 0).all()  # helper threads have started
    with without_denormals() as thread:
        for _ in range(2):
            assert (thread.submit(torch.mul, tiny, 1).result() == 0).all()
        assert ((tiny * 1) > 0).all()
    assert ((tiny * 1) > 0).all()


def test_the_thread_records_gradients_and_passes_on_errors():
    x = torch.ones(3, requires_grad=True)
    with torch.no_grad(), without_denormals() as thread:
        assert thread.submit(lambda: (2 * x).sum()).result().requires_grad
        with pytest.raises(ZeroDivisionError):
            thread.submit(lambda: 1 / 0).result()
