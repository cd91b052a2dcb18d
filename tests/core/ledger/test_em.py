"""The verdict on the claim that a toy's poses return after a full turn."""

import numpy as np
import pytest

from core import ledger
from core.measured import store

CLAIM = "After a full turn, pose vectors are nearly the same as at the start"


def poses_of_toys(*distances: float):
    """Poses [toy, view, kind, component] of one toy per distance, which lies between its last pose and its first."""
    poses = np.zeros((len(distances), 4, 1, 2))
    poses[..., 0] = 1
    poses[:, 2, :, 1] = 1  # the opposite view is at a distance of 1
    poses[:, 3, :, 1] = np.array(distances)[:, None]
    return poses


@pytest.mark.parametrize(
    ("distances", "verdict"),
    [((0.1, 0.2, 0.3), "reproduced"), ((1.9, 1.8, 1.7), "does not hold"), ((0.1, 2.0, 0.8), "inconclusive")],
)
def test_the_claim_about_a_full_turn_is_judged_over_toys(monkeypatch, distances, verdict):
    poses = {"azimuth": poses_of_toys(*distances), "elevation": poses_of_toys(*distances)}
    monkeypatch.setattr(store, "read", lambda quantity, name: poses if quantity == "poses" else None)
    (claim,) = [claim for claim in ledger.CLAIMS if claim.claim == CLAIM]
    assert claim.measure().verdict == verdict
    row = claim.row()
    assert (row["verdict"], row["note"]) == ("other conditions", "rendered toys instead of photographs")
    # The row compares the last view's distance with the 1 of the opposite view.
    assert row["from"] < 1 - np.mean(distances) < row["to"]
