"""The badge of a checkpoint: whether its picture finds what matters, with rule and numbers in a popover."""

import streamlit as st

from core.measured.evidence.badge import BASELINES, FINDS, Badge, badge_of, verdict_on
from core.measured.evidence.record import Evidence
from core.sentences.words import capital, listed
from dashboard.runs import checkpoints
from dashboard.runs.evidence import evidence_of
from dashboard.screen.evidence import NAMES, describe_couplings, points
from dashboard.screen.markdown import escape
from dashboard.screen.measuring import draw_progress, how_to_measure, offer_measuring

NOT_MEASURED = "Nobody has measured yet whether the picture of this network can be believed."
SHARE = """**{share:.0%}** is not a share of the {unit}s. It compares two costs: what the answer loses without the
{unit}s that the picture ranks highest, and what it loses without those that a direct test ranks highest. The first cost
is {share:.0%} of the second. From both, we first subtract the cost of random {unit}s."""
TESTED = "We tested each {unit}'s {ranking} on {sample}."
DECIDING = "The deciding capsule is the one without which the answer loses most."
LOST = """- {way} the {unit}s that the picture ranks highest costs the answer {ours} points more than random {unit}s do.
  For the direct test ({baseline}), it is {theirs} points. The first number is {share:.0%} of the second."""
DIRECT = """The direct test is the better of two that do not use the picture: deleting each {unit} alone, and integrated
gradients, which follow the answer back to each {unit}."""
BASELINES_IN_WORDS = {"integrated gradients": "integrated gradients", "drop-one": "deleting each {unit} alone"}
WAYS = {
    "masked": "Masking (inside the network)",
    "removed": "Removing (from the input)",
}
ONE_WAY = "This network reads each word without its neighbours, so masking a word equals removing it."
ALSO = "Another ranking, by each {unit}'s {ranking}, {verdict}."
OTHER_PICTURE = "This picture was not tested. The badge is about each {unit}'s {ranking}."
UNTESTED = "No picture of this network was tested."
DOMINANT = "The dominant capsule takes most of the words or, in reversed routing, is the longest."
TRAININGS = """This network was trained {n} times by the same recipe, each time with other random numbers
(its card says if anything else differed). The shares are {own} (this training) and {others}."""
ONE_TRAINING = "One training was measured: another one, with other random numbers, may reach another share."
RULE = f"""**The rule** is the same for all networks. We fixed it before anybody looked at the results. Of the two
ways to delete, the badge shows the smaller share. With {FINDS:.0%} or more, the picture *finds* what matters. With
less, it finds *some* of what matters if it beats random {{unit}}s beyond chance in both ways. The badge does not say
that the picture's order is right."""


def draw_badge(name: str, key: str = "badge") -> None:
    """Draw the badge of a network next to its name. Evidence that only an archive states does not count.

    Args:
        name: name of the network.
        key: key of the badge, if a page has more than one.
    """
    evidence = evidence_of(name)
    badge = badge_of(evidence)
    icon = f":material/{_icon_of(badge)}:"
    with st.popover(
        capital(badge.label), icon=icon, type="tertiary", on_change="rerun", key=key, help=_tip_of(badge)
    ) as popover:
        if popover.open:
            if evidence is None:
                _offer_badge(name, f"in {key}")
            for sentence in describe_badge(evidence, badge) if evidence else []:
                st.markdown(sentence)


def draw_title(name: str) -> None:
    """Draw the title of one of several networks on a page, with the text of its badge."""
    st.markdown(f"**{escape(checkpoints.title(name))}** · {escape(capital(badge_of(evidence_of(name)).text))}")


def _icon_of(badge: Badge) -> str:
    """The name of a badge's icon."""
    if not badge.is_measured:
        return "help"
    if badge.share is None:
        return "do_not_disturb_on"
    return "verified" if badge.finds_most else "rule"


def _tip_of(badge: Badge) -> str | None:
    """The tip of a badge with a share; None for another badge."""
    if not badge.range:
        return None
    trainings = f" over {len(badge.trainings)} trainings" if badge.trainings else ""
    found = f"{badge.range}{trainings} of the effect that a direct test finds, not of the {badge.unit}s"
    return f"{found}. Click for the rule."


def _offer_badge(name: str, key: str) -> None:
    """Offer to measure the badge of a user's network, and say how else it can be measured.

    Args:
        name: name of the network.
        key: key of the offer.
    """
    st.markdown(f"{NOT_MEASURED} {how_to_measure(name)}")
    offer_measuring(name, "badge", key=key)
    draw_progress(name, key=key)


def describe_badge(evidence: Evidence, badge: Badge) -> list[str]:
    """Sentences on what was tested, with the numbers behind the badge, and on the rule."""
    unit, of = evidence.unit, evidence.rankings
    tested = TESTED.format(unit=unit, ranking=NAMES[badge.ranking], sample=evidence.sample)
    deciding = DECIDING if badge.ranking == "deciding coupling" else ""
    sentences = [f"{tested} {deciding}".strip(), DIRECT.format(unit=unit).replace("\n", " ")]
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
    share = [] if badge.share is None else [SHARE.format(share=badge.share, unit=unit).replace("\n", " ")]
    return [*share, _say_trainings(badge), *sentences, RULE.format(unit=unit), *filter(None, [also_tested(evidence)])]


def _say_trainings(badge: Badge) -> str:
    """A sentence on the shares of all trainings."""
    if not badge.trainings:
        return ONE_TRAINING
    own, *others = (f"{share:.0%}" for share in badge.trainings)
    return TRAININGS.format(n=len(badge.trainings), own=own, others=listed(others)).replace("\n", " ")


def also_tested(evidence: Evidence) -> str:
    """A line on what else was tested of a network: its other rankings, and other couplings; "" if nothing was."""
    main, unit = evidence.main_ranking(), evidence.unit
    others = [name for name in evidence.rankings["masked"] if name in NAMES and name != main]
    badges = {name: verdict_on(evidence, name) for name in others}
    verdicts = [
        ALSO.format(unit=unit, ranking=NAMES[name], verdict=f"{'is ' * (badge.share is None)}{badge.text}")
        for name, badge in badges.items()
    ]
    parts = [
        *verdicts,
        DOMINANT if "coupling" in others else "",
        describe_couplings(evidence) if evidence.couplings else "",
    ]
    return " ".join(filter(None, parts))


def badge_line(name: str) -> str:
    """A sentence for a picture that draws something else than the badge's ranking: which picture was tested."""
    evidence = evidence_of(name)
    if evidence is None:
        return UNTESTED
    return OTHER_PICTURE.format(unit=evidence.unit, ranking=NAMES[evidence.main_ranking()])
