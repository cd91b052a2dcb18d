"""The badge: every shipped network's, computed once more from its file, and the rule's cases."""

import json
from dataclasses import replace

import pytest

from core.manifest import PRETRAINED
from core.measured.evidence.badge import badge_of, verdict_on
from core.measured.evidence.record import Evidence

FILES = {path.parent.name: path for path in sorted(PRETRAINED.glob("*/evidence.json"))}


def evidence(name: str) -> Evidence:
    return Evidence.read(json.loads(FILES[name].read_text()))


@pytest.mark.parametrize("name", FILES)
def test_badges_follow_the_rule_of_their_files(name):
    """A second computation, from the stored numbers alone."""
    stored = json.loads(FILES[name].read_text())
    unit, shares, is_better = stored.get("unit", "word"), [], True
    for rankings in stored["rankings"].values():
        shown = "deciding coupling" if "deciding coupling" in rankings else next(iter(rankings))
        over = {key: value["over_random"] for key, value in rankings.items()}
        shares.append(over[shown]["mean"] / max(over["integrated gradients"]["mean"], over["drop-one"]["mean"]))
        is_better &= over[shown]["interval"][0] > 0
    found = (
        f"finds the {unit}s that matter"
        if min(shares) >= 0.5
        else f"finds some {unit}s that matter"
        if is_better
        else None
    )
    expected = f"{found} ({round(100 * min(shares))}% of a direct test)" if found else f"no better than random {unit}s"
    assert badge_of(evidence(name)).text == expected


def test_badges_of_shipped_networks_span_the_verdicts():
    texts = {name: badge_of(evidence(name)).text for name in FILES}
    assert texts["dragg-reversed-sst5"] == "finds the words that matter (87% of a direct test)"
    assert texts["em-smallnorb"] == "finds the places that matter (74% of a direct test)"
    assert texts["dragg-sst5"] == "finds some words that matter (12% of a direct test)"
    assert texts["dragg-flat-imdb"] == "no better than random words"


def test_a_network_without_evidence_is_not_measured():
    assert badge_of(None).text == "not measured"
    assert badge_of(None).share is None


def test_the_rule_judges_other_rankings_too():
    of = evidence("dragg-reversed-sst5")
    assert of.main_ranking() == "deciding coupling"
    assert verdict_on(of, "coupling").share < badge_of(of).share
    assert verdict_on(of, "random").share is None


def test_the_smaller_of_both_shares_decides():
    of = evidence("em-sst5")
    badge = badge_of(of)
    assert badge.share == min(share for _, share in badge.by_way)
    only = replace(of, rankings={"masked": of.rankings["masked"], "removed": of.rankings["masked"]})
    assert badge_of(only).share == dict(badge.by_way)["masked"]
