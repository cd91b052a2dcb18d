"""Accuracy of shipped recipes with word vectors that start from GloVe as well, on the dev split that chooses."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from core.sweep.sweep import Sweep
from core.training.recipes import RECIPES
from core.training.recipes.words import WordTraining

# From the shortest training to the longest. ``composition`` has a trial of AGT with GloVe.
NAMES = ("cccaps-ag", "dragg-sst2", "drnn-ag", "dragg-sst5")


@dataclass(frozen=True)
class VectorsCase:
    """One training.

    Args:
        recipe: one of ``NAMES``.
        glove: as in ``WordTraining``.
    """

    recipe: str
    glove: bool
    seed: int

    @property
    def corpus(self) -> str:
        """The corpus of the recipe."""
        return RECIPES[self.recipe].full.corpus


def cases(seeds: int) -> Iterator[VectorsCase]:
    """Yield every recipe without and with GloVe, seed by seed."""
    for seed, recipe, glove in product(range(seeds), NAMES, (False, True)):
        yield VectorsCase(recipe, glove, seed)


def training(case: VectorsCase) -> WordTraining:
    """The training of a case: the recipe's, with these vectors and this seed."""
    full = RECIPES[case.recipe].full
    assert isinstance(full, WordTraining)
    return replace(full, glove=case.glove, seed=case.seed)


SWEEP = Sweep(
    name="vectors",
    help="shipped recipes of word models without and with GloVe's vectors",
    description=__doc__,
    case=VectorsCase,
    cases=cases,
    training=training,
)
