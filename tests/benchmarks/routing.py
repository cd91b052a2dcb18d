"""EM routing compared with a plain version of the same equations: time, memory, rounding errors."""

import math
import statistics
from collections.abc import Callable
from itertools import accumulate
from typing import NamedTuple

import torch
from torch import Tensor
from torch.profiler import profile

from core.routing import EMRouting
from tests.benchmarks.figure import Figure, median_seconds
from tests.benchmarks.reference.em import em_routing

N_INP, N_OUT, D = 5184, 64, 4
BARS = {  # batch, and lower limits of forward and forward + backward, by device; None for no limit
    "cpu": ((1, 20, 14), (4, 50, 45)),
    "cuda": ((1, None, None), (4, None, None), (20, None, 10)),
}
SEEDS = 5


def em(device: str) -> list[Figure]:
    """The time, memory and errors of 3 iterations that route 5,184 capsules of 4x4 to 64 capsules of 4x4."""
    figures = []
    for batch, forward, backward in BARS[device]:
        ours, plain = _make_runs(batch, device)
        for bar, passes, with_gradients in ((forward, "forward", False), (backward, "forward + backward", True)):
            plain_seconds, our_seconds = (
                median_seconds(lambda run=run, g=with_gradients: _once(run, g), device) for run in (plain, ours)
            )
            name = f"EM routing, batch {batch}, {passes}, plain / ours"
            figures.append(Figure(name, plain_seconds / our_seconds, bar, "times", at_least=True))
        plain_bytes, our_bytes = (_peak(lambda run=run: _once(run, True), device) for run in (plain, ours))
        name = f"EM routing, batch {batch}, peak memory, ours / plain"
        figures.append(Figure(name, our_bytes / plain_bytes, 0.1, "times"))
    name = "EM routing, errors against float64, values and gradients, ours / plain"
    figures.append(Figure(name, _mean_error_ratio(device), 1, "times"))
    return figures


def _mean_error_ratio(device: str) -> float:
    """The geometric mean, over several draws, of our errors in values and gradients divided by the plain version's."""
    ratios = []
    for seed in range(SEEDS):
        _, exact = _make_runs(1, device, seed, torch.float64)
        ratios += error_ratios(exact, *_make_runs(1, device, seed))
    return math.exp(statistics.fmean(map(math.log, ratios)))


class Run(NamedTuple):
    """A routing of one input, and the tensors that its outputs depend on."""

    route: Callable[[], tuple[Tensor, ...]]
    leaves: tuple[Tensor, ...]


def error_ratios(exact: Run, ours: Run, plain: Run) -> list[float]:
    """For each output and each leaf's gradient, our largest error divided by the plain version's."""

    def outputs_and_gradients(run: Run) -> tuple[Tensor, ...]:
        scores, means, variances = run.route()
        loss = scores.tanh().sum() + means.sum() + variances.log().sum()
        return scores, means, variances, *torch.autograd.grad(loss, run.leaves)

    def error(output: Tensor, expected: Tensor) -> float:
        scale = max(1e-6, expected.abs().max().item())  # never 0
        return (output - expected).abs().max().item() / scale + 1e-9  # never 0, because errors are divided

    triples = zip(*map(outputs_and_gradients, (ours, plain, exact)), strict=True)
    return [error(our, expected) / error(other, expected) for our, other, expected in triples]


def _make_runs(batch: int, device: str, seed: int = 0, dtype: torch.dtype = torch.float32) -> tuple[Run, Run]:
    """Our routing and the plain one on the same random weights and input."""
    torch.manual_seed(seed)
    routing = EMRouting(None, N_OUT, D, D, D)
    for parameter in (routing.B, routing.beta_use, routing.beta_ign):
        torch.nn.init.normal_(parameter)
    scores, capsules = torch.randn(batch, N_INP), torch.randn(batch, N_INP, D, D)
    routing, scores = routing.to(device, dtype), scores.to(device, dtype)
    capsules = capsules.to(device, dtype).requires_grad_()
    weights = routing.W, routing.B, routing.beta_use, routing.beta_ign
    leaves = capsules, *weights
    ours = Run(lambda: routing(scores, capsules), leaves)
    return ours, Run(lambda: em_routing(scores, capsules, *weights), leaves)


def _once(run: Run, with_gradients: bool) -> None:
    """Run forward once, and backward too if gradients are wanted."""
    with torch.set_grad_enabled(with_gradients):
        outputs = run.route()
    if with_gradients:
        sum(output.sum() for output in outputs).backward()


def _peak(run: Callable[[], None], device: str) -> int:
    """Peak bytes that a run allocates."""
    run()
    if device == "cuda":
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        run()
        return torch.cuda.max_memory_allocated() - before
    with profile(profile_memory=True) as watched:
        run()
    events = watched.profiler.kineto_results.events()
    taken = sorted((e.start_ns(), e.nbytes()) for e in events if e.name() == "[memory]")
    return max(accumulate(n for _, n in taken))
