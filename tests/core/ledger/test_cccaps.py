"""The verdict of measured iterations on CCCaps' claim."""

from dataclasses import replace

import pytest

from core.ledger import cccaps
from core.ledger.claim import evidence_of
from core.measured.evidence.record import Estimate


@pytest.mark.parametrize(
    ("kmeans", "dynamic", "verdict"),
    [(0.0, -0.002, "inconclusive"), (0.0, -0.02, "reproduced"), (0.02, 0.0, "does not hold")],
)
def test_routing_is_more_stable_only_if_changes_differ_beyond_chance(monkeypatch, kmeans, dynamic, verdict):
    def changed_evidence(name):
        """The evidence of a network, except that accuracy changes only at the first number of iterations."""
        mean = dynamic if "dynamic" in name else kmeans
        evidence = evidence_of(name)
        first = replace(evidence.iterations[0], change=Estimate(mean, mean - 0.005, mean + 0.005, 2210))
        still = [replace(one, change=Estimate(0.0, 0.0, 0.0, 2210)) for one in evidence.iterations[1:]]
        return replace(evidence, iterations=(first, *still))

    monkeypatch.setattr(cccaps, "evidence_of", changed_evidence)
    (claim,) = [claim for claim in cccaps.CLAIMS if claim.claim.startswith("k-means routing is more stable")]
    measured = claim.measure()
    assert measured.verdict == verdict
    assert measured.low < 100 * (abs(dynamic) - abs(kmeans)) < measured.high
