"""EM routing: cases by hand, its methods compared with NumPy and each other, masks, and refused inputs."""

from dataclasses import fields

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.routing import EMRouting, em_large, em_routing
from core.routing.em import EMStep, em_votes, softmax
from core.routing.em_large import em_routing_large
from tests.core.routing import reference
from tests.core.routing.em import random_inputs, random_routing

METHODS = ("votes", "moments")
OUTPUTS = ("scores", "means", "variances")
FIELDS = tuple(field.name for field in fields(EMStep))
sizes = st.integers(1, 4)


def test_one_pass_by_hand():
    # Two sure inputs of value 1 and 3, one output, W = 2: votes 2 and 6.
    routing = EMRouting(None, 1, 1, 1, 1, n_iters=1).double()
    with torch.no_grad():
        routing.W.fill_(2)
        routing.beta_use.fill_(3)
        routing.beta_ign.fill_(5)
    scores = torch.tensor([[torch.inf, torch.inf]], dtype=torch.float64)
    (step,) = routing.steps(scores, torch.tensor([[[[1.0]], [[3.0]]]], dtype=torch.float64))
    assert step.coupling.flatten().tolist() == [1, 1]
    assert step.benefit.item() == 6  # 3 for each of two inputs, all of them used
    assert step.cost.item() == 0
    assert step.means.item() == pytest.approx(4, abs=1e-4)
    assert step.variances.item() == pytest.approx(4, abs=1e-4)


@pytest.mark.parametrize(("n_inp", "method"), [(5, "votes"), (None, "votes"), (None, "moments")])
def test_equals_the_numpy_reference(n_inp, method):
    routing = random_routing(0, n_inp, 3, 2, 4, 2, method=method)
    scores, capsules = random_inputs(1, 2, 5, 2, 4)
    scores[0, 1], scores[1, 2] = -torch.inf, torch.inf
    W, B, beta_use, beta_ign = (
        p.detach().expand(5, *p.shape[-k:]).numpy()
        for p, k in ((routing.W, 3), (routing.B, 3), (routing.beta_use, 1), (routing.beta_ign, 1))
    )
    steps = list(routing.steps(scores, capsules, n_iters=4))
    for b in range(2):
        expected = reference.em_routing(scores[b].numpy(), capsules[b].numpy(), W, B, beta_use, beta_ign, 4)
        for step, arrays in zip(steps, expected, strict=True):
            for name, array in arrays.items():
                numbers = getattr(step, name)[b].detach()
                np.testing.assert_allclose(numbers, array, rtol=1e-8, atol=1e-10, err_msg=name)


@settings(max_examples=30)
@given(seed=st.integers(0, 999), i=st.integers(1, 200), j=sizes, c=sizes, per_input=st.booleans(), t=sizes)
@torch.no_grad()
def test_the_routing_of_many_inputs_equals_the_plain_algorithm(seed, i, j, c, per_input, t):
    d, h = 3, 2
    routing = random_routing(seed, i if per_input else None, j, c, d, h)
    weights = routing.W, routing.B, routing.beta_use, routing.beta_ign
    scores, capsules = random_inputs(seed, 2, i, c, d)
    votes = em_votes(scores, capsules, routing.W, routing.B)
    plain = list(em_routing(scores, votes, routing.beta_use, routing.beta_ign, t))
    # The error is 1e-10, but larger where a Gaussian has collapsed onto one input: its precision magnifies rounding.
    error = max(1e-10, 1e-16 / float(min(step.variances.min() for step in plain)) ** 2)
    for method in ("votes",) if per_input else METHODS:
        for step, expected in zip(em_routing_large(scores, capsules, *weights, t, method), plain, strict=True):
            for name in FIELDS:
                numbers, exact = getattr(step, name), getattr(expected, name)
                assert (numbers - exact).abs().max() <= error * (exact.abs().max() + 1), (method, name)


@settings(max_examples=40)
@given(seed=st.integers(0, 999), i=st.integers(1, 200), j=sizes, c=sizes, d=sizes, h=sizes)
def test_moments_and_votes_have_equal_values_and_gradients(seed, i, j, c, d, h):
    scores, capsules = random_inputs(seed, 2, i, c, d)
    results = []
    for method in METHODS:
        routing = random_routing(seed, None, j, c, d, h, method=method)
        x = capsules.clone().requires_grad_()
        outputs = routing(scores, x)
        out_scores, means, variances = outputs
        (out_scores.sum() + 2 * means.sum() + 3 * variances.log().sum()).backward()
        gradients = {name: parameter.grad for name, parameter in routing.named_parameters()}
        results.append(dict(zip(OUTPUTS, outputs, strict=True)) | {"capsules' gradient": x.grad} | gradients)
    votes, moments = results
    # The error is 1e-10, but larger where a Gaussian has collapsed onto one input: its precision magnifies rounding,
    # in a gradient twice.
    error = max(1e-10, 1e-16 / float(votes["variances"].detach().min()) ** 2)
    for name, exact in votes.items():
        assert (moments[name] - exact).abs().max() <= error * (exact.detach().abs().max() + 1), name


@settings(max_examples=30)
@given(seed=st.integers(0, 999), i=st.integers(1, 6), j=sizes, t=sizes, method=st.sampled_from(METHODS))
def test_sums_later_iterations_and_the_order_of_inputs(seed, i, j, t, method):
    routing = random_routing(seed, None, j, 2, 3, 2, method=method)
    scores, capsules = random_inputs(seed, 2, i, 2, 3)
    steps = list(routing.steps(scores, capsules, t))
    for step, longer in zip(steps, routing.steps(scores, capsules, t + 2), strict=False):
        torch.testing.assert_close(step.coupling.sum(2), torch.ones_like(scores))
        torch.testing.assert_close(step.use + step.ignore, step.gate[..., None].expand_as(step.use))
        assert (step.variances > 0).all()
        for name in FIELDS:  # a step does not depend on how many follow
            assert torch.equal(getattr(step, name), getattr(longer, name)), name

    # The order of the inputs carries over to the couplings, and does not matter to the capsules.
    order = torch.randperm(i, generator=torch.Generator().manual_seed(seed))
    *_, last = routing.steps(scores[:, order], capsules[:, order], t)
    torch.testing.assert_close(last.coupling, steps[-1].coupling[:, order], rtol=1e-6, atol=1e-8)
    torch.testing.assert_close(last.means, steps[-1].means, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("method", METHODS)
def test_padding_has_no_effect(method):
    routing = random_routing(0, None, 3, 2, 4, 2, method=method)
    scores, capsules = random_inputs(1, 1, 6, 2, 4)
    padded, filled = scores.clone(), capsules.clone()
    padded[:, 4:], filled[:, 4:] = -torch.inf, torch.nan
    for first, second in zip(routing(padded, filled), routing(scores[:, :4], capsules[:, :4]), strict=True):
        torch.testing.assert_close(first, second)
    outputs = routing(torch.full_like(scores, -torch.inf), capsules)
    assert all(o.isfinite().all() for o in outputs)


@pytest.mark.parametrize("method", METHODS)
def test_gradients(method):
    routing = random_routing(0, None, 2, 1, 2, 2, method=method)
    scores, capsules = random_inputs(1, 1, 4, 1, 2)
    assert torch.autograd.gradcheck(routing, (scores.requires_grad_(), capsules.requires_grad_()))


@pytest.mark.parametrize("method", METHODS)
def test_bfloat16_stays_near_float64(method):
    routing = random_routing(0, None, 4, 2, 4, 4, method=method)
    scores, capsules = random_inputs(1, 2, 50, 2, 4, dtype=torch.bfloat16)
    rounded = routing.bfloat16()
    outputs = rounded(scores, capsules)
    exact = random_routing(0, None, 4, 2, 4, 4, method=method)
    exact.load_state_dict(rounded.state_dict())
    for output, expected in zip(outputs, exact(scores.double(), capsules.double()), strict=True):
        assert output.dtype == torch.bfloat16
        assert (output.double() - expected).abs().max() <= 0.02 * expected.abs().max()


def test_float32_errors_of_moments_are_about_those_of_votes():
    scores, capsules = random_inputs(0, 2, 600, 4, 4)
    exact = random_routing(0, None, 8, 4, 4, 4, method="votes")(scores, capsules)
    errors = {}
    for method in METHODS:
        outputs = random_routing(0, None, 8, 4, 4, 4, method=method).float()(scores.float(), capsules.float())
        errors[method] = max(((o - e).abs().max() / e.abs().max()).item() for o, e in zip(outputs, exact, strict=True))
    assert errors["moments"] <= 2 * errors["votes"]


@pytest.mark.parametrize(("n_inp", "method"), [(20, "votes"), (None, "votes"), (None, "moments")])
def test_chunks_of_inputs_give_equal_results(n_inp, method, monkeypatch):
    scores, capsules = random_inputs(0, 2, 20, 2, 3)
    scores[0, 3:9], capsules[0, 3:9], scores[1, 0] = -torch.inf, torch.nan, torch.inf
    results = []
    for max_numbers in (em_large.MAX_NUMBERS, 2 * 20 * 7):  # all at once, 7 inputs or more at a time
        monkeypatch.setattr(em_large, "MAX_NUMBERS", max_numbers)
        routing = random_routing(0, n_inp, 3, 2, 3, 2, method=method)
        x = capsules.clone().requires_grad_()
        outputs = routing(scores, x)
        sum(o.sum() for o in outputs).backward()
        *_, last = routing.steps(scores, capsules)
        with torch.no_grad():
            bare = routing(scores, capsules)
        quantities = dict(zip(OUTPUTS, outputs, strict=True))
        quantities |= {f"{name} without gradient": o for name, o in zip(OUTPUTS, bare, strict=True)}
        quantities |= {f"step's {name}": getattr(last, name) for name in FIELDS}
        quantities |= {"capsules' gradient": x.grad}
        results.append(quantities | {name: parameter.grad for name, parameter in routing.named_parameters()})
    at_once, in_chunks = results
    for name, tensor in at_once.items():
        torch.testing.assert_close(in_chunks[name], tensor, rtol=1e-8, atol=1e-8, msg=f"{name}: {{}}".format)


@pytest.mark.parametrize("method", METHODS)
def test_the_biases_decide_the_number_of_outputs(method):
    # If the outputs share weights too, V_ij = mu_i W + B + bias_j, as in a routing of fixed outputs with these weights.
    routing = random_routing(0, None, None, 2, 3, 2, method=method)
    assert [tuple(p.shape) for p in routing.parameters()] == [(3, 2), (2, 2), (), ()]
    scores, capsules = random_inputs(1, 2, 5, 2, 3)
    _, biases = random_inputs(2, 2, 4, 2, 2)
    fixed = random_routing(0, None, 4, 2, 3, 2, method=method)
    for b in range(2):
        fixed.load_state_dict({
            "W": routing.W.expand(4, 3, 2),
            "B": routing.B + biases[b],
            "beta_use": routing.beta_use.expand(4),
            "beta_ign": routing.beta_ign.expand(4),
        })  # fmt: skip
        single = fixed(scores[b, None], capsules[b, None])
        for first, second in zip(routing(scores, capsules, biases), single, strict=True):
            torch.testing.assert_close(first[b, None], second)


def test_a_vanishing_share_does_not_change_the_gradient():
    logits = torch.tensor([[0.0, -1e4, 3.0]], dtype=torch.float64, requires_grad=True)
    expected = logits.softmax(-1)
    shares = softmax(logits * 1.0)
    torch.testing.assert_close(shares, expected, rtol=0, atol=1e-300)
    (grad,) = torch.autograd.grad(shares[0, 2], logits)
    torch.testing.assert_close(grad, torch.autograd.grad(expected[0, 2], logits)[0], rtol=1e-12, atol=1e-300)


def test_the_cheaper_method_is_chosen():
    assert EMRouting(None, 64, 4, 4, 4).method == "moments"  # the smallNORB network
    assert EMRouting(None, 64, 1, 64, 2).method == "votes"  # the SST network
    assert EMRouting(64, 5, 4, 4, 4).method == "votes"


def test_a_single_beta_is_one_parameter():
    routing = EMRouting(None, 3, 1, 2, 2, single_beta=True)
    assert routing.beta_ign is routing.beta_use
    assert len(list(routing.parameters())) == 3


@pytest.mark.wrong_arguments
@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: EMRouting(None, 0, 1, 1, 1), "n_out is 0"),
        (lambda: EMRouting(None, 2, 1, 3, 1).steps(torch.zeros(1, 4), torch.zeros(1, 4, 1, 3), 0), "n_iters is 0"),
        (lambda: EMRouting(5, 2, 1, 1, 1, method="moments"), "method is 'moments'"),
        (lambda: EMRouting(5, 2, 1, 3, 1).steps(torch.zeros(1, 4), torch.zeros(1, 4, 1, 3)), r"wanted \[b, 5, 1, 3\]"),
        (lambda: EMRouting(None, 2, 1, 3, 1).steps(torch.zeros(1, 4), torch.zeros(1, 4, 1, 2)), "capsules has shape"),
        (lambda: EMRouting(3, None, 1, 1, 1), "n_out is None and n_inp 3"),
        (lambda: EMRouting(None, 2, 1, 3, 1)(torch.zeros(0, 4), torch.zeros(0, 4, 1, 3)), "capsules has shape"),
        (lambda: EMRouting(None, None, 1, 3, 1)(torch.zeros(1, 4), torch.zeros(1, 4, 1, 3)), "biases is None, wanted"),
        (lambda: EMRouting(None, 2, 1, 3, 1)(torch.zeros(1, 4), torch.zeros(1, 4, 1, 3), torch.zeros(1, 2, 1, 1)),
         "biases is given, wanted none"),
        (lambda: EMRouting(None, None, 1, 3, 1)(torch.zeros(1, 4), torch.zeros(1, 4, 1, 3), torch.zeros(1, 2, 1, 2)),
         r"biases has shape \[1, 2, 1, 2\], wanted \[1, j, 1, 1\]"),
        (lambda: EMRouting(None, 2, 1, 3, 1).steps(torch.zeros(1, 3), torch.zeros(1, 4, 1, 3)), "scores has shape"),
    ],
)  # fmt: skip
def test_inputs_that_cannot_be_routed_are_refused_at_once(call, message):
    with pytest.raises(ValueError, match=message):
        call()
