"""Edits inside a routing: cases worked out by hand, comparisons with NumPy, and the sums that every edit keeps."""

from dataclasses import fields
from functools import partial
from itertools import permutations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.edits import (
    HOWS,
    Couplings,
    DropCapsule,
    DropInput,
    FreezeAfter,
    SetCoupling,
    SetGate,
    Sharpness,
)
from core.routing import dynamic_routing, em_large, em_routing, kmeans_routing
from tests.core.routing import reference
from tests.core.routing.em import random_inputs, random_routing
from tests.core.routing.votes import REVERSED, VOTE_ROUTINGS, WITH_REFERENCE, random_votes

N_INP, N_OUT = 5, 3
EM = {"EM": ("votes", N_INP), "EM with shared weights": ("votes", None), "EM by moments": ("moments", None)}
each_routing = pytest.mark.parametrize("name", [*VOTE_ROUTINGS, *EM])
EDITS = {
    "set": (SetCoupling(1, 2, 0.9), reference.set_coupling(1, 2, 0.9)),
    "cut": (SetCoupling(4, 0, 0.0), reference.set_coupling(4, 0, 0.0)),
    "whole": (SetCoupling(0, 1, 1.0), reference.set_coupling(0, 1, 1.0)),
    "capsule": (DropCapsule(1), reference.drop_capsule(1)),
    "uniform": (Couplings("uniform"), reference.uniform()),
    "first": (Couplings("first"), reference.freeze_after(1)),
    "freeze": (FreezeAfter(2), reference.freeze_after(2)),
    "in order": (
        [Couplings("uniform"), SetCoupling(1, 2, 0.5), DropCapsule(0)],
        reference.in_order(reference.uniform(), reference.set_coupling(1, 2, 0.5), reference.drop_capsule(0)),
    ),
}
KEEPS_COUPLINGS = {"first", "freeze"}
OVER_INPUTS = {  # the reference's edits for reversed routing, which shares each capsule among the inputs
    "set": reference.set_coupling(1, 2, 0.9, over_inputs=True),
    "cut": reference.set_coupling(4, 0, 0.0, over_inputs=True),
    "whole": reference.set_coupling(0, 1, 1.0, over_inputs=True),
    "capsule": reference.drop_capsule(1, over_inputs=True),
    "uniform": reference.uniform(over_inputs=True),
    "in order": reference.in_order(
        reference.uniform(over_inputs=True),
        reference.set_coupling(1, 2, 0.5, over_inputs=True),
        reference.drop_capsule(0, over_inputs=True),
    ),
}
EVERY_EDIT = [*(edit for edit, _ in EDITS.values()), Couplings("shuffled"), Couplings("random"), DropInput(3)]


def run(name, edit=None, n_iters=4, real=None, **options):
    """Route two samples of random inputs and return the steps; ``real`` [2, i] is a mask."""
    if name in VOTE_ROUTINGS:
        return list(
            VOTE_ROUTINGS[name][0](random_votes(0, 2, N_INP, N_OUT, 4), n_iters, mask=real, edit=edit, **options)
        )
    method, n_inp = EM[name]
    scores, capsules = random_inputs(1, 2, N_INP, 2, 3)
    scores = scores if real is None else scores.masked_fill(~real, -torch.inf)
    with torch.no_grad():
        return list(random_routing(0, n_inp, N_OUT, 2, 3, 2, method=method).steps(scores, capsules, n_iters, edit=edit))


def assert_equal(steps, expected, **tolerances):
    """Assert that all fields of all steps are equal; the message names the field."""
    for step, other in zip(steps, expected, strict=True):
        for field in fields(step):
            numbers = getattr(step, field.name), getattr(other, field.name)
            torch.testing.assert_close(*numbers, msg=partial("{}: {}".format, field.name), **tolerances)


assert_identical = partial(assert_equal, rtol=0, atol=0)


def test_edits_by_hand():
    # Three inputs, two outputs; in the first iteration of dynamic routing every share is 1/2.
    votes = random_votes(0, 1, 3, 2, 4)

    def first(edit, **options):
        (step,) = dynamic_routing(votes, 1, edit=edit, **options)
        return step.coupling[0].T.tolist()

    assert first(None) == [[0.5, 0.5, 0.5], [0.5, 0.5, 0.5]]
    assert first(SetCoupling(1, 0, 0.2)) == [[0.5, pytest.approx(0.2), 0.5], [0.5, pytest.approx(0.8), 0.5]]
    assert first(DropCapsule(0)) == [[0, 0, 0], [1, 1, 1]]
    assert first(DropInput(2)) == [[0.5, 0.5, 0], [0.5, 0.5, 0]]
    thirds = pytest.approx([1 / 3] * 3)
    assert first(None, normalize="input") == [thirds, thirds]
    assert first(SetCoupling(1, 0, 0.2), normalize="input") == [pytest.approx([0.4, 0.2, 0.4]), thirds]
    assert first(DropCapsule(0), normalize="input") == [[0, 0, 0], thirds]
    assert first(DropInput(2), normalize="input") == [[0.5, 0.5, 0], [0.5, 0.5, 0]]
    assert first([SetCoupling(1, 0, 1), SetCoupling(1, 1, 0.5)]) == [[0.5, 0.5, 0.5], [0.5, 0.5, 0.5]]
    assert first([DropCapsule(0), DropCapsule(1)]) == [[0, 0, 0], [0, 0, 0]]  # no capsule is left to take the shares


@pytest.mark.parametrize("normalize", ["output", "input"])
@pytest.mark.parametrize(
    "later", [*map(Couplings, ("uniform", "first", "shuffled", "random")), SetCoupling(1, 0, 1.0)], ids=str
)
def test_no_later_edit_gives_something_to_a_capsule_that_is_off(normalize, later):
    votes = random_votes(0, 1, N_INP, N_OUT, 4)
    for step in dynamic_routing(votes, 3, normalize=normalize, edit=[DropCapsule(0), later]):
        assert not step.coupling[..., 0].any()
        assert step.coupling.sum(1 if normalize == "input" else 2).max() == pytest.approx(1)


def test_sharpness_by_hand():
    votes = random_votes(0, 1, N_INP, N_OUT, 4)
    (plain,) = kmeans_routing(votes, 1)
    (sharp,) = kmeans_routing(votes, 1, edit=Sharpness(20))
    torch.testing.assert_close(sharp.coupling, (20 * plain.logits).softmax(2))
    (flat,) = kmeans_routing(votes, 1, edit=Sharpness(0))
    torch.testing.assert_close(flat.coupling, torch.full_like(flat.coupling, 1 / N_OUT))
    assert_equal(kmeans_routing(votes, 4, edit=Sharpness(1)), list(kmeans_routing(votes, 4)))


@pytest.mark.parametrize("edit_name", EDITS)
@pytest.mark.parametrize("name", [*WITH_REFERENCE, *EM])
def test_equals_the_numpy_reference(name, edit_name):
    edit, reference_edit = EDITS[edit_name]
    steps = run(name, edit)
    for sample in range(2):
        if name in VOTE_ROUTINGS:
            change = OVER_INPUTS.get(edit_name, reference_edit) if name == REVERSED else reference_edit
            expected = VOTE_ROUTINGS[name][1](random_votes(0, 2, N_INP, N_OUT, 4)[sample].numpy(), 4, edit=change)
        else:
            expected = em_reference(name, sample, reference_edit)
        for step, arrays in zip(steps, expected, strict=True):
            # Once the couplings are kept, nothing uses the logits, but the reference still updates them.
            for field in arrays.keys() - ({"logits"} if edit_name in KEEPS_COUPLINGS else set()):
                wrong = partial("{}: {}".format, field)
                torch.testing.assert_close(getattr(step, field)[sample], torch.from_numpy(arrays[field]), msg=wrong)


def em_reference(name, sample, edit):
    """The steps of the EM routing of this name for one sample of ``run``, in NumPy."""
    method, n_inp = EM[name]
    routing = random_routing(0, n_inp, N_OUT, 2, 3, 2, method=method)
    scores, capsules = random_inputs(1, 2, N_INP, 2, 3)
    weights = (
        parameter.detach().expand(N_INP, *parameter.shape[-k:]).numpy()
        for parameter, k in ((routing.W, 3), (routing.B, 3), (routing.beta_use, 1), (routing.beta_ign, 1))
    )
    return reference.em_routing(scores[sample].numpy(), capsules[sample].numpy(), *weights, 4, edit=edit)


@pytest.mark.parametrize("K", [0.5, 3.0])
def test_sharpness_equals_the_numpy_reference(K):
    votes = random_votes(0, 1, N_INP, N_OUT, 4)
    expected = reference.kmeans_routing(votes[0].numpy(), 4, edit=reference.sharpness(K))
    for step, arrays in zip(kmeans_routing(votes, 4, edit=Sharpness(K)), expected, strict=True):
        for field, array in arrays.items():
            torch.testing.assert_close(getattr(step, field)[0], torch.from_numpy(array))


@each_routing
def test_without_edits_all_steps_are_identical(name):
    plain = run(name)
    assert_identical(run(name, []), plain)
    assert_identical(run(name, FreezeAfter(4)), plain)


@each_routing
def test_dropping_an_input_equals_masking_it(name):
    real = torch.ones(2, N_INP, dtype=torch.bool)
    real[:, 3] = False
    assert_identical(run(name, DropInput(3)), run(name, real=real))
    real[:, 1] = False
    assert_identical(run(name, [DropInput(1), DropInput(3)]), run(name, real=real))


@each_routing
def test_kept_couplings_equal_those_of_a_shorter_run(name):
    plain = run(name)
    assert_identical(run(name, FreezeAfter(2)), [*plain[:2], plain[1], plain[1]])
    assert_identical(run(name, Couplings("first")), [plain[0]] * 4)
    assert_identical(run(name, Couplings("first"), n_iters=1), run(name, n_iters=1))


@each_routing
@settings(max_examples=25)
@given(
    drawn=st.lists(
        st.one_of(
            st.tuples(st.just(SetCoupling), st.integers(0, N_INP - 2), st.integers(0, N_OUT - 2), st.floats(0, 0.9)),
            st.tuples(st.just(DropCapsule), st.just(0)),
            st.tuples(st.just(Couplings), st.sampled_from(tuple(HOWS)), st.integers(0, 9)),
            st.tuples(st.just(FreezeAfter), st.integers(1, 5)),
            st.tuples(st.just(DropInput), st.integers(0, N_INP - 2)),
        ),
        max_size=3,
    )
)
def test_shares_sum_to_1_and_a_long_run_contains_a_short_one(name, drawn):
    """The last input and the last capsule stay unedited, so that shares taken from others always have a place to go."""
    edits = [kind(*arguments) for kind, *arguments in drawn]
    steps = run(name, edits)
    assert_identical(steps[:2], run(name, edits, n_iters=2))
    real = [i for i in range(N_INP) if DropInput(i) not in edits]
    for step in steps:
        c = step.coupling
        assert ((c >= 0) & (c <= 1 + 1e-9)).all()
        if name == REVERSED and DropCapsule(0) in edits:  # a capsule that gets nothing has no shares
            c = c[:, :, 1:]
        totals = c.sum(1) if name == REVERSED else c[:, real].sum(2)
        torch.testing.assert_close(totals, torch.ones_like(totals))
        if name in VOTE_ROUTINGS:
            assert (c.sum(2)[:, [i for i in range(N_INP) if i not in real]] == 0).all()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (SetCoupling(0, 1, 0.3), SetCoupling(2, 0, 0.8)),
        (SetCoupling(0, 1, 0.0), SetCoupling(0, 2, 0.0)),
        (DropInput(1), SetCoupling(2, 0, 0.8)),
        (DropInput(1), DropInput(4)),
        (DropInput(1), DropCapsule(0)),
        (DropCapsule(2), DropCapsule(0)),
        (DropCapsule(2), FreezeAfter(2)),
        (Couplings("shuffled"), FreezeAfter(2)),
        (Couplings("random"), DropInput(1)),
    ],
)
@each_routing
def test_the_order_of_independent_edits_does_not_matter(name, one, other):
    assert_equal(run(name, [one, other]), run(name, [other, one]))


@each_routing
def test_each_sample_of_a_batch_may_have_its_own_edit(name):
    i, j, value = torch.tensor([4, 0]), torch.tensor([1, 2]), torch.tensor([0.25, 1.0], dtype=torch.float64)
    differing = {
        SetCoupling(i, j, value): [SetCoupling(4, 1, 0.25), SetCoupling(0, 2, 1.0)],
        SetCoupling(4, 1, value): [SetCoupling(4, 1, 0.25), SetCoupling(4, 1, 1.0)],
        SetCoupling(torch.tensor([-1, 0]), 1, 0.0): [None, SetCoupling(0, 1, 0.0)],
        DropCapsule(j): [DropCapsule(1), DropCapsule(2)],
        DropInput(i): [DropInput(4), DropInput(0)],
    }
    for edit, singles in differing.items():
        together = run(name, edit)
        for sample, single in enumerate(singles):
            for step, alone in zip(together, run(name, single), strict=True):
                torch.testing.assert_close(step.coupling[sample], alone.coupling[sample])
                torch.testing.assert_close(step.capsules[sample], alone.capsules[sample])


@pytest.mark.parametrize("edit", EVERY_EDIT, ids=str)
# The routing "EM" has a fixed number of inputs.
@pytest.mark.parametrize("name", [*VOTE_ROUTINGS, "EM with shared weights", "EM by moments"])
def test_a_padded_batch_equals_its_samples_alone(name, edit):
    real = torch.tensor([[True] * 5, [True] * 4 + [False]])
    together = run(name, edit, real=real)
    edits = [one for one in (edit if isinstance(edit, list) else [edit]) if getattr(one, "i", 0) < 4]
    if name in VOTE_ROUTINGS:
        alone = VOTE_ROUTINGS[name][0](random_votes(0, 2, N_INP, N_OUT, 4)[1:, :4], 4, edit=edits)
        assert all((step.coupling[1, 4] == 0).all() for step in together)
    else:
        scores, capsules = random_inputs(1, 2, N_INP, 2, 3)
        routing = random_routing(0, None, N_OUT, 2, 3, 2, method=EM[name][0])
        alone = routing.steps(scores[1:, :4], capsules[1:, :4], 4, edit=edits)
    for step, single in zip(together, alone, strict=True):
        torch.testing.assert_close(step.coupling[1, :4], single.coupling[0])
        torch.testing.assert_close(step.capsules[1], single.capsules[0])


@pytest.mark.parametrize("edit", EVERY_EDIT, ids=str)
@pytest.mark.parametrize("name", VOTE_ROUTINGS)
def test_gradients(name, edit):
    mask = torch.tensor([[True] * 5, [True] * 4 + [False]])

    def capsules(votes):
        *_, last = VOTE_ROUTINGS[name][0](votes, 3, mask=mask, edit=edit)
        return last.capsules

    assert torch.autograd.gradcheck(capsules, random_votes(1, 2, N_INP, N_OUT, 2).requires_grad_())


@pytest.mark.parametrize("edit", EVERY_EDIT, ids=str)
@pytest.mark.parametrize("name", EM)
def test_gradients_of_em_routing(name, edit):
    method, n_inp = EM[name]
    routing = random_routing(0, n_inp, N_OUT, 1, 2, 2, method=method)
    scores, capsules = random_inputs(1, 1, N_INP, 1, 2)
    route = partial(routing, edit=edit)
    assert torch.autograd.gradcheck(route, (scores.requires_grad_(), capsules.requires_grad_()))


@pytest.mark.parametrize("make", [partial(SetCoupling, 1, 2), partial(SetCoupling, 0, 0)])
@pytest.mark.parametrize("name", VOTE_ROUTINGS)
def test_a_dose_has_a_gradient(name, make):
    votes = random_votes(0, 2, N_INP, N_OUT, 4)

    def capsules(value):
        *_, last = VOTE_ROUTINGS[name][0](votes, 3, edit=make(value))
        return last.capsules

    assert torch.autograd.gradcheck(capsules, torch.tensor([0.2, 0.7], dtype=torch.float64).requires_grad_())


def test_shuffling_reorders_the_shares_of_each_capsule():
    votes = random_votes(5, 1, 3, 2, 4)
    (plain,), (shuffled,) = kmeans_routing(votes, 1), kmeans_routing(votes, 1, edit=Couplings("shuffled", 1))
    orders = [list(order) for order in permutations(range(3))]
    possible = [np.stack([plain.coupling[0, a, 0], plain.coupling[0, b, 1]], 1) for a in orders for b in orders]
    possible = [c / c.sum(1, keepdims=True) for c in possible]
    assert sum(np.allclose(c, shuffled.coupling[0]) for c in possible) == 1
    assert not torch.allclose(plain.coupling, shuffled.coupling)
    *_, plain = dynamic_routing(votes, 3, normalize="input")
    second = plain.logits.softmax(1)  # the next iteration's couplings, normalized over the inputs
    torch.testing.assert_close(second.sum(1), torch.ones(1, 2, dtype=torch.float64))
    (first,) = dynamic_routing(votes, 1, normalize="input", edit=Couplings("shuffled"))
    torch.testing.assert_close(first.coupling, torch.full((1, 3, 2), 1 / 3, dtype=torch.float64))


def test_random_shares_are_flat_and_depend_on_the_seed():
    votes = random_votes(0, 2, 2000, N_OUT, 1)
    first, repeated, other = (
        next(dynamic_routing(votes, 1, edit=Couplings("random", seed))).coupling for seed in (3, 3, 4)
    )
    assert torch.equal(first, repeated)
    assert not torch.allclose(first, other)
    assert torch.equal(first[0], first[1])
    # A flat Dirichlet distribution of three shares: mean 1/3, variance 1/18.
    torch.testing.assert_close(first[0].mean(0), torch.full((N_OUT,), 1 / 3).double(), atol=0.02, rtol=0)
    torch.testing.assert_close(first[0].var(0), torch.full((N_OUT,), 1 / 18).double(), atol=0.006, rtol=0)


@pytest.mark.parametrize("edit", EVERY_EDIT, ids=str)
def test_em_routing_of_many_inputs_takes_the_same_edits(edit, monkeypatch):
    at_once = run("EM by moments", edit)
    monkeypatch.setattr(em_large, "MAX_NUMBERS", 2 * 2 * 10)  # two inputs at a time
    assert_equal(run("EM by moments", edit), at_once)
    assert_equal(run("EM with shared weights", edit), at_once, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("name", EM)
@pytest.mark.parametrize("edit", EVERY_EDIT, ids=str)
def test_the_last_outputs_of_em_routing_are_those_of_its_steps(name, edit):
    method, n_inp = EM[name]
    routing = random_routing(0, n_inp, N_OUT, 2, 3, 2, method=method)
    inputs = random_inputs(1, 2, N_INP, 2, 3)
    *_, last = routing.steps(*inputs, edit=edit)
    for output, expected in zip(routing(*inputs, edit=edit), (last.scores, last.means, last.variances), strict=True):
        torch.testing.assert_close(output, expected)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("edit", EVERY_EDIT, ids=str)
def test_other_dtypes_are_kept(edit, dtype):
    for step in dynamic_routing(random_votes(0, 2, N_INP, N_OUT, 4).to(dtype), 3, edit=edit):
        assert step.coupling.dtype == step.capsules.dtype == dtype
        assert step.coupling.isfinite().all()


def test_shares_that_are_too_small_to_scale_are_finite():
    votes = 40 * random_votes(0, 1, 4, 2, 8).float()
    for step in dynamic_routing(votes, 30, edit=[SetCoupling(0, 0, 0.0), SetCoupling(1, 1, 0.0)]):
        assert step.coupling.isfinite().all()
        assert (step.coupling.sum(2) <= 1 + 1e-5).all()


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (DropInput(5), "i is 5 in drop:I, wanted 0 to 4"),
        (SetCoupling(1, 3, 0.5), "j is 3 in couple:I,J=V, wanted 0 to 2"),
        (DropCapsule(7, routing=1), "j is 7 in capsule:J, wanted 0 to 2"),
        (SetGate(1, 0.5), r"gate:1=0.5 does not apply to this routing"),
        ([FreezeAfter(1), DropInput(9)], r"i is 9"),
    ],
)
@each_routing
def test_edits_that_do_not_fit_are_refused_at_once(name, edit, message):
    if name in VOTE_ROUTINGS:
        route = partial(VOTE_ROUTINGS[name][0], random_votes(0, 2, N_INP, N_OUT, 4), 3)
    else:
        route = partial(random_routing(0, EM[name][1], N_OUT, 2, 3, 2).steps, *random_inputs(1, 2, N_INP, 2, 3))
    with pytest.raises(ValueError, match=message):
        route(edit=edit)


@pytest.mark.parametrize(
    "route",
    [
        partial(dynamic_routing, torch.zeros(1, 2, 3, 4), 3),
        partial(em_routing, torch.zeros(1, 2), torch.zeros(1, 2, 3, 1, 1), torch.zeros(3), torch.zeros(3), 3),
    ],
)
def test_only_k_means_routing_takes_sharpness(route):
    with pytest.raises(ValueError, match="sharpness:2 does not apply to this routing"):
        route(edit=Sharpness(2))
