"""Overlaps of the codes of words, and the words with the nearest codes."""

import numpy as np
import pytest

from core.analysis.codes import nearest, overlap

CODES = np.array([[[1, 0], [0.5, 0.5]], [[0, 1], [0.5, 0.5]], [[0.75, 0.25], [0, 1]]])


def test_overlap_by_hand():
    # Word 0 overlaps wholly with itself, in one of two books with word 1, and (3/4 + 1/2) / 2 with word 2.
    assert overlap(CODES, CODES[0]).tolist() == pytest.approx([1, 0.5, 0.625])


def test_the_nearest_words_come_first():
    words, overlaps = nearest(CODES, CODES[0], 2)
    assert words.tolist() == [0, 2]
    assert overlaps.tolist() == pytest.approx([1, 0.625])
    assert len(nearest(CODES, CODES[0], 9)[0]) == 3
