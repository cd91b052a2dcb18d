"""EM routing against a plain version of the same equations, in one run: time, memory, rounding."""

import statistics
import time
from collections.abc import Callable
from itertools import accumulate

import torch
from torch import Tensor
from torch.profiler import profile

from core.routing import EMRouting
from tests.benchmarks.figure import Figure
from tests.benchmarks.reference.em import em_routing

N_INP, N_OUT, D = 5184, 64, 4
BARS = {  # device -> (batch, forward at least, forward + backward at least)
    "cpu": ((1, 20, 14), (4, 50, 45)),
    "cuda": ((20, None, 10),),
}
REPEATS = 15
SEEDS = 5


def em(device: str) -> list[Figure]:
    """5,184 capsules of 4x4 to 64 of 4x4, 3 iterations."""
    figures = []
    for batch, forward, backward in BARS[device]:
        ours, plain = _setting(batch, device)
        for bar, what, graded in ((forward, "forward", False), (backward, "forward + backward", True)):
            if bar:
                slow, fast = (_seconds(lambda run=run, g=graded: _once(run, g), device) for run in (plain, ours))
                name = f"EM routing, batch {batch}, {what}, plain / ours"
                figures.append(Figure(name, slow / fast, bar, "times", at_least=True))
        much, little = (_peak(lambda run=run: _once(run, True), device) for run in (plain, ours))
        figures.append(Figure(f"EM routing, batch {batch}, peak memory, ours / plain", little / much, 0.1, "times"))
    figures.append(Figure("EM routing, error against float64, ours / plain", _wrongness(device), 1, "times"))
    return figures


def _wrongness(device: str) -> float:
    """Largest relative error of our scores, means and variances by that of the plain ones, over several draws."""
    ours_by_plain = []
    for seed in range(SEEDS):
        exact = _setting(1, device, seed, torch.float64)[1]()
        runs = _setting(1, device, seed)
        right, wrong = (max(_error(o, e) for o, e in zip(run(), exact, strict=True)) for run in runs)
        ours_by_plain.append(right / wrong)
    return statistics.median(ours_by_plain)


def _setting(batch: int, device: str, seed: int = 0, dtype: torch.dtype = torch.float32) -> tuple[Callable, Callable]:
    """Our routing and the plain one on the same random weights and input."""
    torch.manual_seed(seed)
    routing = EMRouting(None, N_OUT, D, D, D)
    for parameter in (routing.B, routing.beta_use, routing.beta_ign):
        torch.nn.init.normal_(parameter)
    scores, capsules = torch.randn(batch, N_INP), torch.randn(batch, N_INP, D, D)
    routing, scores = routing.to(device, dtype), scores.to(device, dtype)
    capsules = capsules.to(device, dtype).requires_grad_()
    weights = routing.W, routing.B, routing.beta_use, routing.beta_ign
    return lambda: routing(scores, capsules), lambda: em_routing(scores, capsules, *weights)


def _once(run: Callable[[], tuple[Tensor, ...]], graded: bool) -> None:
    with torch.set_grad_enabled(graded):
        outputs = run()
    if graded:
        sum(output.sum() for output in outputs).backward()


def _seconds(run: Callable[[], None], device: str) -> float:
    """Median of several runs, after as many to warm up."""
    times = []
    for _ in range(2 * REPEATS):
        began = time.perf_counter()
        run()
        if device == "cuda":
            torch.cuda.synchronize()
        times.append(time.perf_counter() - began)
    return statistics.median(times[REPEATS:])


def _peak(run: Callable[[], None], device: str) -> int:
    """Bytes held at once, at most, beyond what was held before."""
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


def _error(found: Tensor, exact: Tensor) -> float:
    return ((found - exact).abs().max() / exact.abs().max()).item()
