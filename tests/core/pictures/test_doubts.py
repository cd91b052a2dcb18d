"""Pairs whose name should not be trusted: forty that are doubted, and a hundred good ones."""

from itertools import permutations

import numpy as np
import pytest
from PIL import Image
from scipy.ndimage import gaussian_filter

from core.datasets import toyrig
from core.pictures.doubts import Doubt, doubt, likeness

SIDE = 96
Y, X = np.indices((SIDE, SIDE))
RANDOM = np.random.default_rng(0)


@pytest.fixture(scope="module")
def toys():
    """Pairs of one test toy per category, [category, direction and light, 2, y, x]."""
    seen = [toyrig.photographs(category, 0, [20, 230], [40, 60])[:, :, :5] for category in range(5)]
    return np.array(seen).reshape(5, -1, 2, SIDE, SIDE)


def grey(values):
    return np.clip(np.rint(values), 0, 255).astype(np.uint8)


def text():
    """A page of dark marks in lines."""
    marks = RANDOM.random((14, 30)) < 0.7
    return grey(
        255 - 255 * np.kron(np.pad(np.kron(marks, [[1], [1], [0]]), ((3, 3), (1, 1))), np.ones((2, 3)))[:SIDE, :SIDE]
    )


def close_up(picture, k):
    """The middle of a picture, enlarged, from a place of its own."""
    part = picture[28 + k : 58 + k, 34 - k : 64 - k]
    return np.asarray(Image.fromarray(part).resize((SIDE, SIDE), Image.Resampling.BICUBIC))


def bad_pairs(toys):
    """Forty pairs by what is wrong with them."""
    others = [np.stack([toys[i, 0, 0], toys[j, 0, 1]]) for i, j in list(permutations(range(5), 2))[::2]]
    single = [
        *(grey(150 + k + RANDOM.normal(0, 1, (SIDE, SIDE))) for k in range(5)),
        *(grey(RANDOM.integers(0, 256, (SIDE, SIDE))) for _ in range(5)),
        *(grey(128 + 900 * gaussian_filter(RANDOM.normal(size=(SIDE, SIDE)), 5)) for _ in range(5)),
        *(grey(128 + 100 * np.sin((X + k * Y) / 5)) for k in range(5)),
        *(text() for _ in range(5)),
        *(close_up(toys[k, 0, 0], k) for k in range(5)),
    ]
    return others, [np.stack([picture] * 2) for picture in single]


def test_bad_pairs_are_doubted_and_good_ones_are_not(toys):
    others, single = bad_pairs(toys)
    assert len(others) + len(single) == 40
    doubted = [doubt(pair) for pair in [*others, *single]]
    assert sum(reason is not None for reason in doubted) >= 36
    assert set(doubted[:10]) <= {Doubt.EYES, None}
    assert doubted[10:15] == [Doubt.FLAT] * 5
    good = [doubt(pair) for pair in toys.reshape(-1, 2, SIDE, SIDE)]
    assert len(good) == 100
    assert sum(reason is not None for reason in good) <= 5


def test_one_picture_for_both_eyes_is_alike():
    picture = RANDOM.normal(size=(SIDE, SIDE))
    assert likeness(picture, picture) == pytest.approx(1)
    assert likeness(picture, np.roll(picture, 7, 1)) > 0.9
    assert likeness(picture, np.roll(picture, 40, 1)) < 0.2
