"""Accuracy on viewpoints that the training did not show."""

import numpy as np
import pandas as pd
import pytest

from core.analysis.viewpoints import by_distance, compare_on_unseen, distances_of, distances_to_seen, match, stages

DEGREES = [0.0, 20.0, 180.0, 340.0]
SEEN = [True, True, False, False]


def row(network, seed, accuracy):
    """A row of the table, with the same accuracy on each of two toys.

    Args:
        network: name of the network.
        seed: seed of its training.
        accuracy: accuracy for each share of the training and each direction.
    """
    values = [[[a, a] for a in by_degrees] for by_degrees in accuracy]
    shares = [0.5, 1.0]
    return {
        "network": network,
        "direction": "azimuth",
        "seed": seed,
        "shares": shares,
        "degrees": DEGREES,
        "is_seen": SEEN,
        "accuracy": values,
    }


ROWS = pd.DataFrame(
    [
        row("EM routing", 0, [[0.8, 0.8, 0.5, 0.7], [0.9, 0.9, 0.6, 0.8]]),
        row("EM routing", 1, [[0.8, 0.8, 0.3, 0.7], [0.9, 0.9, 0.6, 0.8]]),
        row("convolutions", 0, [[0.6, 0.6, 0.2, 0.2], [0.8, 0.8, 0.3, 0.5]]),
    ]
)


def test_azimuths_wrap_around_and_elevations_do_not():
    degrees, is_seen = np.array(DEGREES), np.array(SEEN)
    assert distances_to_seen(degrees, is_seen, True).tolist() == [0, 0, 160, 20]
    assert distances_to_seen(degrees, is_seen, False).tolist() == [0, 0, 160, 320]


def test_networks_are_matched_by_accuracy_on_seen_views():
    matched = match(ROWS)
    assert {network: stage.share for network, stage in matched.items()} == {"EM routing": 0.5, "convolutions": 1.0}
    assert matched["EM routing"].accuracy[2] == pytest.approx([0.4, 0.4])  # the mean over seeds


def test_stages_are_in_the_order_of_the_training():
    assert [stage.share for stage in stages(ROWS)["EM routing"]] == [0.5, 1.0]
    assert stages(ROWS)["EM routing"][1].accuracy[2] == pytest.approx([0.6, 0.6])


def test_a_network_that_stops_learning_is_compared_at_its_end():
    flat = pd.DataFrame([row("EM routing", 0, [[0.8] * 4, [0.8] * 4])])
    assert match(flat)["EM routing"].share == 1.0


def test_a_toy_without_a_test_in_a_direction_is_refused():
    hole = pd.DataFrame([row("EM routing", 0, [[0.8] * 4, [0.8, np.nan, 0.8, 0.8]])])
    with pytest.raises(ValueError, match="wanted one for every pair"):
        match(hole)


def test_accuracy_falls_with_the_distance():
    table = by_distance(match(ROWS), distances_of(ROWS)).set_index(["network", "distance"])
    assert table.loc[("EM routing", 0.0), "accuracy"] == pytest.approx(0.8)
    assert table.loc[("EM routing", 20.0), "accuracy"] == pytest.approx(0.7)
    assert table.loc[("convolutions", 160.0), "accuracy"] == pytest.approx(0.3)
    assert (table["low"] <= table["accuracy"]).all()


def test_networks_are_compared_on_the_same_toys():
    matched = match(ROWS)
    difference, low, high = compare_on_unseen(matched["EM routing"], matched["convolutions"], distances_of(ROWS))
    assert difference == low == high == pytest.approx(0.55 - 0.4)
