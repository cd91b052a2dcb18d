"""Results on a GPU in float32 equal those on the CPU in float64. Without a GPU the same tests run on the CPU."""

from copy import deepcopy

import numpy as np
import pytest
import torch

import core
from core import zoo
from core.measured.evidence.gradients import integrated_gradients
from core.networks import network_of
from core.routing import EMRouting
from dashboard.runs import texts
from tests.core.routing.votes import VOTE_ROUTINGS
from tests.core.samples import REVIEW, SENTENCE, pair

pytestmark = pytest.mark.cuda
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
NETWORKS = {
    "tiny": SENTENCE,
    "tiny_documents": REVIEW,
    "tiny_cccaps": SENTENCE,
    "tiny_em": SENTENCE,
    "tiny_em_smallnorb": pair(40, 40),
    "tiny_agt": SENTENCE,
    "tiny_drnn": SENTENCE,
}
WORDS = [["a", "good", "film"], ["is", "n't", "zyx", "bad"]]
SAMPLES = {
    "tiny_documents": [[["a", "film"], ["good"]], [["is", "n't", "zyx", "bad"]]],
    "tiny_em_smallnorb": np.stack([pair(40, 40)] * 2),
}
ROUNDED = 1e-3  # tolerance as a share of the largest number
needs_gpu = pytest.mark.skipif(DEVICE == "cpu", reason="there is no CUDA device here")


def assert_near(actual, exact, rounded=ROUNDED):
    """Check that two arrays are equal up to a share of the largest number."""
    actual, exact = (np.asarray(array, dtype=np.float64) for array in (actual, exact))
    np.testing.assert_allclose(actual, exact, rtol=rounded, atol=rounded * max(1e-6, abs(exact).max(initial=0)))


def numbers(tensor):
    """A tensor as an array in float64."""
    return tensor.detach().double().cpu().numpy()


@pytest.mark.parametrize("routing", VOTE_ROUTINGS)
def test_a_routing_and_its_gradient_are_the_same(routing):
    votes = torch.randn(2, 7, 4, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    leaves = [votes.clone().requires_grad_(), votes.to(DEVICE, torch.float32).requires_grad_()]
    exact, actual = (list(VOTE_ROUTINGS[routing][0](leaf, 3)) for leaf in leaves)
    for first, second in zip(exact, actual, strict=True):
        assert_near(numbers(second.coupling), numbers(first.coupling))
        assert_near(numbers(second.capsules), numbers(first.capsules))
    for steps in (exact, actual):
        steps[-1].capsules.square().sum().backward()
    assert_near(numbers(leaves[1].grad), numbers(leaves[0].grad))


@pytest.mark.parametrize("method", ["votes", "moments"])
def test_em_routing_and_its_gradient_are_the_same(method):
    torch.manual_seed(0)
    routing = EMRouting(None, 4, 2, 3, 3, method=method)
    for parameter in routing.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    scores, capsules = torch.randn(2, 9), torch.randn(2, 9, 2, 3)
    both = [(deepcopy(routing).double(), "cpu", torch.float64), (routing.to(DEVICE), DEVICE, torch.float32)]
    outputs, gradients = [], []
    for module, device, dtype in both:
        steps = list(module.steps(scores.to(device, dtype), capsules.to(device, dtype)))
        (steps[-1].means.square().sum() + steps[-1].scores.tanh().sum()).backward()
        outputs.append(
            [numbers(getattr(s, name)) for s in steps for name in ("scores", "means", "variances", "coupling")]
        )
        gradients.append([numbers(parameter.grad) for parameter in module.parameters()])
    for exact, actual in [*zip(*outputs, strict=True), *zip(*gradients, strict=True)]:
        assert_near(actual, exact)


@pytest.mark.parametrize("name", NETWORKS)
def test_a_network_and_its_gradient_are_the_same(name, request):
    checkpoint = request.getfixturevalue(name)
    samples = SAMPLES.get(name, WORDS)
    if name == "tiny_em":
        samples = [" ".join(words) for words in samples]
        encoded = checkpoint.reader.read(samples)
    else:
        encoded = checkpoint.inputs(samples)
    results = []
    for device, dtype in (("cpu", torch.float64), (DEVICE, torch.float32)):
        model = deepcopy(checkpoint.model).to(device, dtype).requires_grad_()
        inputs = {
            key: value.to(device, dtype if value.is_floating_point() else value.dtype)
            if torch.is_tensor(value)
            else value
            for key, value in encoded.items()
        }
        with torch.backends.cudnn.flags(enabled=False):  # its recurrent layers have gradients only in training mode
            logits = model(**inputs)
        logits.square().sum().backward()
        gradients = [parameter.grad for parameter in model.parameters() if parameter.grad is not None]
        results.append([numbers(logits), *map(numbers, gradients)])
    for exact, actual in zip(*results, strict=True):
        assert_near(actual, exact, 10 * ROUNDED)


@pytest.mark.parametrize("name", [name for name in NETWORKS if name != "tiny_em"])  # its texts have no gradient
def test_integrated_gradients_are_the_same(name, request):
    checkpoint = request.getfixturevalue(name)
    on_gpu = zoo.load(checkpoint.name, DEVICE)
    scores = [
        network_of(each).differentiable(each, SAMPLES[name][0] if name in SAMPLES else WORDS[1])
        for each in (checkpoint, on_gpu)
    ]
    exact, actual = (integrated_gradients(each, 0) for each in scores)
    assert_near(actual, exact, 10 * ROUNDED)


@pytest.mark.parametrize("name", NETWORKS)
def test_a_trace_is_the_same(name, request):
    checkpoint = request.getfixturevalue(name)
    exact = core.explain(checkpoint, NETWORKS[name])
    actual = core.explain(zoo.load(checkpoint.name, DEVICE), NETWORKS[name])
    assert actual.device.startswith(DEVICE)
    assert_near(actual.probabilities, exact.probabilities)
    for (place, _, values), (_, _, expected) in zip(actual.arrays(), exact.arrays(), strict=True):
        if "." in place:  # an array of a routing
            assert_near(values, expected)


@needs_gpu
@pytest.mark.parametrize("name", ["dragg-sst5", "dragg-imdb", "cccaps-ag", "em-sst5", "agt-sst5", "drnn-ag"])
def test_a_shipped_network_gives_the_same_answer(name):
    exact, actual = (core.explain(zoo.load(name, device), REVIEW) for device in ("cpu", "cuda"))
    assert_near(actual.probabilities, exact.probabilities, 10 * ROUNDED)


@needs_gpu
def test_a_full_gpu_falls_back_to_the_cpu_with_a_notice():
    torch.cuda.empty_cache()
    torch.cuda.set_per_process_memory_fraction(1e-6)
    try:
        trace = texts.run("dragg-sst2", "cuda", "a film for which there is no room", 3)
    finally:
        torch.cuda.set_per_process_memory_fraction(1.0)
    assert trace.device == "cpu"
    assert "ran on the CPU" in trace.notices[-1]
