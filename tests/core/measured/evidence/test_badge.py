"""The badge: every shipped network's, computed once more from its file, and the rule's cases."""

import json
from dataclasses import replace

import pytest

from core.manifest import PRETRAINED
from core.measured.evidence.badge import BASELINES, badge_of, verdict_on
from core.measured.evidence.record import Estimate, Evidence, OtherTraining

FILES = {path.parent.name: path for path in sorted(PRETRAINED.glob("*/evidence.json"))}


def evidence(name: str) -> Evidence:
    return Evidence.read(json.loads(FILES[name].read_text()))


@pytest.mark.parametrize("name", FILES)
def test_badges_follow_the_rule_of_their_files(name):
    """A second computation, from the stored numbers alone."""
    stored = json.loads(FILES[name].read_text())
    unit, found, percents = stored.get("unit", "word"), [], []
    for training in (stored, *stored.get("trainings", [])):
        shares, is_better = [], True
        for rankings in training["rankings"].values():
            shown = "deciding coupling" if "deciding coupling" in rankings else next(iter(stored["rankings"]["masked"]))
            over = {key: value["over_random"] for key, value in rankings.items()}
            shares.append(over[shown]["mean"] / max(over["integrated gradients"]["mean"], over["drop-one"]["mean"]))
            is_better &= over[shown]["interval"][0] > 0
        some = "finds some" if is_better else "no better than"
        found.append("finds the" if min(shares) >= 0.5 else some)
        percents.append(max(0, round(100 * min(shares))))
    end = f"random {unit}s" if found[0] == "no better than" else f"{unit}s that matter"
    verdict = f"{found[0]} {end}" if len(set(found)) == 1 else "depends on the training"
    share = f"{percents[0]}% of a direct test"
    if len(found) > 1:
        ends = " to ".join(f"{end}%" for end in sorted({min(percents), max(percents)}))
        share = f"{ends} of a direct test, {len(found)} trainings"
    has_share = set(found) != {"no better than"}
    assert badge_of(evidence(name)).text == verdict + f" ({share})" * has_share


def other(seed: int, of: Evidence, factor: float) -> OtherTraining:
    """A training whose picture has this factor of the effect that the given network's has."""
    main = of.main_ranking()
    over_random = {
        way: {name: its.over_random for name, its in of_way.items() if name in (main, *BASELINES)}
        for way, of_way in of.rankings.items()
    }
    for of_way in over_random.values():
        its = of_way[main]
        of_way[main] = Estimate(its.mean * factor, its.low * factor, its.high * factor, its.n)
    return OtherTraining(seed, "", 0.5, 0.5, over_random)


@pytest.mark.parametrize(
    ("factors", "text"),
    [
        ((0.9, 0.8), "finds the words that matter (70% to 87% of a direct test, 3 trainings)"),
        ((1.0, 1.0), "finds the words that matter (87% of a direct test, 3 trainings)"),
        ((0.9, 0.2), "depends on the training (17% to 87% of a direct test, 3 trainings)"),
        ((-0.1, 1.0), "depends on the training (0% to 87% of a direct test, 3 trainings)"),
    ],
)
def test_a_badge_over_three_trainings_has_their_range(factors, text):
    of = replace(evidence("dragg-reversed-sst5"), trainings=())
    badge = badge_of(replace(of, trainings=tuple(other(k, of, factor) for k, factor in enumerate(factors, 1))))
    assert badge.text == text
    assert badge.share == badge_of(of).share
    assert badge.finds_most == text.startswith("finds the")


def test_badges_of_shipped_networks_span_the_verdicts():
    texts = {name: badge_of(evidence(name)).text for name in FILES}
    assert texts["dragg-reversed-sst5"] == "finds the words that matter (86% to 90% of a direct test, 3 trainings)"
    assert texts["em-smallnorb"] == "finds the places that matter (55% of a direct test)"
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
