import numpy as np
import pytest

from core.analysis.codes import nearest, overlap

CODES = np.array([[[1, 0], [0.5, 0.5]], [[0, 1], [0.5, 0.5]], [[0.75, 0.25], [0, 1]]])


def test_overlap_by_hand():
    # with word 0: itself; one book of two; (3/4 + 1/2) / 2
    assert overlap(CODES, CODES[0]).tolist() == pytest.approx([1, 0.5, 0.625])


def test_the_nearest_come_first():
    words, by = nearest(CODES, CODES[0], 2)
    assert words.tolist() == [0, 2]
    assert by.tolist() == pytest.approx([1, 0.625])
    assert len(nearest(CODES, CODES[0], 9)[0]) == 3
