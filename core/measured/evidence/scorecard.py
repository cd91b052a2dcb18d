"""The scorecard: the same four questions to every network and routing, answered by fixed rules from their evidence."""

from collections.abc import Callable, Iterable
from enum import StrEnum

from core.measured.evidence.badge import badge_of
from core.measured.evidence.record import TRAINED, Estimate, Evidence

GRADIENTS = "integrated gradients"
RULES = {  # each question, with its rule in words
    "Finds the words that matter?": """Yes if the badge says that the picture finds the words that matter, partly if it
finds some of them, no if it does no better than random words.""",
    "Beats integrated gradients?": """Yes if the answer loses more without the picture's top words than without
the top words of integrated gradients, in both ways to delete. Partly if this holds in one way, no if in neither. It
holds if the two intervals do not overlap.""",
    "Do the couplings matter?": """Yes if accuracy falls beyond chance with all other couplings that we tried: equal
ones, those of iteration 1, shuffled ones, random ones, and those of another text. Partly if it falls with some of
them, no if with none.""",
    "Are iterations needed?": """Yes if accuracy falls beyond chance with every number of iterations that is smaller
than in training. Partly if it falls with some of these numbers, no if with none.""",
}


class Reply(StrEnum):
    """An answer to a question of the scorecard."""

    YES = "yes"
    PARTLY = "partly"
    NO = "no"
    NOT_TESTED = "not tested"


def finds_what_matters(evidence: Evidence) -> Reply:
    """Whether the picture finds the words that matter, as its badge says."""
    badge = badge_of(evidence)
    if badge.finds_most:
        return Reply.YES
    return Reply.NO if badge.share is None else Reply.PARTLY


def beats_gradients(evidence: Evidence) -> Reply:
    """Whether deleting the picture's words costs more than deleting those of integrated gradients."""
    return _how_many(gain.low > 0 for gain in gains_over_gradients(evidence).values())


def gains_over_gradients(evidence: Evidence) -> dict[str, Estimate]:
    """For each way to delete, the cost of the picture's words beyond those of integrated gradients."""
    return {
        way: subtract(rankings[evidence.main_ranking()].over_random, rankings[GRADIENTS].over_random)
        for way, rankings in evidence.rankings.items()
        if GRADIENTS in rankings
    }


def couplings_matter(evidence: Evidence) -> Reply:
    """Whether accuracy falls with other couplings."""
    return _how_many(other.change.high < 0 for how, other in evidence.couplings.items() if how != TRAINED)


def iterations_needed(evidence: Evidence) -> Reply:
    """Whether accuracy falls with fewer iterations than in training."""
    fewer = evidence.iterations[: (evidence.trained_iterations or 1) - 1]
    return _how_many(one.change.high < 0 for one in fewer)


QUESTIONS: dict[str, Callable[[Evidence], Reply]] = dict(
    zip(RULES, (finds_what_matters, beats_gradients, couplings_matter, iterations_needed), strict=True)
)


def together(replies: Iterable[Reply]) -> Reply:
    """The reply for several networks: theirs if they have the same one, or else partly. Untested ones do not count."""
    different = set(replies) - {Reply.NOT_TESTED}
    if not different:
        return Reply.NOT_TESTED
    return different.pop() if len(different) == 1 else Reply.PARTLY


def subtract(ours: Estimate, other: Estimate) -> Estimate:
    """The difference of two figures, with an interval that contains 0 if their intervals overlap."""
    return Estimate(ours.mean - other.mean, ours.low - other.high, ours.high - other.low, ours.n)


def _how_many(tests: Iterable[bool]) -> Reply:
    """Yes if all tests are passed, partly if some are, no if none is; not tested if there is no test."""
    passed = list(tests)
    if not passed:
        return Reply.NOT_TESTED
    return Reply.YES if all(passed) else Reply.PARTLY if any(passed) else Reply.NO
