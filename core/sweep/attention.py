"""How much of AGT is its attention: s_l in all layers, for l <= 2, for l = 0 only (Guo 2017, section 3.2)."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path

from core.manifest import PRETRAINED
from core.sweep.sweep import Row, Sweep
from core.sweep.table import train_and_test
from core.training.recipes import RECIPES, AGTRecipe

BASE = replace(RECIPES["agt-sst5"], teachers=())  # from labels alone, as in the paper
PAPER = {15: 0.505, 3: 0.490, 1: 0.485}  # test accuracy by how many layers attend


@dataclass(frozen=True)
class Case:
    """One training. attending: the layers that look at the words, from the first on."""

    attending: int
    seed: int


def cases(seeds: int) -> Iterator[Case]:
    """Every network once a seed; a seed is whole before the next begins."""
    for seed, attending in product(range(seeds), PAPER):
        yield Case(attending, seed)


def measure(case: Case, data: Path, device: str = "cpu", scratch: Path | None = None) -> Row:
    """Train and test one network; the row of its table."""
    return asdict(case) | {"paper": PAPER[case.attending]} | train_and_test(recipe(case), data, device, scratch)


def recipe(case: Case) -> AGTRecipe:
    """That of the shipped network, but for its teachers and for what is varied."""
    name = f"{BASE.name}-{case.attending}-{case.seed}"
    return replace(BASE, name=name, n_attending=case.attending, seed=case.seed)


SWEEP = Sweep(
    name="attention",
    help="AGT with s_l in 15 layers, in 3, in 1",
    description=__doc__,
    case=Case,
    cases=cases,
    measure=measure,
    corpus="sst",
    scratch=PRETRAINED / ".training" / "sweeps",
)
