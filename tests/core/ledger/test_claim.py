"""Claims of papers, and the verdicts of tables and checkpoints on them."""

import numpy as np
import pandas as pd
import pytest

from core.ledger.claim import (
    Claim,
    checkpoint_claim,
    difference_claim,
    judge_difference,
    mean_claim,
    pair_claim,
    weakest,
)
from tests.sweeps import save_sweep

NAME = "made"


@pytest.fixture
def table(no_sweeps):
    """A saved sweep of three networks with three seeds each."""
    rows = [("a", seed, 0.90 + seed / 1000, 0.92, 7600) for seed in range(3)]
    rows += [("b", seed, 0.88 + seed / 1000, 0.91, 7600) for seed in range(3)]
    rows += [("c", seed, 0.90 + seed / 1000, 0.90, 7600) for seed in range(3)]
    save_sweep(NAME, pd.DataFrame(rows, columns=["network", "seed", "test", "paper", "tested_on"]))


def difference(better, worse):
    """The row of the claim that one network is better than another."""
    claim = difference_claim("P", "table 1", "better", NAME, {"network": better}, {"network": worse}, 0.01)
    return claim.row()


def test_a_difference_is_reproduced_does_not_hold_or_is_inconclusive(table):
    assert difference("a", "b") | {"command": ""} == {
        "paper": "P",
        "place": "table 1",
        "claim": "better",
        "the paper's": "+1.00 points",
        "here": "+2.00 points",
        "from": pytest.approx(0.96, abs=0.1),
        "to": pytest.approx(3.04, abs=0.1),
        "verdict": "reproduced",
        "note": "unpaired",
        "command": "",
        "file": "sweeps/made.parquet",
        "kind": "finding",
    }
    assert difference("b", "a")["verdict"] == "does not hold"
    assert difference("a", "c")["verdict"] == "inconclusive"
    assert difference("a", "d")["verdict"] == "not measured"


@pytest.mark.parametrize(
    ("network", "theirs", "differs", "verdict"),
    [
        ("a", 0.92, "", "does not hold"),
        ("c", 0.90, "", "reproduced"),
        ("c", 0.88, "", "reproduced"),
        ("c", 0.90, "fewer texts", "other conditions"),
        ("a", 0.92, "fewer texts", "other conditions"),
    ],
)
def test_a_mean_is_compared_with_the_paper_s(table, network, theirs, differs, verdict):
    row = mean_claim("P", "table 1", "accuracy", NAME, {"network": network}, theirs, differs).row()
    assert (row["verdict"], row["note"]) == (verdict, differs)
    assert row["here"] == "90.1%"
    assert row["from"] < 90.1 < row["to"]


def test_a_checkpoint_is_compared_with_the_paper_s():
    row = checkpoint_claim("AGT", "table 1", "accuracy", "agt-sst5").row()
    assert row["here"].startswith("agt-sst5: ")
    assert row["the paper's"] == "50.5%"
    assert checkpoint_claim("AGT", "table 1", "accuracy", "no-such").row()["verdict"] == "not measured"


def test_answers_to_the_same_texts_are_compared_in_pairs(no_sweeps):
    """Both networks err on the same texts, except 40 that only one answers correctly: 1 point of 4,000 texts."""
    right = np.arange(4000) % 4 > 0
    better = right | (np.arange(4000) < 160)
    rows = [("a", 0, better), ("b", 0, right)]
    table = pd.DataFrame(rows, columns=["network", "seed", "right"]).assign(tested_on=4000)
    table["test"], table["answers"] = (
        table["right"].map(np.mean),
        table["right"].map(lambda r: np.packbits(r).tobytes()),
    )
    save_sweep(NAME, table.drop(columns="right"))
    paired = difference("a", "b")
    assert (paired["here"], paired["verdict"], paired["note"]) == ("+1.00 points", "reproduced", "")
    save_sweep(NAME, table.drop(columns=["right", "answers"]))
    unpaired = difference("a", "b")
    assert (unpaired["here"], unpaired["verdict"], unpaired["note"]) == ("+1.00 points", "inconclusive", "unpaired")


def test_shipped_networks_are_compared_on_texts_that_both_answered():
    row = pair_claim("P", "table 1", "better", "dragg-reversed-sst5", "dragg-sst5", 0.01).row()
    assert (row["here"], row["verdict"]) == ("+1.58 points; dragg-reversed-sst5 over dragg-sst5", "inconclusive")
    assert (row["from"], row["to"]) == (pytest.approx(-0.09, abs=0.01), pytest.approx(3.25, abs=0.01))
    with_other_texts = pair_claim("P", "table 1", "better", "dragg-sst2", "dragg-sst5", 0.01).row()
    assert with_other_texts["verdict"] == "not measured"


def test_a_claim_under_other_conditions_says_why_and_is_not_judged(table):
    measure = difference_claim("P", "table 1", "better", NAME, {"network": "a"}, {"network": "b"}, 0.01).measure
    row = Claim("P", "table 1", "better", "", measure=measure, differs="other toys").row()
    assert (row["verdict"], row["note"]) == ("other conditions", "other toys; unpaired")
    row = Claim("P", "table 1", "better", "", differs="other toys").row()
    assert (row["verdict"], row["note"]) == ("not measured", "")


def test_a_claim_that_cannot_be_measured_says_why():
    row = Claim("P", "table 1", "accuracy", "99%", why="its corpus is not read here").row()
    assert (row["here"], row["verdict"]) == ("its corpus is not read here", "not measured")


def test_a_loss_beyond_chance_decides_before_the_least_certain_gain():
    gains = {1: judge_difference(0.01, 0.03), 2: judge_difference(-0.09, 0.08), 3: judge_difference(-0.02, -0.01)}
    assert [weakest(gains), weakest({n: gains[n] for n in (1, 2)})] == [3, 2]


def test_points_are_percentages():
    assert judge_difference(0.01, 0.03).text == "+2.00 points"
    assert (judge_difference(0.01, 0.03).low, judge_difference(0.01, 0.03).high) == (1.0, 3.0)
