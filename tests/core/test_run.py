import numpy as np
import pytest

import core
from core import run


def test_many_pairs_in_parts_are_each_pair_alone(tiny_em_smallnorb, monkeypatch):
    monkeypatch.setattr(run, "BATCH_SIZE", 2)
    images = np.random.default_rng(0).integers(0, 256, (5, 2, 40, 32), np.uint8)
    capsules = run.class_capsules(tiny_em_smallnorb, images)
    assert capsules.probabilities.shape == (5, 5)
    assert capsules.poses.shape == (5, 5, 4, 4)
    trace = core.explain(tiny_em_smallnorb, images[3])
    np.testing.assert_allclose(capsules.probabilities[3], trace.probabilities[-1], rtol=1e-4)
    expected = capsules.poses[3].reshape(5, 16)
    np.testing.assert_allclose(expected, trace.parts_to_classes.capsules[-1], rtol=1e-3, atol=1e-5)


def test_what_is_no_picture_is_refused(tiny, tiny_em_smallnorb):
    with pytest.raises(ValueError, match="reads text"):
        run.class_capsules(tiny, np.zeros((1, 2, 40, 40), np.uint8))
    with pytest.raises(ValueError, match="images has shape"):
        run.class_capsules(tiny_em_smallnorb, np.zeros((0, 2, 40, 40), np.uint8))
