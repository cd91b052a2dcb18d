"""What was measured over a test split, in plain sentences: whether the words that a picture ranks highest decide."""

from dashboard.runs import checkpoints
from dashboard.runs.evidence import Evidence, Figure

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
LARGELY, PARTLY = 0.6, 0.3  # Kendall's tau from which on two orders agree so
MOSTLY = 0.5  # share of the texts
FEW = 4  # capsules that are named


def points(share: float) -> str:
    """A share in percentage points."""
    return f"{100 * share:.1f}"


def sentences(evidence: Evidence, way: str) -> list[str]:
    """All that was measured of a checkpoint, sentence by sentence.

    Args:
        way: of deleting words, "masked" or "removed".
    """
    measured = [sentence(evidence, way) for sentence in (of_deleting, of_giving, of_order)]
    if evidence.couplings:
        measured += [sentence(evidence) for sentence in (of_couplings, of_iterations)]
    if evidence.capsules:
        measured.append(of_capsules(evidence))
    if evidence.phrases:
        measured.append(f"{of_phrases(evidence)} {evidence.caveat}")
    return measured


def of_deleting(evidence: Evidence, way: str) -> str:
    """What the answer loses without the words that the picture ranks highest, beside random words."""
    unit = f"{evidence.unit}s"
    ranking, random = (evidence.rankings[way][name] for name in (evidence.main_ranking(), RANDOM))
    loss, by_chance = points(ranking.aopc.mean), points(random.aopc.mean)
    how = against_chance(ranking.over_random, "more than", "less than", "within chance of")
    return (
        f"Deleting the {unit} that the picture ranks highest costs the answer {loss} points, {how} random {unit} "
        f"({by_chance})."
    )


def of_giving(evidence: Evidence, way: str) -> str:
    """How sure the answer is as words are given in the order of the picture, beside a random order."""
    ours, random = (evidence.rankings[way][name].insertion for name in (evidence.main_ranking(), RANDOM))
    how = against_chance(apart(ours, random), "more than in", "less than in", "within chance of")
    return (
        f"With {evidence.unit}s given one by one in the picture's order, the answer has {points(ours.mean)} points on "
        f"average over all steps, {how} a random order ({points(random.mean)})."
    )


def apart(ours: Figure, other: Figure) -> Figure:
    """How far two figures are apart, with an interval that contains 0 where theirs overlap."""
    return Figure(ours.mean - other.mean, ours.low - other.high, ours.high - other.low, ours.n)


def against_chance(difference: Figure, more: str, less: str, same: str) -> str:
    """Which of three phrases a difference stands for; ``same`` if it is within chance."""
    if difference.is_within_chance:
        return same
    return more if difference.mean > 0 else less


def of_order(evidence: Evidence, way: str) -> str:
    """Whether the order of the picture is that of what each word's deletion changes."""
    tau = evidence.rankings[way][evidence.main_ranking()].tau
    if tau is None:
        return f"There is no order of {evidence.unit}s to compare."
    size, runs_against = abs(tau.mean), tau.mean < 0
    if tau.is_within_chance:
        how = "agrees no better than chance with"
    elif runs_against:
        how = "runs against" if size >= PARTLY else "runs slightly against"
    else:
        how = f"{'largely' if size >= LARGELY else 'partly' if size >= PARTLY else 'hardly'} agrees with"
    return f"The order of the picture {how} that of deleting each {evidence.unit} alone: tau {tau.mean:.2f}."


def of_couplings(evidence: Evidence) -> str:
    """Whether accuracy depends on the couplings."""
    whose = "another pair's" if evidence.unit == "place" else ANOTHER
    changes = {whose if how == ANOTHER else how: c.change for how, c in evidence.couplings.items() if how != TRAINED}
    trained = evidence.couplings[TRAINED].accuracy.mean
    beyond = [f"{how} {100 * c.mean:+.1f}" for how, c in changes.items() if not c.is_within_chance]
    if not beyond:
        return f"With any other couplings accuracy stays within chance of {trained:.1%}: that they matter is not shown."
    rest = "; with the others it stays within chance" if len(beyond) < len(changes) else ""
    return f"Accuracy is {trained:.1%} as trained; other couplings change it by, in points: {', '.join(beyond)}{rest}."


def of_iterations(evidence: Evidence) -> str:
    """What other numbers of iterations than that of training do to accuracy."""
    trained, last = evidence.trained_iterations, len(evidence.iterations)
    of_trained = evidence.couplings[TRAINED].accuracy.mean
    steps = enumerate(evidence.iterations, 1)
    beyond = [f"{one.accuracy.mean:.1%} with {t}" for t, one in steps if not one.change.is_within_chance]
    start = f"With {trained} iterations, as trained, accuracy is {of_trained:.1%}"
    if not beyond:
        return f"{start}; with any other number from 1 to {last} it stays within chance of that."
    rest = "; the others stay within chance" if len(beyond) < last - 1 else ""
    return f"{start}; beyond chance it differs from {', '.join(beyond)}{rest}."


def of_capsules(evidence: Evidence) -> str:
    """How many capsules are dead, and how many are needed."""
    n = len(evidence.capsules)
    dead, needed = count_capsules(evidence)
    if not needed:
        falls = "stays within chance without any one of them"
    elif len(needed) > FEW:
        falls = f"falls beyond chance without each of {len(needed)} of them"
    else:
        falls = f"falls beyond chance without capsule {' or '.join(map(str, needed))}"
    how_many = f"{dead or 'none'} {'is' if dead == 1 else 'are'} dead on most {evidence.samples}"
    return f"Of {n} capsules {how_many}; accuracy {falls}."


def count_capsules(evidence: Evidence) -> tuple[int, list[int]]:
    """How many capsules are dead on most samples, and those without which accuracy falls beyond chance, from 1."""
    dead = sum(capsule.dead.mean > MOSTLY for capsule in evidence.capsules)
    return dead, [j for j, one in enumerate(evidence.capsules, 1) if one.without.change.high < 0]


def of_phrases(evidence: Evidence) -> str:
    """Whether the picture ranks high what people marked."""
    ours, random = (evidence.phrases[name] for name in (evidence.main_ranking(), RANDOM))
    how = against_chance(
        ours.over_random, "higher than at random", "lower than at random", "as high as at random, within chance"
    )
    precision = f"average precision {ours.average_precision.mean:.2f} against {random.average_precision.mean:.2f}"
    return f"Words of phrases labelled with sentiment stand {how}: {precision}."


def short(difference: Figure, scale: float = 100) -> str:
    """A difference as a number, with its sign, and whether it is within chance."""
    number = f"{scale * difference.mean:+.{1 if scale == 100 else 2}f}"
    return f"{number}, within chance" if difference.is_within_chance else number


def routing_of(name: str) -> str:
    """What a checkpoint weighs words by, in a word or two."""
    return checkpoints.record_of(name).weighs_by(checkpoints.about(name).model)
