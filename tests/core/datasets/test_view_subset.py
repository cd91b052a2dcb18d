"""A chosen part of a split of smallNORB."""

import numpy as np
import pytest

from core.datasets import smallnorb
from tests.conftest import write_norb


def test_a_subset_keeps_its_images_on_the_disk(tmp_path):
    write_norb(tmp_path, "test", n=7)
    full = smallnorb.all_views(tmp_path, "test")
    images = full.views.images
    subset = smallnorb.ViewSubset(full.views, np.array([6, 1, 3]))
    assert (len(full), len(subset), subset.classes) == (7, 3, smallnorb.CLASSES)
    assert isinstance(images, np.memmap)
    batches = list(subset.batches(2))
    assert [len(labels) for _, labels in batches] == [2, 1]
    np.testing.assert_array_equal(np.concatenate([images for images, _ in batches]), images[[6, 1, 3]])
    np.testing.assert_array_equal(np.concatenate([labels for _, labels in batches]), [1, 1, 3])
    assert subset.first(2).numbers.tolist() == [6, 1]
    with pytest.raises(ValueError, match="number of samples is 0"):
        subset.first(0)
