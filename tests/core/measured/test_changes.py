"""Changed pictures of smallNORB, and the accuracy on them."""

import numpy as np
import pytest

from core.datasets import ViewSubset, smallnorb
from core.measured import changes

RANDOM = np.random.default_rng(0)
PAIRS = np.random.default_rng(1).integers(60, 180, (4, 2, 40, 40), np.uint8)


def test_a_stretched_picture_goes_from_black_to_white():
    changed = changes.stretch(PAIRS, RANDOM)
    assert (changed.min((2, 3)) == 0).all()
    assert (changed.max((2, 3)) == 255).all()
    assert not changes.stretch(np.full((1, 2, 4, 4), 7, np.uint8), RANDOM).any()


def test_the_exposure_of_the_eyes_differs_within_the_limit():
    changed = changes.expose_apart(PAIRS, RANDOM)
    np.testing.assert_array_equal(changed[:, 0], PAIRS[:, 0])
    difference = (changed[:, 1].astype(int) - PAIRS[:, 1]).reshape(4, -1)
    assert (difference == difference[:, :1]).all()
    assert 0 < np.abs(difference).max() <= changes.APART


def test_the_left_picture_replaces_the_right_one():
    np.testing.assert_array_equal(changes.use_left(PAIRS, RANDOM)[:, 1], PAIRS[:, 0])


def test_the_accuracy_is_the_share_of_correct_answers(tiny_em_smallnorb, norb):
    views = smallnorb.load(norb, "test")
    arrays = changes.measure(tiny_em_smallnorb, ViewSubset(views, np.arange(len(views))))
    assert arrays["change"].tolist() == list(changes.CHANGES)
    for name, accuracy in (("as rendered", arrays["accuracy"][0]), ("one eye for both", arrays["accuracy"][3])):
        images = changes.CHANGES[name](np.asarray(views.images), RANDOM)
        predicted = tiny_em_smallnorb.model(**tiny_em_smallnorb.inputs(images)).argmax(1).numpy()
        assert accuracy == (predicted == views.categories).mean()


def test_a_network_that_reads_text_is_refused(tiny, norb):
    with pytest.raises(ValueError, match="not smallNORB's categories"):
        changes.measure(tiny, ViewSubset(smallnorb.load(norb, "test"), np.arange(3)))
