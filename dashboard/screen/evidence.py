"""Plain sentences on the evidence of a checkpoint, measured over a test split."""

from core.measured.evidence.record import Estimate, Evidence
from dashboard.runs import checkpoints

NAMES = {
    "coupling": "coupling to the winning capsule",
    "deciding coupling": "coupling to the deciding capsule",
    "contribution": "contribution to the features, by their coupling",
    "credit": "credit through both routings",
    "D_use": "D_use through both routings",
    "attention": "mean attention",
    "evidence": "evidence of its position",
}
RANDOM = "random"
TRAINED, ANOTHER = "trained", "another text's"
LARGELY, PARTLY = 0.6, 0.3  # smallest Kendall's tau of two orders that agree largely, or partly
MOSTLY = 0.5  # a larger share of the texts is most of them
MAX_NAMED = 4  # largest number of capsules that are named


def points(share: float) -> str:
    """A share in percentage points."""
    return f"{100 * share:.1f}"


def sentences(evidence: Evidence, way: str) -> list[str]:
    """Sentences on all evidence of a checkpoint.

    Args:
        evidence: evidence of the checkpoint.
        way: way to delete words, "masked" or "removed".
    """
    measured = [describe(evidence, way) for describe in (describe_deleting, describe_giving, describe_order)]
    if evidence.couplings:
        measured += [describe(evidence) for describe in (describe_couplings, describe_iterations)]
    if evidence.capsules:
        measured.append(describe_capsules(evidence))
    if evidence.phrases:
        measured.append(f"{describe_phrases(evidence)} {evidence.caveat}")
    return measured


def describe_deleting(evidence: Evidence, way: str) -> str:
    """A sentence on the answer without the words that the picture ranks highest, compared with random words."""
    unit = f"{evidence.unit}s"
    ranking, random = (evidence.rankings[way][name] for name in (evidence.main_ranking(), RANDOM))
    loss, by_chance = points(ranking.aopc.mean), points(random.aopc.mean)
    how = against_chance(ranking.over_random, "more than", "less than", "within chance of")
    return (
        f"Deleting the {unit} that the picture ranks highest costs the answer {loss} points, {how} random {unit} "
        f"({by_chance})."
    )


def describe_giving(evidence: Evidence, way: str) -> str:
    """A sentence on the answer as words are given in the picture's order, compared with a random order."""
    ours, random = (evidence.rankings[way][name].insertion for name in (evidence.main_ranking(), RANDOM))
    how = against_chance(subtract(ours, random), "more than in", "less than in", "within chance of")
    return (
        f"With {evidence.unit}s given one by one in the picture's order, the answer has {points(ours.mean)} points on "
        f"average over all steps, {how} a random order ({points(random.mean)})."
    )


def subtract(ours: Estimate, other: Estimate) -> Estimate:
    """The difference of two figures, with an interval that contains 0 if their intervals overlap."""
    return Estimate(ours.mean - other.mean, ours.low - other.high, ours.high - other.low, ours.n)


def against_chance(difference: Estimate, more: str, less: str, same: str) -> str:
    """The phrase for a difference: ``more`` or ``less`` by its sign, or ``same`` if it is within chance."""
    if difference.is_within_chance:
        return same
    return more if difference.mean > 0 else less


def describe_order(evidence: Evidence, way: str) -> str:
    """A sentence that compares the picture's order with the order by the effect of deleting each word."""
    tau = evidence.rankings[way][evidence.main_ranking()].tau
    if tau is None:
        return f"There is no order of {evidence.unit}s to compare."
    size, runs_against = abs(tau.mean), tau.mean < 0
    if tau.is_within_chance:
        relation = "agrees no better than chance with"
    elif runs_against:
        relation = "runs against" if size >= PARTLY else "runs slightly against"
    else:
        relation = f"{'largely' if size >= LARGELY else 'partly' if size >= PARTLY else 'hardly'} agrees with"
    return f"The order of the picture {relation} that of deleting each {evidence.unit} alone: tau {tau.mean:.2f}."


def describe_couplings(evidence: Evidence) -> str:
    """A sentence on whether accuracy depends on the couplings."""
    another = "another pair's" if evidence.unit == "place" else ANOTHER
    changes = {another if how == ANOTHER else how: c.change for how, c in evidence.couplings.items() if how != TRAINED}
    trained = evidence.couplings[TRAINED].accuracy.mean
    beyond = [f"{how} {100 * c.mean:+.1f}" for how, c in changes.items() if not c.is_within_chance]
    if not beyond:
        return f"With any other couplings accuracy stays within chance of {trained:.1%}: that they matter is not shown."
    rest = "; with the others it stays within chance" if len(beyond) < len(changes) else ""
    return f"Accuracy is {trained:.1%} as trained; other couplings change it by, in points: {', '.join(beyond)}{rest}."


def describe_iterations(evidence: Evidence) -> str:
    """A sentence on accuracy with other numbers of iterations than in training."""
    trained, last = evidence.trained_iterations, len(evidence.iterations)
    as_trained = evidence.couplings[TRAINED].accuracy.mean
    steps = enumerate(evidence.iterations, 1)
    beyond = [f"{one.accuracy.mean:.1%} with {t}" for t, one in steps if not one.change.is_within_chance]
    start = f"With {trained} iterations, as trained, accuracy is {as_trained:.1%}"
    if not beyond:
        return f"{start}; with any other number from 1 to {last} it stays within chance of that."
    rest = "; the others stay within chance" if len(beyond) < last - 1 else ""
    return f"{start}; beyond chance it differs from {', '.join(beyond)}{rest}."


def describe_capsules(evidence: Evidence) -> str:
    """A sentence on dead and on needed capsules."""
    n = len(evidence.capsules)
    dead, needed = count_capsules(evidence)
    if not needed:
        falls = "stays within chance without any one of them"
    elif len(needed) > MAX_NAMED:
        falls = f"falls beyond chance without each of {len(needed)} of them"
    else:
        falls = f"falls beyond chance without capsule {' or '.join(map(str, needed))}"
    how_many = f"{dead or 'none'} {'is' if dead == 1 else 'are'} dead on most {evidence.samples}"
    return f"Of {n} capsules {how_many}; accuracy {falls}."


def count_capsules(evidence: Evidence) -> tuple[int, list[int]]:
    """The number of capsules that are dead on most samples, and the numbers from 1 of those that accuracy needs."""
    dead = sum(capsule.dead.mean > MOSTLY for capsule in evidence.capsules)
    return dead, [j for j, one in enumerate(evidence.capsules, 1) if one.without.change.high < 0]


def describe_phrases(evidence: Evidence) -> str:
    """A sentence on whether the picture ranks the words high that people marked."""
    ours, random = (evidence.phrases[name] for name in (evidence.main_ranking(), RANDOM))
    how = against_chance(
        ours.over_random, "higher than at random", "lower than at random", "as high as at random, within chance"
    )
    precision = f"average precision {ours.average_precision.mean:.2f} against {random.average_precision.mean:.2f}"
    return f"Words of phrases labelled with sentiment stand {how}: {precision}."


def short_text(difference: Estimate, scale: float = 100) -> str:
    """A difference as a signed number, with a note if it is within chance."""
    number = f"{scale * difference.mean:+.{1 if scale == 100 else 2}f}"
    return f"{number}, within chance" if difference.is_within_chance else number


def routing_of(name: str) -> str:
    """The way in which a checkpoint weighs words, such as its routing, in a word or two."""
    return checkpoints.record_of(name).weighs_by(checkpoints.about(name).model)
