"""The badge of a network: whether the parts that its picture shades are those that its answer depends on.

There is one rule for all networks, and it was chosen before its results were looked at. Evidence ranks the parts of
each text in several ways and deletes the highest parts, in two ways. For each way to delete, a ranking's effect is the
drop of the answer's probability beyond the drop with random parts. The effect of the ranking that the page opens on is
divided by the larger of two others: that of integrated gradients, and that of dropping each part once. The badge shows
the smaller of the two shares.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from core.measured.evidence.record import Evidence, Ranking

FINDS = 0.5  # share from which on a picture finds what matters
BASELINES = ("integrated gradients", "drop-one")
OPENS_ON = ("deciding coupling",)  # rankings that a page opens on, if the evidence has them, instead of the first one

FINDS_MOST, FINDS_SOME = "finds the {unit}s that matter", "finds some of the {unit}s that matter"
NO_BETTER = "no better than random {unit}s"
NOT_MEASURED = "not measured"


@dataclass(frozen=True)
class Badge:
    """A verdict on one ranking of a network.

    Args:
        verdict: verdict in words.
        ranking: name of the ranking; "" if nothing is measured.
        share: effect of the ranking as a share of the larger baseline's, the smaller one of both ways to delete; None
            if the ranking is no better than a random one, or nothing is measured.
        by_way: this share for each way to delete, "masked" and "removed".
    """

    verdict: str
    ranking: str = ""
    share: float | None = None
    by_way: tuple[tuple[str, float], ...] = ()

    @property
    def text(self) -> str:
        """The badge in one line, such as "finds the words that matter, 87%"."""
        return self.verdict if self.share is None else f"{self.verdict}, {self.share:.0%}"


def badge_of(evidence: Evidence | None) -> Badge:
    """The badge of a network, on the ranking that its page opens on."""
    return Badge(NOT_MEASURED) if evidence is None else verdict_on(evidence, shown_ranking(evidence))


def shown_ranking(evidence: Evidence) -> str:
    """The name of the ranking that a network's page opens on."""
    return next((name for name in OPENS_ON if name in evidence.rankings["masked"]), evidence.main_ranking())


def verdict_on(evidence: Evidence, ranking: str) -> Badge:
    """Apply the rule to any ranking in the evidence of a network."""
    by_way = tuple((way, _share(of_way, ranking)) for way, of_way in evidence.rankings.items())
    share = min(share for _, share in by_way)
    is_better = all(of_way[ranking].over_random.low > 0 for of_way in evidence.rankings.values())
    if share >= FINDS:
        verdict = FINDS_MOST
    elif is_better:
        verdict = FINDS_SOME
    else:
        return Badge(NO_BETTER.format(unit=evidence.unit), ranking, None, by_way)
    return Badge(verdict.format(unit=evidence.unit), ranking, share, by_way)


def _share(rankings: Mapping[str, Ranking], ranking: str) -> float:
    """The effect of a ranking, as a share of that of the better baseline; 0 if no baseline has an effect."""
    best = max((rankings[name].over_random.mean for name in BASELINES if name in rankings), default=0.0)
    return rankings[ranking].over_random.mean / best if best > 0 else 0.0
