import json
from types import SimpleNamespace

import pandas as pd
import pytest

from core import manifest
from core.ledger.claim import Claim, of_checkpoint, of_difference, of_iterations, of_mean, points
from core.measured import store
from tests.core.evidence.samples import EVIDENCE

NAME = "made"
PAPERS = {"a": 0.92, "c": 0.90}


@pytest.fixture
def table(no_sweeps):
    rows = [("a", seed, 0.90 + seed / 1000, 0.92, 7600) for seed in range(3)]
    rows += [("b", seed, 0.88 + seed / 1000, 0.91, 7600) for seed in range(3)]
    rows += [("c", seed, 0.90 + seed / 1000, 0.90, 7600) for seed in range(3)]
    store.save_sweep(NAME, pd.DataFrame(rows, columns=["network", "seed", "test", "paper", "tested_on"]))


def difference(better, worse):
    claim = of_difference("P", "table 1", "better", NAME, {"network": better}, {"network": worse}, 0.01)
    return claim.row()


def test_a_difference_agrees_disagrees_or_is_within_chance(table):
    assert difference("a", "b") | {"command": ""} == {
        "paper": "P",
        "place": "table 1",
        "claim": "better",
        "the paper's": "+1.00 points",
        "here": "+2.00 points",
        "from": pytest.approx(1.0, abs=0.1),
        "to": pytest.approx(3.0, abs=0.1),
        "verdict": "agrees",
        "command": "",
        "file": "sweeps/made.parquet",
    }
    assert difference("b", "a")["verdict"] == "does not agree"
    assert difference("a", "c")["verdict"] == "within chance"
    assert difference("a", "d")["verdict"] == "not measured"


@pytest.mark.parametrize(("network", "verdict"), [("a", "does not agree"), ("c", "within chance")])
def test_a_mean_is_beside_the_paper_s(table, network, verdict):
    row = of_mean("P", "table 1", "accuracy", NAME, {"network": network}, PAPERS[network]).row()
    assert row["verdict"] == verdict
    assert row["here"] == "90.1%"
    assert row["from"] < 90.1 < row["to"]


def test_a_checkpoint_is_beside_the_paper_s():
    row = of_checkpoint("AGT", "table 1", "accuracy", "agt-sst5").row()
    assert row["here"].startswith("agt-sst5: ")
    assert row["the paper's"] == "50.5%"
    assert of_checkpoint("AGT", "table 1", "accuracy", "no-such").row()["verdict"] == "not measured"


def test_iterations_are_judged_by_the_evidence_of_a_network(monkeypatch, tmp_path):
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "evidence.json").write_text(json.dumps(EVIDENCE))
    monkeypatch.setattr(manifest, "folders", lambda: {"tiny": folder})
    monkeypatch.setattr(manifest, "describe", lambda name: SimpleNamespace(sha256=EVIDENCE["weights"]))
    change = EVIDENCE["iterations"][0]["change"]
    row = of_iterations("P", "figure 2", "better", "tiny", 1).row()
    assert row["here"] == f"tiny: {-100 * change['mean']:+.2f} points"
    assert (row["from"], row["to"]) == (-100 * change["interval"][1], -100 * change["interval"][0])
    assert of_iterations("P", "figure 2", "better", "tiny", 99).row()["verdict"] == "not measured"
    monkeypatch.setattr(manifest, "describe", lambda name: SimpleNamespace(sha256="other weights"))
    assert of_iterations("P", "figure 2", "better", "tiny", 1).row()["verdict"] == "not measured"


def test_what_cannot_be_measured_says_why():
    row = Claim("P", "table 1", "accuracy", "99%", why="its corpus is not read here").row()
    assert (row["here"], row["verdict"]) == ("its corpus is not read here", "not measured")


def test_points_are_in_percent():
    assert points(0.01, 0.03).text == "+2.00 points"
    assert (points(0.01, 0.03).low, points(0.01, 0.03).high) == (1.0, 3.0)
