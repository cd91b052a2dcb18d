"""A sentence, a review and pairs of pictures for the tests of traces."""

import numpy as np

SENTENCE = "A good film, isn't it?"
REVIEW = "A good film.<br /><br />Isn't it bad? Film, film!"


def pair(y, x):
    """A random pair of pictures."""
    return np.random.default_rng(0).integers(0, 256, (2, y, x), np.uint8)
