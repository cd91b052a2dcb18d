import pandas as pd
import pytest

from core.ledger.claim import Claim, of_checkpoint, of_difference, of_mean, points
from core.measured import store

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


def test_what_cannot_be_measured_says_why():
    row = Claim("P", "table 1", "accuracy", "99%", why="its corpus is not read here").row()
    assert (row["here"], row["verdict"]) == ("its corpus is not read here", "not measured")


def test_points_are_in_percent():
    assert points(0.01, 0.03).text == "+2.00 points"
    assert (points(0.01, 0.03).low, points(0.01, 0.03).high) == (1.0, 3.0)
