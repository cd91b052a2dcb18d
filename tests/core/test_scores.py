"""A checkpoint's scores say whether one training or several stand behind them."""

import pytest

from core.scores import Metrics

STORED = {"parameters": 5, "test": {"accuracy": 0.5, "n": 10}, "training": {"seed": 0}}


def test_one_seed_and_several_are_told_apart():
    assert Metrics.read(STORED).spread == "One seed: another training may give another accuracy."
    assert Metrics.read({"parameters": 5}).spread == ""
    several = Metrics.read(STORED | {"seeds": [0.48, 0.471, 0.484]})
    assert several.spread == "Trainings with 3 seeds reached 47.1% to 48.4%."


@pytest.mark.parametrize("seeds", [[0.5, 2], [None], "0.5", {"0": 0.5}])
def test_seeds_that_are_no_accuracies_are_refused(seeds):
    with pytest.raises(ValueError, match="wanted accuracies from 0 to 1"):
        Metrics.read(STORED | {"seeds": seeds})


def test_what_a_network_is_compared_with_has_scores_too():
    others = Metrics.read(STORED | {"others": {"linear probe": {"accuracy": 0.8, "n": 10}}}).others
    assert others["linear probe"].interval == pytest.approx((0.49, 0.943), abs=0.01)
    assert Metrics.read(STORED | {"others": [1]}).others == {}
    with pytest.raises(ValueError, match="accuracy is 2, wanted 0 to 1"):
        Metrics.read(STORED | {"others": {"linear probe": {"accuracy": 2}}})
