import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.routing import dynamic_routing, squash
from tests.core.routing import reference

NORMALIZE = ("output", "input")
sizes = st.integers(1, 5)


def votes_of(seed, *shape, dtype=torch.float64):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64).to(dtype)


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


def test_reversed_by_hand():
    votes = torch.tensor([[[[2.0]], [[-1.0]]]], dtype=torch.float64)  # two words, one capsule
    first, second = dynamic_routing(votes, 2, normalize="input")
    assert first.coupling.flatten().tolist() == [0.5, 0.5]
    v = 0.5 * 0.5 / 1.25  # s = 0.5
    assert first.capsules.item() == pytest.approx(v)
    assert second.logits.flatten().tolist() == pytest.approx([2 * v, -v])
    assert second.coupling[0, 0, 0].item() == pytest.approx(math.exp(2 * v) / (math.exp(2 * v) + math.exp(-v)))


@pytest.mark.parametrize("normalize", NORMALIZE)
@pytest.mark.parametrize(("dtype", "error"), [(torch.float64, 1e-12), (torch.float32, 1e-5), (torch.bfloat16, 0.06)])
def test_equals_the_numpy_reference(normalize, dtype, error):
    votes = votes_of(0, 3, 7, 4, 6).to(dtype)
    steps = list(dynamic_routing(votes, 5, normalize))
    for sample in range(3):
        wanted = reference.dynamic_routing(votes[sample].double().numpy(), 5, normalize)
        for step, arrays in zip(steps, wanted, strict=True):
            found = (step.logits, step.coupling, step.capsules, step.agreement)
            for one, other in zip(found, arrays, strict=True):
                assert one.dtype == dtype
                torch.testing.assert_close(one[sample].double(), torch.from_numpy(other), atol=error, rtol=error)


@settings(max_examples=40)
@given(seed=st.integers(0, 999), i=sizes, j=sizes, h=sizes, t=sizes, normalize=st.sampled_from(NORMALIZE))
def test_properties(seed, i, j, h, t, normalize):
    votes = votes_of(seed, 2, i, j, h)
    steps = list(dynamic_routing(votes, t, normalize))

    # Shares sum to 1: over the capsules, or over the words.
    for step in steps:
        total = step.coupling.sum(2 if normalize == "output" else 1)
        torch.testing.assert_close(total, torch.ones_like(total))
        assert (step.activation < 1).all()

    # The state after iteration t does not depend on how many follow.
    for step, longer in zip(steps, dynamic_routing(votes, t + 3, normalize), strict=False):
        assert torch.equal(step.coupling, longer.coupling)
        assert torch.equal(step.capsules, longer.capsules)

    # The order of the words carries over to the couplings, and means nothing to the capsules.
    order = torch.randperm(i, generator=torch.Generator().manual_seed(seed))
    last = list(dynamic_routing(votes[:, order], t, normalize))[-1]
    torch.testing.assert_close(last.coupling, steps[-1].coupling[:, order])
    torch.testing.assert_close(last.capsules, steps[-1].capsules)


@settings(max_examples=40)
@given(
    seed=st.integers(0, 999),
    lengths=st.lists(st.integers(1, 6), min_size=1, max_size=4),
    normalize=st.sampled_from(NORMALIZE),
)
def test_a_padded_batch_equals_its_samples_alone(seed, lengths, normalize):
    votes = votes_of(seed, len(lengths), max(lengths) + 1, 3, 4)
    mask = torch.arange(votes.shape[1]) < torch.tensor(lengths)[:, None]
    votes[~mask] = math.nan  # whatever stands in the padding takes part in nothing
    together = list(dynamic_routing(votes, 4, normalize, mask))
    for sample, n in enumerate(lengths):
        alone = dynamic_routing(votes[sample : sample + 1, :n], 4, normalize)
        for step, single in zip(together, alone, strict=True):
            torch.testing.assert_close(step.coupling[sample, :n], single.coupling[0])
            torch.testing.assert_close(step.capsules[sample], single.capsules[0])
            assert (step.coupling[sample, n:] == 0).all()


@pytest.mark.parametrize("normalize", NORMALIZE)
def test_a_sample_of_padding_alone_is_zero_not_nan(normalize):
    votes = votes_of(0, 2, 3, 2, 4)
    mask = torch.tensor([[True, True, True], [False, False, False]])
    *_, last = dynamic_routing(votes, 3, normalize, mask)
    assert last.capsules[1].abs().sum() == 0
    assert last.coupling.isfinite().all()


@pytest.mark.parametrize("normalize", NORMALIZE)
def test_gradients(normalize):
    votes = votes_of(1, 2, 3, 2, 3).requires_grad_()
    mask = torch.tensor([[True, True, True], [True, True, False]])

    def capsules(u):
        *_, last = dynamic_routing(u, 3, normalize, mask)
        return last.capsules

    assert torch.autograd.gradcheck(capsules, votes)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_value_and_gradient_are_finite_at_zero(dtype):
    s = torch.zeros(2, 4, dtype=dtype, requires_grad=True)
    v = squash(s)
    v.sum().backward()
    assert v.abs().sum() == 0
    assert s.grad.isfinite().all()

    votes = torch.zeros(1, 3, 2, 4, dtype=dtype, requires_grad=True)
    *_, last = dynamic_routing(votes, 3)
    last.capsules.sum().backward()
    assert votes.grad.isfinite().all()


def test_squash_keeps_direction_and_length_below_one():
    v = squash(torch.tensor([[3.0, 4.0]], dtype=torch.float64))  # |s| = 5 -> 25/26
    assert v.norm().item() == pytest.approx(25 / 26)
    assert (v / v.norm()).flatten().tolist() == pytest.approx([0.6, 0.8])


@pytest.mark.wrong_arguments
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"votes": torch.zeros(2, 3, 4)}, r"votes has shape \[2, 3, 4\], wanted \[b, i, j, h\]"),
        ({"votes": torch.zeros(2, 0, 4, 5)}, r"votes has shape \[2, 0, 4, 5\]"),
        ({"votes": torch.zeros(1, 2, 3, 4, dtype=torch.int64)}, r"votes has dtype torch.int64"),
        ({"n_iters": 0}, "n_iters is 0"),
        ({"normalize": "both"}, "normalize is 'both'"),
        ({"mask": torch.ones(1, 3, dtype=torch.bool)}, r"mask has shape \[1, 3\]"),
        ({"mask": torch.ones(1, 2)}, "torch.bool"),
    ],
)
def test_what_cannot_be_routed_is_refused_at_once(arguments, message):
    with pytest.raises(ValueError, match=message):
        dynamic_routing(**({"votes": torch.zeros(1, 2, 3, 4), "n_iters": 3} | arguments))
