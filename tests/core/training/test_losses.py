"""Losses, compared with values worked out by hand."""

import math

import pytest
import torch

from core.training.losses import LENGTH_LOSSES, LOGIT_LOSSES, focal, margin, sum_of_losses

LENGTHS = torch.tensor([[0.8, 0.3, 0.05]], dtype=torch.float64)
TRUE = torch.tensor([0])


def test_margin_by_hand():
    # The true class is .1 below .9. Of the others, .3 is .2 above .1, at half weight, and .05 costs nothing.
    assert margin(LENGTHS, TRUE).item() == pytest.approx((0.01 + 0.5 * 0.04 + 0) / 3)


def test_focal_by_hand():
    assert focal(LENGTHS, TRUE).item() == pytest.approx(-0.25 * 0.2**2 * math.log(0.8))


@pytest.mark.parametrize("names", ["margin", "focal", "cross-entropy", "margin+focal", "cross-entropy+focal+margin"])
def test_losses_joined_by_plus_are_added(names):
    batch, classes = torch.rand(4, 3), torch.tensor([0, 2, 1, 1])
    expected = sum(LENGTH_LOSSES[name](batch, classes) for name in names.split("+"))
    torch.testing.assert_close(sum_of_losses(names)(batch, classes), expected)


def test_focal_loss_of_logits_is_that_of_their_probabilities():
    logits = torch.tensor([[2.0, 0.0, -1.0]], dtype=torch.float64)
    share = logits.softmax(-1)[0, 0].item()
    expected = -0.25 * (1 - share) ** 2 * math.log(share)
    assert sum_of_losses("focal", LOGIT_LOSSES)(logits, TRUE).item() == pytest.approx(expected)


def test_unknown_losses_are_named():
    with pytest.raises(ValueError, match="loss is 'hinge', wanted some of margin, focal"):
        sum_of_losses("margin+hinge")


@pytest.mark.parametrize("length", [0.0, 1.0])
def test_lengths_of_0_and_1_have_finite_losses_and_gradients(length):
    lengths = torch.full((1, 2), length, requires_grad=True)
    loss = sum_of_losses("margin+focal")(lengths, TRUE)
    loss.backward()
    assert loss.isfinite()
    assert lengths.grad.isfinite().all()
