"""The badge of a network: whether the parts that its picture shades are those that its answer depends on.

There is one rule for all networks, and it was chosen before its results were looked at. Evidence ranks the parts of
each text in several ways and deletes the highest parts, in two ways. For each way to delete, a ranking's effect is the
drop of the answer's probability beyond the drop with random parts. The effect of the ranking that the page opens on is
divided by the larger of two others: that of integrated gradients, and that of dropping each part once. The badge shows
the smaller of the two shares.

If other trainings of the network were measured, the badge shows the range of this share over all of them. If their
verdicts differ, it says that the picture depends on the training.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core.measured.evidence.record import Estimate, Evidence

FINDS = 0.5  # share from which on a picture finds what matters
BASELINES = ("integrated gradients", "drop-one")

OverRandom = Mapping[str, Mapping[str, Estimate]]  # by way to delete and by ranking
FINDS_MOST, FINDS_SOME = "finds the {unit}s that matter", "finds some {unit}s that matter"
NO_BETTER = "no better than random {unit}s"
NOT_MEASURED = "not measured"
DEPENDS = "depends on the training"


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
        trainings: the shares of all trainings, this one first; empty if only one was measured.
    """

    verdict: str
    ranking: str = ""
    share: float | None = None
    by_way: tuple[tuple[str, float], ...] = ()
    n: int = 0
    unit: str = "word"
    trainings: tuple[float, ...] = ()

    @property
    def is_measured(self) -> bool:
        """Whether there is a verdict on a picture at all."""
        return bool(self.ranking)

    @property
    def is_no_better(self) -> bool:
        """Whether the picture was tested and is no better than random parts."""
        return self.is_measured and self.verdict == NO_BETTER.format(unit=self.unit)

    @property
    def finds_most(self) -> bool:
        """Whether the picture finds the parts that matter, and not only some of them."""
        return self.share is not None and min((self.share, *self.trainings)) >= FINDS

    @property
    def text(self) -> str:
        """The badge in one line, such as "finds the words that matter (87% of a direct test)"."""
        trainings = f", {len(self.trainings)} trainings" if self.trainings else ""
        return f"{self.verdict} ({self.of_direct_test}{trainings})" if self.of_direct_test else self.verdict

    @property
    def label(self) -> str:
        """The badge without the number of trainings, for places with little room."""
        return f"{self.verdict} ({self.of_direct_test})" if self.of_direct_test else self.verdict

    @property
    def of_direct_test(self) -> str:
        """The share, or its range over trainings, and what it is a share of; "" if there is none."""
        return f"{self.range} of a direct test" if self.range else ""

    @property
    def range(self) -> str:
        """The share in percent, or its range over trainings; "" if there is none."""
        if not self.trainings:
            return "" if self.share is None else f"{self.share:.0%}"
        return range_of(self.shares) if self.has_share else ""

    @property
    def shares(self) -> tuple[float, ...]:
        """The share of each training that was measured, at least 0; empty if nothing is measured."""
        own = [min(share for _, share in self.by_way)] if self.by_way else []
        return tuple(max(0.0, share) for share in self.trainings or own)

    @property
    def has_share(self) -> bool:
        """Whether the picture of any training is better than a random one."""
        return self.share is not None or self.verdict == DEPENDS


def range_of(shares: Iterable[float]) -> str:
    """The smallest and the largest share in percent; one number if both are the same when rounded."""
    found = sorted(shares)
    return " to ".join(dict.fromkeys(f"{share:.0%}" for share in (found[0], found[-1])))


def badge_of(evidence: Evidence | None) -> Badge:
    """The badge of a network, on the ranking that its page opens on."""
    return Badge(NOT_MEASURED) if evidence is None else verdict_on(evidence, evidence.main_ranking())


def verdict_on(evidence: Evidence, ranking: str) -> Badge:
    """Apply the rule to any ranking in the evidence of a network."""
    over_random = {
        way: {name: its.over_random for name, its in of_way.items()} for way, of_way in evidence.rankings.items()
    }
    by_way, verdict = _judge(over_random, ranking)
    share = min(share for _, share in by_way)
    others = evidence.trainings if ranking == evidence.main_ranking() else ()
    trainings = [_judge(other.over_random, ranking) for other in others]
    shares = (share, *(min(share for _, share in theirs) for theirs, _ in trainings)) if trainings else ()
    shown = DEPENDS if any(theirs != verdict for _, theirs in trainings) else verdict.format(unit=evidence.unit)
    n = over_random["masked"][ranking].n
    return Badge(shown, ranking, None if verdict == NO_BETTER else share, by_way, n, evidence.unit, shares)


def _judge(over_random: OverRandom, ranking: str) -> tuple[tuple[tuple[str, float], ...], str]:
    """A ranking's share for each way to delete, and the verdict of one training."""
    by_way = tuple((way, _share(of_way, ranking)) for way, of_way in over_random.items())
    is_better = all(of_way[ranking].low > 0 for of_way in over_random.values())
    finds_most = min(share for _, share in by_way) >= FINDS
    return by_way, FINDS_MOST if finds_most else FINDS_SOME if is_better else NO_BETTER


def _share(over_random: Mapping[str, Estimate], ranking: str) -> float:
    """The effect of a ranking, as a share of that of the better baseline; 0 if no baseline has an effect."""
    best = max((over_random[name].mean for name in BASELINES if name in over_random), default=0.0)
    return over_random[ranking].mean / best if best > 0 else 0.0
