"""Properties of every routing of votes [b, i, j, h]."""

from dataclasses import fields
from functools import partial

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.routing.votes import REVERSED, VOTE_ROUTINGS, WITH_REFERENCE, random_votes

sizes = st.integers(1, 5)
each_routing = pytest.mark.parametrize("name", VOTE_ROUTINGS)


def assert_equal_fields(step, expected, **tolerances):
    """Assert that all fields of two steps are equal; the message names the field."""
    for field in fields(step):
        wrong = partial("{}: {}".format, field.name)
        torch.testing.assert_close(getattr(step, field.name), getattr(expected, field.name), msg=wrong, **tolerances)


@pytest.mark.parametrize("name", WITH_REFERENCE)
@pytest.mark.parametrize(("dtype", "error"), [(torch.float64, 1e-12), (torch.float32, 1e-5), (torch.bfloat16, 0.06)])
def test_equals_the_numpy_reference(name, dtype, error):
    route, reference_route = VOTE_ROUTINGS[name]
    votes = random_votes(0, 3, 7, 4, 6).to(dtype)
    steps = list(route(votes, 5))
    for sample in range(3):
        expected = reference_route(votes[sample].double().numpy(), 5)
        for step, arrays in zip(steps, expected, strict=True):
            assert set(arrays) == {field.name for field in fields(step)}
            for field, array in arrays.items():
                numbers = getattr(step, field)
                assert numbers.dtype == dtype, field
                wrong = partial("{}: {}".format, field)
                wanted_numbers = torch.from_numpy(array)
                torch.testing.assert_close(numbers[sample].double(), wanted_numbers, atol=error, rtol=error, msg=wrong)


@each_routing
@settings(max_examples=40)
@given(seed=st.integers(0, 999), i=sizes, j=sizes, h=sizes, t=sizes)
def test_sums_later_iterations_and_the_order_of_inputs(name, seed, i, j, h, t):
    route, _ = VOTE_ROUTINGS[name]
    votes = random_votes(seed, 2, i, j, h)
    steps = list(route(votes, t))

    for step in steps:
        total = step.coupling.sum(1 if name == REVERSED else 2)
        torch.testing.assert_close(total, torch.ones_like(total))
        assert (step.activation < 1).all()

    # The state after iteration t does not depend on how many follow.
    for step, longer in zip(steps, route(votes, t + 3), strict=False):
        assert_equal_fields(step, longer, rtol=0, atol=0)

    # The order of the inputs carries over to the couplings, and does not matter to the capsules.
    order = torch.randperm(i, generator=torch.Generator().manual_seed(seed))
    *_, last = route(votes[:, order], t)
    torch.testing.assert_close(last.coupling, steps[-1].coupling[:, order])
    torch.testing.assert_close(last.capsules, steps[-1].capsules)


@each_routing
@settings(max_examples=40)
@given(seed=st.integers(0, 999), lengths=st.lists(st.integers(1, 6), min_size=1, max_size=4))
def test_a_padded_batch_equals_its_samples_alone(name, seed, lengths):
    route, _ = VOTE_ROUTINGS[name]
    votes = random_votes(seed, len(lengths), max(lengths) + 1, 3, 4)
    mask = torch.arange(votes.shape[1]) < torch.tensor(lengths)[:, None]
    votes[~mask] = torch.nan  # values in the padding have no effect
    together = list(route(votes, 4, mask=mask))
    for sample, n in enumerate(lengths):
        steps_of_sample = route(votes[sample : sample + 1, :n], 4)
        for step, single in zip(together, steps_of_sample, strict=True):
            torch.testing.assert_close(step.coupling[sample, :n], single.coupling[0])
            torch.testing.assert_close(step.capsules[sample], single.capsules[0])
            assert (step.coupling[sample, n:] == 0).all()


@each_routing
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_values_and_gradients_are_finite_for_zeros_and_padding(name, dtype):
    route, _ = VOTE_ROUTINGS[name]
    for values in (torch.zeros(2, 3, 2, 4), random_votes(0, 2, 3, 2, 4)):
        votes = values.to(dtype).requires_grad_()
        mask = torch.tensor([[True, True, True], [False, False, False]])
        *_, last = route(votes, 3, mask=mask)
        last.capsules.sum().backward()
        assert last.capsules[1].abs().sum() == 0
        assert last.coupling.isfinite().all()
        assert votes.grad.isfinite().all()
    *_, last = route(torch.zeros(1, 3, 2, 4, dtype=dtype), 3)
    assert last.capsules.abs().sum() == 0


@each_routing
def test_gradients(name):
    route, _ = VOTE_ROUTINGS[name]
    votes = random_votes(1, 2, 3, 2, 3).requires_grad_()
    mask = torch.tensor([[True, True, True], [True, True, False]])

    def capsules(u):
        *_, last = route(u, 3, mask=mask)
        return last.capsules

    assert torch.autograd.gradcheck(capsules, votes)


@pytest.mark.wrong_arguments
@each_routing
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"votes": torch.zeros(2, 3, 4)}, r"votes has shape \[2, 3, 4\], wanted \[b, i, j, h\]"),
        ({"votes": torch.zeros(2, 0, 4, 5)}, r"votes has shape \[2, 0, 4, 5\]"),
        ({"votes": torch.zeros(1, 2, 3, 4, dtype=torch.int64)}, r"votes has dtype torch.int64"),
        ({"n_iters": 0}, "n_iters is 0"),
        ({"mask": torch.ones(1, 3, dtype=torch.bool)}, r"mask has shape \[1, 3\]"),
        ({"mask": torch.ones(1, 2)}, "torch.bool"),
    ],
)
def test_inputs_that_cannot_be_routed_are_refused_at_once(name, arguments, message):
    route, _ = VOTE_ROUTINGS[name]
    with pytest.raises(ValueError, match=message):
        route(**({"votes": torch.zeros(1, 2, 3, 4), "n_iters": 3} | arguments))
