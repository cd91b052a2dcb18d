"""The sweep of word vectors: its cases are shipped recipes, with and without GloVe."""

from dataclasses import replace

from core.sweep import vectors
from core.training.recipes import RECIPES


def test_only_vectors_and_seeds_differ_from_the_recipes():
    cases = set(vectors.cases(3))
    assert len(cases) == 3 * 2 * len(vectors.NAMES)
    for case in cases:
        training = vectors.training(case)
        assert (training.glove, training.seed, training.corpus) == (case.glove, case.seed, case.corpus)
        full = RECIPES[case.recipe].full
        assert replace(training, glove=full.glove, seed=full.seed) == full
