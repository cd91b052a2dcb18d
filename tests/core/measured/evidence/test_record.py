"""The contents of evidence.json."""

import json

import pytest

from core.__main__ import main
from core.measured.evidence.measure import _load
from core.measured.evidence.record import EVIDENCE_FILE, Estimate, Evidence
from tests.core.measured.evidence.samples import EVIDENCE, RANKINGS, accuracy, plausibility


def test_a_measured_file_is_read_back(tiny_folder, trees):
    _load.cache_clear()
    assert main(["evidence", "tiny", "--data", str(trees), "--limit", "3", "--workers", "1", "--device", "cpu"]) == 0
    stored = json.loads((tiny_folder / EVIDENCE_FILE).read_text())
    evidence = Evidence.read(stored)
    assert evidence.main_ranking() == "deciding coupling"
    assert len(evidence.iterations) == 6
    assert evidence.trained_iterations == 3
    assert evidence.iterations[2] == evidence.couplings["trained"]
    assert evidence.couplings["trained"].change.is_within_chance
    assert len(evidence.capsules) == 3
    assert evidence.rankings["removed"]["drop-one"].aopc.n == 3
    assert evidence.phrases["random"].over_random.mean == 0
    assert stored["capsules"]["of"][1]["accuracy"] == evidence.capsules[1].without.accuracy.mean


def test_the_sample_of_the_tests_is_valid():
    evidence = Evidence.read(EVIDENCE)
    assert evidence.rankings["masked"]["coupling"].mean_sufficiency == pytest.approx(0.2)


@pytest.mark.parametrize(
    "stored",
    [
        None,
        [],
        {},
        "text",
        EVIDENCE | {"rankings": 3},
        EVIDENCE | {"rankings": {}},
        EVIDENCE | {"rankings": {"masked": {}, "removed": {}}},
        EVIDENCE | {"rankings": {"masked": RANKINGS}},
        EVIDENCE | {"couplings": {"a": 1}},
        EVIDENCE | {"couplings": {"a": accuracy(0.5, 0)}},
        EVIDENCE | {"iterations": []},
        EVIDENCE | {"trained_iterations": None},
        EVIDENCE | {"phrases": {"rankings": {"coupling": plausibility(0.6)}}},
        EVIDENCE | {"unit": "[x](http://y.z)"},
        EVIDENCE | {"n": float("inf")},
    ],
)
def test_malformed_contents_are_refused(stored):
    with pytest.raises(ValueError, match="not an evidence file"):
        Evidence.read(stored)


def test_a_difference_is_within_chance_if_its_interval_contains_0():
    assert Estimate(0.1, -0.1, 0.3, 9).is_within_chance
    assert not Estimate(0.1, 0.05, 0.2, 9).is_within_chance
    assert not Estimate(-0.1, -0.2, -0.05, 9).is_within_chance
