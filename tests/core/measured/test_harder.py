"""Pairs of smallNORB made harder, and the accuracy on them by class."""

import numpy as np
import pytest

from core.datasets import ViewSubset, smallnorb
from core.measured import harder, store
from core.measured.__main__ import main

PICTURE = np.random.default_rng(1).integers(60, 180, (40, 40), np.uint8)


def test_a_shrunken_picture_is_in_the_middle_of_its_ground():
    picture = np.full((96, 96), 150, np.uint8)
    picture[40:56, 40:56] = 30
    small = harder.shrink(picture, 0.5)
    assert (small[44:52, 44:52] == 30).all()
    assert (small < 100).sum() == 64
    assert (np.abs(small[:, :24].astype(int) - 150) <= 1).all()
    np.testing.assert_array_equal(harder.shrink(PICTURE, 1.0), PICTURE)


def test_boards_leave_the_middle_of_the_picture():
    changed = harder.lay_on_boards(PICTURE)
    np.testing.assert_array_equal(changed[12:28, 12:28], PICTURE[12:28, 12:28])
    assert (changed[:4] != PICTURE[:4]).mean() > 0.9
    np.testing.assert_array_equal(harder.lay_on_boards(PICTURE, 0.5)[17:23, 17:23], PICTURE[17:23, 17:23])


@pytest.mark.parametrize("change", harder.CHANGES.values(), ids=list(harder.CHANGES))
def test_a_harder_picture_has_the_size_of_the_picture(change):
    changed = change(PICTURE)
    assert (changed.shape, changed.dtype) == (PICTURE.shape, np.uint8)


def test_the_accuracy_is_the_share_of_correct_answers_by_class(tiny_em_smallnorb, norb):
    views = smallnorb.load(norb, "test")
    arrays = harder.measure(tiny_em_smallnorb, ViewSubset(views, np.arange(len(views))))
    assert arrays["change"].tolist() == list(harder.CHANGES)
    for row, change in ((0, lambda picture: picture), (2, lambda picture: harder.shrink(picture, 0.5))):
        images = np.array([[change(picture) for picture in pair] for pair in views.images])
        right = tiny_em_smallnorb.model(**tiny_em_smallnorb.inputs(images)).argmax(1).numpy() == views.categories
        assert arrays["accuracy"][row] == right.mean()
        assert arrays["by_class"][row].tolist() == [right[views.categories == k].mean() for k in range(5)]


@pytest.mark.parametrize("split", ["test", "dev"])
def test_the_command_prints_a_table_and_saves_nothing(tiny_em_smallnorb, norb, split, capsys):
    name = tiny_em_smallnorb.name
    assert main(["harder", name, "--data", str(norb), "--device", "cpu", "--split", split]) == 0
    out = capsys.readouterr().out
    assert f"pairs of the {split} split" in out
    assert "half the size" in out
    with pytest.raises(KeyError):
        store.ARRAYS["harder"]


def test_a_network_that_reads_text_is_refused(tiny, norb):
    with pytest.raises(ValueError, match="not smallNORB's categories"):
        harder.measure(tiny, ViewSubset(smallnorb.load(norb, "test"), np.arange(3)))
