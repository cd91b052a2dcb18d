"""The sentiment network: its sizes, start and steps, masks, and refused arguments."""

import pytest
import torch

from core.models import EMSST, EMSSTConfig


def small_model(n_classes=5, **sizes):
    """A small network with random weights."""
    torch.manual_seed(0)
    model = EMSST(EMSSTConfig(3, 6, n_classes, **sizes)).double().eval()
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return model


HIDDEN = torch.randn(2, 4, 3, 6, generator=torch.Generator().manual_seed(1), dtype=torch.float64)


def test_the_number_of_parameters_is_the_paper_s():
    for n_classes, expected in ((5, 140_480), (2, 138_944)):
        model = EMSST(EMSSTConfig(37, 1280, n_classes))
        assert sum(p.numel() for p in model.parameters()) == expected


def test_the_detecting_layer_starts_kaiming_normal_without_biases():
    torch.manual_seed(0)
    layer = EMSST(EMSSTConfig(7, 384, 5)).detect[0]
    assert layer.weight.std().item() == pytest.approx((2 / 384) ** 0.5, rel=0.02)
    assert not layer.bias.any()


def test_forward_is_the_last_step():
    model = small_model()
    *_, last = model.steps(HIDDEN)
    assert torch.equal(model(HIDDEN), last.to_classes.scores)


def test_step_t_equals_a_network_of_t_iterations():
    model = small_model()
    for t, step in enumerate(model.steps(HIDDEN, n_iters=4), 1):
        model.to_parts.n_iters = model.to_classes.n_iters = t
        assert torch.equal(model(HIDDEN), step.to_classes.scores)


def test_padding_has_no_effect_and_all_ones_equals_no_mask():
    model = small_model()
    padded = torch.cat([HIDDEN, torch.full_like(HIDDEN[:, :2], 9.0)], 1)
    mask = torch.tensor([[1.0] * 4 + [0.0] * 2] * 2, dtype=torch.float64)
    torch.testing.assert_close(model(padded, mask), model(HIDDEN), rtol=1e-9, atol=1e-9)
    assert torch.equal(model(HIDDEN, mask[:, :4]), model(HIDDEN))


def test_the_gate_is_the_mask():
    mask = torch.tensor([[1.0, 0.25, 0.5, 0.0]] * 2, dtype=torch.float64)
    *_, last = small_model().steps(HIDDEN, mask)
    torch.testing.assert_close(last.to_parts.gate, mask.repeat_interleave(3, 1))


def test_every_parameter_gets_a_finite_gradient():
    model = small_model().train()
    model(HIDDEN).logsumexp(-1).sum().backward()
    assert all(p.grad is not None and p.grad.isfinite().all() for p in model.parameters())


@pytest.mark.wrong_arguments
@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m: m(HIDDEN[:, :, :2]), r"hidden has shape \[2, 4, 2, 6\], wanted \[b, n, 3, 6\]"),
        (lambda m: m(HIDDEN[:, :0]), "hidden has shape"),
        (lambda m: m(HIDDEN, torch.ones(2, 3)), r"mask has shape \[2, 3\] and dtype torch.float32, wanted \[2, 4\]"),
        (lambda m: m(HIDDEN, torch.full((2, 4), 1.5)), r"wanted \[2, 4\] of numbers from 0 to 1"),
        (lambda m: EMSSTConfig(0, 6, 5), "n_layers is 0"),
        (lambda m: EMSSTConfig(7, 10**6, 5, d_detect=10**4), "d_hidden x d_detect is"),
    ],
)
def test_sizes_that_do_not_fit_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call(small_model())
