"""Dynamic routing: cases worked out by hand, the squash, and many masks and edits that share votes."""

import math

import pytest
import torch

from core.edits import DropCapsule, DropInput, SetCoupling
from core.routing import dynamic_routing, squash


def test_two_words_two_capsules_by_hand():
    # Two words that agree on capsule 1 (u = 1 each) and oppose each other on capsule 2 (u = 1, -1).
    votes = torch.tensor([[[[1.0], [1.0]], [[1.0], [-1.0]]]], dtype=torch.float64)
    first, second = dynamic_routing(votes, 2)

    assert first.coupling.tolist() == [[[0.5, 0.5], [0.5, 0.5]]]
    # s_1 = 0.5 + 0.5 = 1 -> |v_1| = 1/2;  s_2 = 0.5 - 0.5 = 0 -> v_2 = 0
    assert first.capsules.tolist() == [[[0.5], [0.0]]]
    assert first.agreement.tolist() == [[[0.5, 0.0], [0.5, 0.0]]]

    assert second.logits.tolist() == [[[0.5, 0.0], [0.5, 0.0]]]
    share = math.exp(0.5) / (math.exp(0.5) + 1)
    assert second.coupling[0, 0].tolist() == pytest.approx([share, 1 - share])
    s = 2 * share
    assert second.capsules[0].flatten().tolist() == pytest.approx([s * s / (1 + s * s), 0])


def test_reversed_routing_by_hand():
    votes = torch.tensor([[[[2.0]], [[-1.0]]]], dtype=torch.float64)  # two words, one capsule
    first, second = dynamic_routing(votes, 2, normalize="input")
    assert first.coupling.flatten().tolist() == [0.5, 0.5]
    v = 0.5 * 0.5 / 1.25  # s = 0.5
    assert first.capsules.item() == pytest.approx(v)
    assert second.logits.flatten().tolist() == pytest.approx([2 * v, -v])
    assert second.coupling[0, 0, 0].item() == pytest.approx(math.exp(2 * v) / (math.exp(2 * v) + math.exp(-v)))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_squash_and_its_gradient_are_finite_at_zero(dtype):
    s = torch.zeros(2, 4, dtype=dtype, requires_grad=True)
    v = squash(s)
    v.sum().backward()
    assert v.abs().sum() == 0
    assert s.grad.isfinite().all()


def test_squash_keeps_direction_and_length_below_one():
    v = squash(torch.tensor([[3.0, 4.0]], dtype=torch.float64))  # |s| = 5 -> 25/26
    assert v.norm().item() == pytest.approx(25 / 26)
    assert (v / v.norm()).flatten().tolist() == pytest.approx([0.6, 0.8])


@pytest.mark.wrong_arguments
def test_an_unknown_normalization_is_refused_at_once():
    with pytest.raises(ValueError, match="normalize is 'both'"):
        dynamic_routing(torch.zeros(1, 2, 3, 4), 3, normalize="both")


@pytest.mark.parametrize("normalize", ["output", "input"])
def test_rows_of_masks_and_edits_share_the_votes_of_one_sample(normalize):
    generator = torch.Generator().manual_seed(0)
    votes = torch.randn(1, 4, 3, 2, generator=generator, dtype=torch.float64)
    mask = torch.tensor([[True, False, True, True], [True, True, True, True], [False, False, True, False]])
    for options in (
        {"mask": mask},
        {"edit": SetCoupling(torch.tensor([0, 1, 3]), torch.tensor([2, 1, 0]), 0.0)},
        {"edit": DropInput(torch.tensor([0, 1, 3]))},
        {"mask": mask, "edit": DropCapsule(torch.tensor([0, 1, 2]))},
    ):
        *_, shared = dynamic_routing(votes, 3, normalize, **options)
        *_, copied = dynamic_routing(votes.expand(3, -1, -1, -1), 3, normalize, **options)
        torch.testing.assert_close(shared.capsules, copied.capsules)
        torch.testing.assert_close(shared.coupling, copied.coupling)
