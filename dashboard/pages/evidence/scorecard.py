"""The rows of the scorecard: one per routing, or one for a single network."""

from collections import Counter
from collections.abc import Mapping, Sequence

from core.measured.evidence.badge import badge_of, range_of
from core.measured.evidence.record import TRAINED, UNIFORM, Estimate, Evidence
from core.measured.evidence.scorecard import QUESTIONS, Reply, finds_what_matters, gains_over_gradients, together
from core.sentences.words import capital, listed
from dashboard.components.scorecard import ReplyCell, ScorecardRow
from dashboard.pages.evidence.texts import (
    COUPLINGS_HURT,
    FINDS,
    GAINS,
    ITERATIONS_HURT,
    NO_ROUTING,
    NOTHING,
    ROUTINGS,
)
from dashboard.runs import checkpoints
from dashboard.runs.evidence import evidence_of
from dashboard.screen.evidence import routing_of


def measured_networks() -> dict[str, list[Evidence]]:
    """The evidence of the networks that were measured here, by routing, in the order of the texts."""
    measured: dict[str, list[Evidence]] = {routing: [] for routing in ROUTINGS}
    for name in checkpoints.known():
        if evidence := evidence_of(name):
            measured.setdefault(routing_of(name), []).append(evidence)
    return {routing: networks for routing, networks in measured.items() if networks}


def rows(measured: Mapping[str, Sequence[Evidence]]) -> list[ScorecardRow]:
    """One row per routing. measured: evidence of its networks."""
    return [
        row_of(ROUTINGS.get(routing, routing), f"{len(networks)} network{'s' * (len(networks) > 1)}", networks)
        for routing, networks in measured.items()
    ]


def row_of(name: str, small: str, networks: Sequence[Evidence]) -> ScorecardRow:
    """The row of some networks.

    Args:
        name, small: as in ``ScorecardRow``.
        networks: evidence of at least one network.
    """
    replies = [[ask(evidence) for evidence in networks] for ask in QUESTIONS.values()]
    cells = [
        ReplyCell(together(given), numbers(networks) if len(networks) == 1 else f"{count(given)}; {numbers(networks)}")
        if set(given) != {Reply.NOT_TESTED}
        else ReplyCell(Reply.NOT_TESTED, NO_ROUTING)
        for given, numbers in zip(replies, (_shares, _gains, _other_couplings, _one_iteration), strict=True)
    ]
    return ScorecardRow(name, small, cells, may_say(replies))


def may_say(replies: Sequence[Sequence[Reply]]) -> str:
    """The sentence that replies allow. replies: those of each network to each of the four questions."""
    found, gains, couplings, iterations = replies
    best = next(reply for reply in Reply if reply in found)
    if best is Reply.NOT_TESTED:
        return NOTHING
    changed = {"other couplings": (couplings, COUPLINGS_HURT), "fewer iterations": (iterations, ITERATIONS_HURT)}
    falls = [
        (_in_how_many(len(given) - given.count(Reply.NO), given).lstrip(), hurts[together(given)])
        for given, hurts in changed.values()
        if together(given) in hurts
    ]
    same = [what for what, (given, _) in changed.items() if together(given) is Reply.NO]
    parts = [
        FINDS[best] + _in_how_many(found.count(best), found),
        GAINS[together(gains)],
        *_falls(falls),
        f"{' and '.join(same)} do about as well" if same else "",
    ]
    return f"{'. '.join(capital(part) for part in parts if part)}."


def _falls(falls: Sequence[tuple[str, str]]) -> list[str]:
    """Clauses on what accuracy falls with, one per number of networks. falls: in how many networks, and with what."""
    by_number: dict[str, list[str]] = {}
    for number, what in falls:
        by_number.setdefault(number, []).append(what)
    return [f"{number}{', ' * bool(number)}accuracy falls {' and '.join(what)}" for number, what in by_number.items()]


def _in_how_many(n: int, replies: Sequence[Reply]) -> str:
    """In how many networks something holds; "" if it holds in all."""
    return "" if n == len(replies) else f" in {n} of {len(replies)} networks"


def summarize(measured: Mapping[str, Sequence[Evidence]]) -> str:
    """A sentence that counts the networks by whether their pictures find the words that matter."""
    n = Counter(finds_what_matters(evidence) for networks in measured.values() for evidence in networks)
    does = {Reply.YES: "the words that matter", Reply.PARTLY: "some of them", Reply.NO: "none of them"}
    parts = [f"{n[reply]} show{'s' * (n[reply] == 1)} {what}" for reply, what in does.items() if n[reply]]
    return f"Of {n.total()} networks of {len(measured)} kinds, {listed(parts)}."


def count(replies: Sequence[Reply]) -> str:
    """The number of networks with each reply, such as "4 networks: yes for 3, partly for 1"."""
    n = Counter(replies)
    if len(n) == 1:
        return "both networks" if len(replies) == 2 else f"all {len(replies)} networks"
    counted = ", ".join(f"{reply} for {n[reply]}" for reply in Reply if n[reply])
    return f"{len(replies)} networks: {counted}"


def _shares(networks: Sequence[Evidence]) -> str:
    """The shares of all badges and trainings; for one network also the points beyond random words."""
    badges = [badge_of(evidence) for evidence in networks]
    of_all = f"{range_of(share for badge in badges for share in badge.shares)} of a direct test's effect"
    if len(networks) > 1:
        return of_all
    (evidence,), (badge,) = networks, badges
    if badge.trainings:
        of_all += f" in {len(badge.trainings)} trainings"
    shares = dict(badge.by_way)
    beyond = evidence.rankings[min(shares, key=shares.__getitem__)][evidence.main_ranking()].over_random
    return f"{of_all}; {in_points(beyond)} compared with random {evidence.unit}s"


def _gains(networks: Sequence[Evidence]) -> str:
    """The cost of deleting the picture's words beyond those of integrated gradients, for each way to delete."""
    gains = [gains_over_gradients(evidence) for evidence in networks]
    if len(networks) > 1:
        return _range([gain for by_way in gains for gain in by_way.values()])
    by_way = gains[0]
    if len(set(by_way.values())) == 1:
        return in_points(next(iter(by_way.values())))
    return ", ".join(f"if {way} {in_points(gain)}" for way, gain in by_way.items())


def _other_couplings(networks: Sequence[Evidence]) -> str:
    """The change of accuracy with the couplings that cost most, and with equal ones."""
    changes = [
        {how: other.change for how, other in network.couplings.items() if how != TRAINED}
        for network in networks
        if network.couplings
    ]
    worst = [min(of_network.values(), key=lambda change: change.mean) for of_network in changes]
    equal = [of_network[UNIFORM] for of_network in changes]
    return (
        f"{_one_or_range(worst)} in accuracy with the couplings that cost most; {_one_or_range(equal)} with equal ones"
    )


def _one_iteration(networks: Sequence[Evidence]) -> str:
    changes = [network.iterations[0].change for network in networks if network.iterations]
    return f"{_one_or_range(changes)} in accuracy with one iteration"


def _one_or_range(changes: Sequence[Estimate]) -> str:
    return in_points(changes[0]) if len(changes) == 1 else _range(changes)


def _range(changes: Sequence[Estimate]) -> str:
    """The smallest and the largest of several changes."""
    means = [100 * change.mean for change in changes]
    ends = [f"{end:+.1f}" for end in (min(means), max(means))]
    return f"from {' to '.join(ends)} points" if ends[0] != ends[1] else f"{ends[0]} points"


def in_points(change: Estimate) -> str:
    """A change in percentage points, with its interval."""
    return f"{100 * change.mean:+.1f} points ({100 * change.low:+.1f} to {100 * change.high:+.1f})"
