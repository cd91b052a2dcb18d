"""Accuracy of AGT by the number of layers with attention: all, l <= 2, or l = 0 only (Guo 2017, section 3.2)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from core.manifest import PRETRAINED
from core.papers import ATTENTION_ACCURACY
from core.sweep.sweep import Row, Sweep
from core.training.recipes.sst import AGTTraining

BASE = AGTTraining()  # attention starts as usual, and labels teach, as in the paper


@dataclass(frozen=True)
class AttentionCase:
    """One training.

    Args:
        attending: number of layers with attention, counted from the first.
    """

    attending: int
    seed: int


def cases(seeds: int) -> Iterator[AttentionCase]:
    """Yield every network, seed by seed."""
    for seed, attending in product(range(seeds), ATTENTION_ACCURACY):
        yield AttentionCase(attending, seed)


def columns(case: AttentionCase) -> Row:
    """The accuracy in the paper."""
    return {"paper": ATTENTION_ACCURACY[case.attending]}


def training(case: AttentionCase) -> AGTTraining:
    """The training of a case."""
    return replace(BASE, n_attending=case.attending, seed=case.seed)


SWEEP = Sweep(
    name="attention",
    help="AGT with attention (s_l) in 15, 3 or 1 of its layers",
    description=__doc__,
    case=AttentionCase,
    cases=cases,
    training=training,
    columns=columns,
    corpus="sst",
    scratch=PRETRAINED / ".training" / "sweeps",
)
