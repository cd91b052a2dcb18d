import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.routing import dynamic_routing, kmeans_routing
from tests.core.routing import reference
from tests.core.routing.test_dynamic import sizes, votes_of


def test_two_words_two_capsules_by_hand():
    # Two words that point one way for capsule 1 (u = 1, 3) and opposite ways for capsule 2 (u = 2, -1).
    votes = torch.tensor([[[[1.0], [2.0]], [[3.0], [-1.0]]]], dtype=torch.float64)
    first, second = kmeans_routing(votes, 2)
    # v_1 = 4/2 = 2, v_2 = 1/2: both words point along v_1, the first alone along v_2
    assert first.logits.tolist() == [[[1, 1], [1, -1]]]
    share = math.e / (math.e + 1 / math.e)
    assert first.coupling.flatten().tolist() == pytest.approx([0.5, 0.5, share, 1 - share])
    centres = [0.5 * 1 + share * 3, 0.5 * 2 - (1 - share)]
    assert first.centres.flatten().tolist() == pytest.approx(centres)
    assert first.capsules.flatten().tolist() == pytest.approx([v * v / (1 + v * v) for v in centres])
    assert torch.equal(second.logits, first.logits)  # no centre has turned, so nothing changes
    assert torch.equal(second.coupling, first.coupling)


@pytest.mark.parametrize(("dtype", "error"), [(torch.float64, 1e-12), (torch.float32, 1e-5), (torch.bfloat16, 0.06)])
def test_equals_the_numpy_reference(dtype, error):
    votes = votes_of(0, 3, 7, 4, 6).to(dtype)
    steps = list(kmeans_routing(votes, 5))
    for sample in range(3):
        wanted = reference.kmeans_routing(votes[sample].double().numpy(), 5)
        for step, arrays in zip(steps, wanted, strict=True):
            found = (step.logits, step.coupling, step.centres, step.capsules)
            for one, other in zip(found, arrays, strict=True):
                assert one.dtype == dtype
                torch.testing.assert_close(one[sample].double(), torch.from_numpy(other), atol=error, rtol=error)


@settings(max_examples=40)
@given(seed=st.integers(0, 999), i=sizes, j=sizes, h=sizes, t=sizes)
def test_properties(seed, i, j, h, t):
    votes = votes_of(seed, 2, i, j, h)
    steps = list(kmeans_routing(votes, t))
    for step in steps:
        total = step.coupling.sum(2)
        torch.testing.assert_close(total, torch.ones_like(total))
        assert (step.activation < 1).all()
        # A cosine decides, so no capsule has more than e^2 times another's share.
        assert (step.coupling.amax(2) <= step.coupling.amin(2) * math.exp(2) * (1 + 1e-9)).all()

    # The state after iteration t does not depend on how many follow.
    for step, longer in zip(steps, kmeans_routing(votes, t + 3), strict=False):
        assert torch.equal(step.coupling, longer.coupling)
        assert torch.equal(step.capsules, longer.capsules)

    # The order of the words carries over to the couplings, and means nothing to the capsules.
    order = torch.randperm(i, generator=torch.Generator().manual_seed(seed))
    *_, last = kmeans_routing(votes[:, order], t)
    torch.testing.assert_close(last.coupling, steps[-1].coupling[:, order])
    torch.testing.assert_close(last.capsules, steps[-1].capsules)

    # Votes that are longer by one factor are shared the same.
    *_, longer = kmeans_routing(7 * votes, t)
    torch.testing.assert_close(longer.coupling, steps[-1].coupling)


@settings(max_examples=40)
@given(seed=st.integers(0, 999), lengths=st.lists(st.integers(1, 6), min_size=1, max_size=4))
def test_a_padded_batch_equals_its_samples_alone(seed, lengths):
    votes = votes_of(seed, len(lengths), max(lengths) + 1, 3, 4)
    mask = torch.arange(votes.shape[1]) < torch.tensor(lengths)[:, None]
    votes[~mask] = math.nan  # whatever stands in the padding takes part in nothing
    together = list(kmeans_routing(votes, 4, mask))
    for sample, n in enumerate(lengths):
        for step, single in zip(together, kmeans_routing(votes[sample : sample + 1, :n], 4), strict=True):
            torch.testing.assert_close(step.coupling[sample, :n], single.coupling[0])
            torch.testing.assert_close(step.capsules[sample], single.capsules[0])
            assert (step.coupling[sample, n:] == 0).all()


def test_dynamic_routing_hardens_where_k_means_does_not():
    """The paper's section 3.2: accumulated agreement goes on to one share of 1, a replaced cosine does not."""
    votes = votes_of(3, 1, 6, 3, 8)
    soft, hard = ([step.coupling.amax(2).mean().item() for step in route(votes, 200)] for route in ROUTES)
    assert hard[-1] > 0.99
    assert soft[-1] < 0.8
    assert soft[-1] == pytest.approx(soft[-2], abs=1e-6)


ROUTES = (kmeans_routing, dynamic_routing)


def test_gradients():
    votes = votes_of(1, 2, 3, 2, 3).requires_grad_()
    mask = torch.tensor([[True, True, True], [True, True, False]])

    def capsules(u):
        *_, last = kmeans_routing(u, 3, mask)
        return last.capsules

    assert torch.autograd.gradcheck(capsules, votes)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_value_and_gradient_are_finite_at_zero_and_for_padding_alone(dtype):
    votes = torch.zeros(2, 3, 2, 4, dtype=dtype, requires_grad=True)
    mask = torch.tensor([[True, True, True], [False, False, False]])
    *_, last = kmeans_routing(votes, 3, mask)
    last.capsules.sum().backward()
    assert last.capsules.abs().sum() == 0
    assert last.coupling.isfinite().all()
    assert votes.grad.isfinite().all()


@pytest.mark.wrong_arguments
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"votes": torch.zeros(2, 3, 4)}, r"votes has shape \[2, 3, 4\], wanted \[b, i, j, h\]"),
        ({"n_iters": 0}, "n_iters is 0"),
        ({"mask": torch.ones(1, 3, dtype=torch.bool)}, r"mask has shape \[1, 3\]"),
    ],
)
def test_what_cannot_be_routed_is_refused_at_once(arguments, message):
    with pytest.raises(ValueError, match=message):
        kmeans_routing(**({"votes": torch.zeros(1, 2, 3, 4), "n_iters": 3} | arguments))
