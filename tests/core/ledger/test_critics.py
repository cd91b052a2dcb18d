"""The claims of the critics of routing."""

import numpy as np
import pytest

from core import ledger
from core.ledger import critics
from core.measured import store

CLAIMS = {claim.claim: claim for claim in critics.CLAIMS}


def rows(text):
    """The rows of the claims that contain a text."""
    return [claim.row() for name, claim in CLAIMS.items() if text in name]


def test_no_routing_can_tell_votes_from_negated_votes():
    judged = rows("negated votes")
    assert len(judged) == 4
    assert {row["verdict"] for row in judged} == {"reproduced"}


def kept(between, idle):
    """Kept arrays of units with these measures."""
    return {"between": np.array(between), "idle": np.array(idle)}


@pytest.mark.parametrize(
    ("between", "verdict", "text"),
    [
        ([0.1, 0.2], "reproduced", "15% of the variance between texts; over 2 capsules 10% to 20%"),
        ([0.1, 0.6], "does not hold", "35% of the variance between texts; over 2 capsules 10% to 60%"),
    ],
)
def test_couplings_are_static_if_words_explain_them(monkeypatch, between, verdict, text):
    monkeypatch.setattr(store, "read", lambda quantity, name: kept(between, [0, 0]))
    (row,) = rows("couplings of standard routing are static")
    assert (row["verdict"], row["here"]) == (verdict, text)


@pytest.mark.parametrize(("idle", "verdict", "n"), [([0.6, 0], "reproduced", 1), ([0.4, 0], "does not hold", 0)])
def test_activations_vanish_if_a_unit_does_nothing_in_most_texts(monkeypatch, idle, verdict, n):
    monkeypatch.setattr(store, "read", lambda quantity, name: kept([0, 0], idle))
    (row,) = rows("some units of standard routing")
    assert (row["verdict"], row["here"]) == (verdict, f"{n} of 2 capsules do nothing in most texts")


def test_nothing_is_said_without_measurements(monkeypatch):
    monkeypatch.setattr(store, "read", lambda quantity, name: None)
    monkeypatch.setattr(critics, "evidence_of", lambda name: None)
    judged = [*rows("static"), *rows("vanish"), *rows("Parse trees")]
    assert {row["verdict"] for row in judged} == {"not measured"}


def test_equal_couplings_cost_reversed_routing_and_em_accuracy():
    verdicts = {row["claim"].rpartition(", ")[2]: row["verdict"] for row in rows("Parse trees")}
    assert verdicts["reversed routing answers as well"] == verdicts["EM routing answers as well"] == "does not hold"
    assert verdicts["standard routing answers as well"] == "reproduced"


def test_the_critics_are_in_the_ledger():
    assert len(ledger.read("Critics")) == len(critics.CLAIMS)
