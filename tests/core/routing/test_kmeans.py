"""k-means routing: a case by hand, shares that depend on directions, and a comparison with dynamic routing."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.routing import dynamic_routing, kmeans_routing
from tests.core.routing.votes import random_votes

sizes = st.integers(1, 5)


def test_two_words_two_capsules_by_hand():
    # Two words that point one way for capsule 1 (u = 1, 3) and opposite ways for capsule 2 (u = 2, -1).
    votes = torch.tensor([[[[1.0], [2.0]], [[3.0], [-1.0]]]], dtype=torch.float64)
    first, second = kmeans_routing(votes, 2)
    # v_1 = 4/2 = 2, v_2 = 1/2: both words point along v_1, only the first along v_2
    assert first.logits.tolist() == [[[1, 1], [1, -1]]]
    share = math.e / (math.e + 1 / math.e)
    assert first.coupling.flatten().tolist() == pytest.approx([0.5, 0.5, share, 1 - share])
    centres = [0.5 * 1 + share * 3, 0.5 * 2 - (1 - share)]
    assert first.centres.flatten().tolist() == pytest.approx(centres)
    assert first.capsules.flatten().tolist() == pytest.approx([v * v / (1 + v * v) for v in centres])
    assert torch.equal(second.logits, first.logits)  # no centre has turned, so nothing changes
    assert torch.equal(second.coupling, first.coupling)


@settings(max_examples=40)
@given(seed=st.integers(0, 999), i=sizes, j=sizes, h=sizes, t=sizes)
def test_shares_depend_on_directions_only(seed, i, j, h, t):
    votes = random_votes(seed, 2, i, j, h)
    for step in kmeans_routing(votes, t):
        # A cosine decides, so no capsule has more than e^2 times another's share.
        assert (step.coupling.amax(2) <= step.coupling.amin(2) * math.exp(2) * (1 + 1e-9)).all()

    # A common factor of all votes does not change the shares.
    *_, longer = kmeans_routing(7 * votes, t)
    torch.testing.assert_close(longer.coupling, step.coupling)


def test_dynamic_routing_hardens_and_k_means_stays_soft():
    """The paper's section 3.2: accumulated agreement drives one share to 1, a replaced cosine does not."""
    votes = random_votes(3, 1, 6, 3, 8)
    soft, hard = (
        [step.coupling.amax(2).mean().item() for step in route(votes, 200)]
        for route in (kmeans_routing, dynamic_routing)
    )
    assert hard[-1] > 0.99
    assert soft[-1] < 0.8
    assert soft[-1] == pytest.approx(soft[-2], abs=1e-6)
