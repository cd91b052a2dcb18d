"""Accuracy of k-means routing by the sharpness K of its shares, fixed or learned (Ren, Lu 2022, eq. 10)."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float
from torch import Tensor, nn

from core.datasets import CORPORA
from core.edits import Edit, Sharpness
from core.models import CCCaps, CCCapsConfig
from core.routing import RoutingStep
from core.sweep import capsules
from core.sweep.sweep import Row, Sweep

if TYPE_CHECKING:
    from core.training.run import Trained

LEARNED = "learned"
SHARPNESSES = ("1", "5", "20", LEARNED)


class SharpCCCaps(CCCaps):
    """CCCaps with another factor K in the softmax of k-means routing: c_ij = softmax_j(K b_ij).

    The paper derives the softmax with K (eq. 10) and leaves it out of its algorithm 1, where K is 1.

    Args:
        config: sizes of the network.
        sharpness: K; ``LEARNED`` for a parameter that starts at 1.
    """

    def __init__(self, config: CCCapsConfig, sharpness: str):
        super().__init__(config)
        start = torch.tensor([1.0 if sharpness == LEARNED else float(sharpness)]).log()
        self.log_sharpness = nn.Parameter(start, requires_grad=sharpness == LEARNED)

    def route(
        self, encoding: Float[Tensor, "b state"], n_iters: int | None = None, edits: Sequence[Edit] = ()
    ) -> Iterator[RoutingStep]:
        """The steps of routing an encoding, as in ``CCCaps.route``. A user's edits come after the sharpness."""
        return super().route(encoding, n_iters, [Sharpness(self.log_sharpness.exp()), *edits])


@dataclass(frozen=True, kw_only=True)
class SharpnessTraining(capsules.CapsulesTraining):
    """The training of CCCaps with a sharpness.

    Args:
        sharpness: as in ``SharpCCCaps``.
    """

    sharpness: str

    def network(self, n_words: int) -> SharpCCCaps:
        return SharpCCCaps(super().network(n_words).config, self.sharpness)


@dataclass(frozen=True)
class SharpnessCase:
    """One training.

    Args:
        corpus: a key of ``capsules.N_CLASSES``.
        sharpness: one of ``SHARPNESSES``.
    """

    corpus: str
    sharpness: str
    seed: int


def cases(seeds: int) -> Iterator[SharpnessCase]:
    """Yield every sharpness on both corpora, seed by seed."""
    for seed, corpus, sharpness in product(range(seeds), reversed(capsules.N_CLASSES), SHARPNESSES):
        yield SharpnessCase(corpus, sharpness, seed)


def columns(case: SharpnessCase) -> Row:
    """A column for the corpus's test split, True if it has one, and an accuracy in the paper, which has none."""
    return {"official_test": CORPORA[case.corpus].has_test, "paper": math.nan}


def training(case: SharpnessCase) -> SharpnessTraining:
    """The training of a case: that of the network in the paper's table 5, with a sharpness."""
    table_5 = capsules.training(capsules.CapsuleCase(case.corpus, "cwc", "kmeans", capsules.PAPERS_LOSS, case.seed))
    return SharpnessTraining(**vars(table_5), sharpness=case.sharpness)


def measure(case: SharpnessCase, trained: "Trained", folder: Path) -> Row:
    """The sharpness of the trained network."""
    return {"K": float(trained.checkpoint.model.log_sharpness.detach().exp())}


SWEEP = Sweep(
    name="sharpness",
    help="k-means routing with sharper shares, on AG's News and DBpedia",
    description=__doc__,
    case=SharpnessCase,
    cases=cases,
    training=training,
    columns=columns,
    measure=measure,
)
