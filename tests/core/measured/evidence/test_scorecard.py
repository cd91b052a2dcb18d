"""The scorecard: every shipped network's replies, computed once more from its file, and the rule for several."""

import json

import pytest

from core.manifest import PRETRAINED
from core.measured.evidence.record import Evidence
from core.measured.evidence.scorecard import QUESTIONS, RULES, Reply, together

FILES = {path.parent.name: path for path in sorted(PRETRAINED.glob("*/evidence.json"))}


@pytest.mark.parametrize("name", FILES)
def test_replies_follow_the_rules_of_their_files(name):
    """A second computation, from the stored numbers alone."""
    stored = json.loads(FILES[name].read_text())
    found, beaten = [], []
    for rankings in stored["rankings"].values():
        over = {key: value["over_random"] for key, value in rankings.items()}
        ours = over.get("deciding coupling") or next(iter(over.values()))
        theirs = max(over["integrated gradients"]["mean"], over["drop-one"]["mean"])
        found.append((ours["mean"] / theirs >= 0.5) + (ours["mean"] / theirs >= 0.5 or ours["interval"][0] > 0))
        beaten.append(ours["interval"][0] > over["integrated gradients"]["interval"][1])
    falls = [one["change"]["interval"][1] < 0 for how, one in stored.get("couplings", {}).items() if how != "trained"]
    fewer = [one["change"]["interval"][1] < 0 for one in stored.get("iterations", [])[:2]]
    count = {0: "no", len(falls): "yes"} | dict.fromkeys(range(1, len(falls)), "partly")
    expected = [
        ["no", "partly", "yes"][min(found)],
        ["no", "partly", "yes"][sum(beaten)],
        count[sum(falls)] if falls else "not tested",
        ["no", "partly", "yes"][sum(fewer)] if fewer else "not tested",
    ]
    evidence = Evidence.read(stored)
    assert [reply(evidence) for reply in QUESTIONS.values()] == expected


def test_networks_that_differ_make_partly_without_untested_ones():
    yes, partly, no, untested = Reply
    assert together([yes, yes]) == yes
    assert together([yes, untested]) == yes
    assert together([yes, no]) == together([yes, partly]) == together([partly]) == partly
    assert together([untested]) == together([]) == untested
    assert set(RULES) == set(QUESTIONS)
