"""Verdicts on the claims about turning toys."""

import numpy as np
import pytest

from core import ledger
from core.measured import store

CLAIM = "After a full turn the pose vectors are back near the first"


def turned(*last: float):
    """Poses [toy, view, kind, component]: one toy per number, which is the distance of its last pose from its first."""
    poses = np.zeros((len(last), 4, 1, 2))
    poses[..., 0] = 1
    poses[:, 2, :, 1] = 1  # the opposite view is at a distance of 1
    poses[:, 3, :, 1] = np.array(last)[:, None]
    return poses


@pytest.mark.parametrize(
    ("last", "verdict"),
    [((0.1, 0.2, 0.3), "reproduced"), ((1.9, 1.8, 1.7), "does not hold"), ((0.1, 2.0, 0.8), "inconclusive")],
)
def test_the_claim_about_a_full_turn_is_judged_over_toys(monkeypatch, last, verdict):
    poses = {"azimuth": turned(*last), "elevation": turned(*last)}
    monkeypatch.setattr(store, "read", lambda quantity, name: poses if quantity == "poses" else None)
    row = ledger.read("EM routing").set_index("claim").loc[CLAIM]
    assert row["verdict"] == verdict
    assert row["from"] < 1 - np.mean(last) < row["to"]
