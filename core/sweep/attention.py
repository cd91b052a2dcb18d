"""Accuracy of AGT by the number of layers with attention: all, l <= 2, or l = 0 only (Guo 2017, section 3.2)."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path

from core.manifest import PRETRAINED
from core.papers import ATTENTION
from core.sweep.sweep import Row, Sweep, name_of
from core.sweep.table import train_and_test
from core.training.recipes import RECIPES
from core.training.recipes.sst import AGTTraining

BASE: AGTTraining = replace(RECIPES["agt-sst5"].full, teachers=())  # labels only, as in the paper


@dataclass(frozen=True)
class Case:
    """One training.

    Args:
        attending: number of layers with attention, counted from the first.
    """

    attending: int
    seed: int


def cases(seeds: int) -> Iterator[Case]:
    """Yield every network, seed by seed."""
    for seed, attending in product(range(seeds), ATTENTION):
        yield Case(attending, seed)


def measure(case: Case, data: Path, device: str = "cpu", scratch: Path | None = None) -> Row:
    """Train and test the network of a case, and return its row of the table."""
    results = train_and_test(training(case), data, name_of(case), device, scratch)
    return asdict(case) | {"paper": ATTENTION[case.attending]} | results


def training(case: Case) -> AGTTraining:
    """The training of a case: the shipped network's, but without teachers."""
    return replace(BASE, n_attending=case.attending, seed=case.seed)


SWEEP = Sweep(
    name="attention",
    help="AGT with attention (s_l) in 15, 3 or 1 of its layers",
    description=__doc__,
    case=Case,
    cases=cases,
    measure=measure,
    corpus="sst",
    scratch=PRETRAINED / ".training" / "sweeps",
)
