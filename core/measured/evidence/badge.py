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

FINDS_MOST, FINDS_SOME = "finds the {unit}s that matter", "finds some {unit}s that matter"
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
        n: number of samples whose parts were ranked and deleted.
        unit: name of the parts, in the singular.
    """

    verdict: str
    ranking: str = ""
    share: float | None = None
    by_way: tuple[tuple[str, float], ...] = ()
    n: int = 0
    unit: str = "word"

    @property
    def is_measured(self) -> bool:
        """Whether there is a verdict on a picture at all."""
        return bool(self.ranking)

    @property
    def finds_most(self) -> bool:
        """Whether the picture finds the parts that matter, and not only some of them."""
        return self.share is not None and self.share >= FINDS

    @property
    def text(self) -> str:
        """The badge in one line, such as "finds the words that matter (87% of a direct test)"."""
        return self.verdict if self.share is None else f"{self.verdict} ({self.of_direct_test})"

    @property
    def of_direct_test(self) -> str:
        """The share and what it is a share of; "" if there is none."""
        return "" if self.share is None else f"{self.share:.0%} of a direct test"


def badge_of(evidence: Evidence | None) -> Badge:
    """The badge of a network, on the ranking that its page opens on."""
    return Badge(NOT_MEASURED) if evidence is None else verdict_on(evidence, evidence.main_ranking())


def verdict_on(evidence: Evidence, ranking: str) -> Badge:
    """Apply the rule to any ranking in the evidence of a network."""
    by_way = tuple((way, _share(of_way, ranking)) for way, of_way in evidence.rankings.items())
    share = min(share for _, share in by_way)
    is_better = all(of_way[ranking].over_random.low > 0 for of_way in evidence.rankings.values())
    verdict = FINDS_MOST if share >= FINDS else FINDS_SOME if is_better else NO_BETTER
    n = evidence.rankings["masked"][ranking].over_random.n
    shown_share = None if verdict == NO_BETTER else share
    return Badge(verdict.format(unit=evidence.unit), ranking, shown_share, by_way, n, evidence.unit)


def _share(rankings: Mapping[str, Ranking], ranking: str) -> float:
    """The effect of a ranking, as a share of that of the better baseline; 0 if no baseline has an effect."""
    best = max((rankings[name].over_random.mean for name in BASELINES if name in rankings), default=0.0)
    return rankings[ranking].over_random.mean / best if best > 0 else 0.0
