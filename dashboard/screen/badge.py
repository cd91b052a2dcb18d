"""The badge of a checkpoint: whether its picture finds the words that matter, with rule and numbers in a popover."""

import streamlit as st

from core.measured.evidence.badge import BASELINES, FINDS, Badge, badge_of, verdict_on
from core.measured.evidence.record import Evidence
from dashboard.runs.evidence import evidence_of
from dashboard.screen.evidence import NAMES, describe_couplings, points

ICONS = {"finds the": "verified", "finds some": "rule", "no better": "do_not_disturb_on", "not measured": "help"}
NOT_MEASURED = """Nobody has measured yet whether the picture of this network can be believed. This command does, on the
official test split: `python -m core evidence {name} --data DIR`."""
TESTED = "Tested: each {unit}'s {ranking}, which is one way to read the picture, over {sample}."
LOST = """- {way}, the answer loses {ours} points more than with random {unit}s. {baseline} reaches {theirs}, so the
  share is {share:.0%}."""
BASELINES_IN_WORDS = {"integrated gradients": "Integrated gradients", "drop-one": "Dropping each {unit} once"}
WAYS = {
    "masked": "With the highest {unit}s masked inside the network",
    "removed": "With the highest {unit}s removed from what it reads",
}
ONE_WAY = "This network reads no word around another, so masking a word is the same as removing it."
ALSO = "Tested too: {ranking} {verdict}."
RULE = f"""**The rule** is the same for all networks, and was fixed before anybody looked at its results. The badge
shows the smaller share. From {FINDS:.0%} on, the picture *finds* what matters. Below that, it finds *some* of it if
every gain over random is beyond chance. The badge does not say that the picture's order is right."""


def draw_badge(name: str) -> None:
    """Draw the badge of a checkpoint in the sidebar. Evidence that only an archive states does not count."""
    evidence = evidence_of(name)
    badge = badge_of(evidence)
    icon = next(icon for start, icon in ICONS.items() if badge.text.startswith(start))
    label = f"{badge.text[0].upper()}{badge.text[1:]}"
    with st.sidebar.popover(
        label, icon=f":material/{icon}:", type="tertiary", on_change="rerun", key="badge"
    ) as popover:
        if popover.open:
            for sentence in describe_badge(evidence, badge) if evidence else [NOT_MEASURED.format(name=name)]:
                st.markdown(sentence)


def describe_badge(evidence: Evidence, badge: Badge) -> list[str]:
    """Sentences on what was tested, with the numbers behind the badge, and on the rule."""
    unit, of = evidence.unit, evidence.rankings
    sentences = [TESTED.format(unit=unit, ranking=NAMES[badge.ranking], sample=evidence.sample)]
    has_one_way = of["masked"] == of["removed"]
    for way, share in badge.by_way[:1] if has_one_way else badge.by_way:
        baseline = max((name for name in BASELINES if name in of[way]), key=lambda name: of[way][name].over_random.mean)
        sentences.append(
            LOST.format(
                way=WAYS[way].format(unit=unit),
                ours=points(of[way][badge.ranking].over_random.mean),
                unit=unit,
                baseline=BASELINES_IN_WORDS[baseline].format(unit=unit),
                theirs=points(of[way][baseline].over_random.mean),
                share=share,
            )
        )
    if has_one_way:
        sentences.append(ONE_WAY)
    others = [name for name in of["masked"] if name in NAMES and name != badge.ranking]
    sentences += [ALSO.format(ranking=NAMES[name], verdict=verdict_on(evidence, name).text) for name in others]
    if evidence.couplings:
        sentences.append(describe_couplings(evidence))
    return [*sentences, RULE]
