"""Claims that the poses of turning toys can judge."""

import numpy as np
import pytest

from core import ledger
from core.measured import store

CLAIM = "After a full turn the pose vectors are back near the first"


def turned(*last: float):
    """Poses [toy, view, kind, component] of a toy for each number: the last view's distance from the first pose."""
    poses = np.zeros((len(last), 4, 1, 2))
    poses[..., 0] = 1
    poses[:, 2, :, 1] = 1  # the opposite view is at a distance of 1
    poses[:, 3, :, 1] = np.array(last)[:, None]
    return poses


@pytest.mark.parametrize(
    ("last", "verdict"),
    [((0.1, 0.2, 0.3), "reproduced"), ((1.9, 1.8, 1.7), "does not hold"), ((0.1, 2.0, 0.8), "inconclusive")],
)
def test_toys_are_the_sample_of_what_is_said_of_a_full_turn(monkeypatch, last, verdict):
    poses = {"azimuth": turned(*last), "elevation": turned(*last)}
    monkeypatch.setattr(store, "read", lambda quantity, name: poses if quantity == "poses" else None)
    row = ledger.read("EM routing").set_index("claim").loc[CLAIM]
    assert row["verdict"] == verdict
    assert row["from"] < 1 - np.mean(last) < row["to"]
