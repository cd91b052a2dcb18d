"""The decisive words of a text."""

import numpy as np

from core.analysis.windows import decisive_words


def test_decisive_words_end_at_the_most_evidence_for_the_answer():
    evidence = np.array([[9.0, 0.0], [0.0, 1.0], [0.0, 5.0], [0.0, 2.0]])
    assert decisive_words(evidence, np.array([0.2, 0.8]), window=2) == (1, 3)
    assert decisive_words(evidence, np.array([0.2, 0.8]), window=10) == (0, 3)
    assert decisive_words(evidence, np.array([0.8, 0.2]), window=2) == (0, 1)
