"""Accuracy of DR-AGG by iterations and capsules, on SST-2 (Gong et al. 2018, figure 2)."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from core.sweep import aggregation
from core.sweep.aggregation import AggregationCase

ITERATIONS = (1, 2, 3, 4, 5)
CAPSULES = (1, 2, 3, 4)


def cases(seeds: int) -> Iterator[AggregationCase]:
    """Yield standard routing with every number of iterations and of capsules, seed by seed."""
    for seed, n_capsules, n_iters in product(range(seeds), CAPSULES, ITERATIONS):
        yield AggregationCase("sst2", "standard", n_iters, n_capsules, seed)


SWEEP = replace(
    aggregation.SWEEP,
    name="iterations",
    help="DR-AGG by iterations and capsules, on SST-2",
    description=__doc__,
    cases=cases,
)
