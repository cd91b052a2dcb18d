"""Plain sentences on the evidence of a checkpoint, measured over a test split."""

from collections.abc import Mapping

from core.analysis.faithfulness import TextCurves
from core.measured.evidence.badge import Badge
from core.measured.evidence.record import Estimate, Evidence, opened_on
from core.measured.evidence.scorecard import subtract
from core.sentences.words import listed
from dashboard.runs import checkpoints
from dashboard.screen.unit_link import name_unit

NAMES = {  # each ranking of words, after "ranks words by their"
    "coupling": "share for the dominant capsule",
    "deciding coupling": "share for the deciding capsule",
    "contribution": "contribution to the predicted class",
    "credit": "credit for the answer",
    "D_use": "use by the predicted class (D_use)",
    "attention": "attention, averaged over the layers",
    "evidence": "evidence for the answer",
}
RANDOM = "random"
TRAINED, ANOTHER = "trained", "another text's"
COUPLINGS = {  # in words
    "uniform": "equal ones",
    "first": "those of iteration 1",
    "shuffled": "shuffled ones",
    "random": "random ones",
    ANOTHER: "those of another text",
}
ABOUT = "“About” means that the difference may be chance: its 95% interval contains 0."
CAVEAT = "The labels say how people rated a phrase, not which words were their reasons."
SURE = 0.95  # a ranking that beats a smaller share of random orders may do so by chance
LARGELY, PARTLY = 0.6, 0.3  # smallest Kendall's tau of two orders that agree largely, or partly
MOSTLY = 0.5  # a larger share of the texts is most of them
MAX_NAMED = 4  # largest number of capsules that are named


def points(share: float) -> str:
    """A share in percentage points."""
    return f"{100 * share:.1f}"


def reconcile(results: Mapping[str, TextCurves], badge: Badge) -> str:
    """One sentence on whether to believe a network's picture of one text, given its badge.

    Args:
        results: curves of the text for one way to delete, "masked" or "removed", or for both.
        badge: badge of the network, on the ranking that its page opens on.
    """
    part = next(iter(results.values())).unit
    unit, samples = f"{part}s", "pairs of pictures" if part == "place" else "texts"
    over = f"Over {badge.n:,} {samples}, it"
    share = f"the {unit} that matter ({badge.of_direct_test}'s effect)" if badge.share is not None else ""
    if not badge.is_measured:
        beats = fails = mixed = f"Nobody has measured yet whether it does in other {samples}."
    elif badge.share is None:
        beats = mixed = f"{over} does not, so take this for luck."
        fails = f"{over} does not either, so do not read it as an explanation."
    elif badge.finds_most:
        beats = f"{over} finds {share}, so in general you may believe which {unit} it ranks highest."
        mixed = f"{over} finds {share}, but take it only as a hint here."
        fails = f"{over} does find {share}, but mistrust it here."
    else:
        beats = mixed = f"{over} finds only some of {share}, so take it as a hint."
        fails = f"{over} finds only some of {share}, so mistrust it."
    start = f"{where(part)}, the picture"
    holds = {way: holds_in(result) for way, result in results.items()}
    ways = f"if they are {' or '.join(holds)}"
    if all(holds.values()):
        return f"{start} beats random {unit} {ways}. {beats}"
    if not any(holds.values()):
        return f"{start} does not clearly beat random {unit} {ways}. {fails}"
    does, does_not = (next(way for way in holds if holds[way] == held) for held in (True, False))
    return f"{start} beats random {unit} if they are {does}, but not clearly if they are {does_not}. {mixed}"


def where(unit: str) -> str:
    """The start of a sentence on one sample whose parts of this name are ranked."""
    return "For this pair" if unit == "place" else "In this text"


def holds_in(result: TextCurves) -> bool:
    """Whether the picture's order of one text's parts beats so many random orders that it cannot be chance."""
    return result.n_beaten(opened_on(result.scores)) >= SURE * len(result.deletion)


def sentences(evidence: Evidence, way: str, name: str = "") -> list[str]:
    """Sentences on all evidence of a checkpoint.

    Args:
        evidence: evidence of the checkpoint.
        way: way to delete words, "masked" or "removed".
        name: name of the checkpoint, whose capsules are then called by their names; "" for their numbers only.
    """
    measured = [describe(evidence, way) for describe in (describe_deleting, describe_giving, describe_order)]
    if evidence.couplings:
        measured += [describe(evidence) for describe in (describe_couplings, describe_iterations)]
    if evidence.capsules:
        measured.append(describe_capsules(evidence, name))
    if evidence.phrases:
        measured.append(f"{describe_phrases(evidence)} {CAVEAT}")
    return measured


def describe_deleting(evidence: Evidence, way: str) -> str:
    """A sentence on the answer without the words that the picture ranks highest, compared with random words."""
    unit = f"{evidence.unit}s"
    ranking, random = (evidence.rankings[way][name] for name in (evidence.main_ranking(), RANDOM))
    loss, by_chance = ranking.aopc.mean, points(random.aopc.mean)
    deleting = f"Deleting the {unit} that the picture ranks highest"
    if loss < 0:
        return (
            f"{deleting} raises the answer by {points(-loss)} points; deleting random {unit} costs {by_chance} points."
        )
    how = against_chance(ranking.over_random, "more than", "less than", "about as much as")
    return f"{deleting} costs the answer {points(loss)} points, {how} deleting random {unit} ({by_chance} points)."


def describe_giving(evidence: Evidence, way: str) -> str:
    """A sentence on the answer as words are added back in the picture's order, compared with a random order."""
    ours, random = (evidence.rankings[way][name].insertion for name in (evidence.main_ranking(), RANDOM))
    how = against_chance(subtract(ours, random), "more than", "less than", "about as much as")
    return (
        f"While {evidence.unit}s are added back in the picture's order, the answer has {points(ours.mean)} points on "
        f"average, {how} in a random order ({points(random.mean)} points)."
    )


def against_chance(difference: Estimate, more: str, less: str, same: str) -> str:
    """The phrase for a difference: ``more`` or ``less`` by its sign, or ``same`` if it is within chance."""
    if difference.is_within_chance:
        return same
    return more if difference.mean > 0 else less


def describe_order(evidence: Evidence, way: str) -> str:
    """A sentence that compares the picture's order with the order by the effect of deleting each word."""
    tau = evidence.rankings[way][evidence.main_ranking()].tau
    if tau is None:
        return f"The {evidence.unit}s have no order to compare."
    size = abs(tau.mean)
    agrees = "largely agrees" if size >= LARGELY else "partly agrees" if size >= PARTLY else "hardly agrees"
    if tau.is_within_chance:
        relation = "says nothing about"
    elif tau.mean < 0:
        relation = "runs against" if size >= PARTLY else "runs slightly against"
    else:
        relation = f"{agrees} with"
    unit, scale = evidence.unit, "1 is the same order, 0 an unrelated one, -1 the reverse"
    effects = f"their order by what the answer loses when each {unit} alone is deleted"
    return f"The picture's order of the {unit}s {relation} {effects} (Kendall's τ = {tau.mean:.2f}; {scale})."


def two_questions(unit: str) -> str:
    """A sentence on how a picture can find what matters although its order does not agree. unit: such as "word"."""
    return (
        f"Deleting tests only the top {unit}s, and the order covers all {unit}s. So a picture can find those that "
        "matter most, and still order the others badly."
    )


def describe_couplings(evidence: Evidence) -> str:
    """A sentence on whether accuracy depends on the couplings."""
    named: dict[str, str] = COUPLINGS | ({ANOTHER: "those of another pair"} if evidence.unit == "place" else {})
    changes = {named.get(how, how): c.change for how, c in evidence.couplings.items() if how != TRAINED}
    accuracy = evidence.couplings[TRAINED].accuracy
    trained = f"{accuracy.mean:.1%} over {accuracy.n:,} {evidence.samples}"
    beyond = {how: c.mean for how, c in changes.items() if not c.is_within_chance}
    same = listed([how for how, c in changes.items() if c.is_within_chance])
    if not beyond:
        return (
            f"Accuracy is about the same ({trained}) with other couplings ({same}): we found no sign that couplings "
            "matter."
        )
    falls, rises = (
        listed([f"{points(abs(mean))} points with {how}" for how, mean in beyond.items() if (mean < 0) == is_fall])
        for is_fall in (True, False)
    )
    fallen = f" In their place, other couplings lower it: by {falls}." if falls else ""
    risen = f" In their place, other couplings raise it: by {rises}." if rises else ""
    rest = f" It is about the same with {same}." if same else ""
    return f"Accuracy is {trained} with the network's own couplings.{fallen}{risen}{rest}"


def describe_iterations(evidence: Evidence) -> str:
    """A sentence on accuracy with other numbers of iterations than in training."""
    trained, last = evidence.trained_iterations, len(evidence.iterations)
    as_trained = evidence.couplings[TRAINED].accuracy.mean
    steps = list(enumerate(evidence.iterations, 1))
    beyond = [f"{one.accuracy.mean:.1%} with {t}" for t, one in steps if not one.change.is_within_chance]
    same = [str(t) for t, one in steps if one.change.is_within_chance and t != trained]
    start = f"Accuracy is {as_trained:.1%} with {trained} iterations, as trained"
    if not beyond:
        return f"{start}, and about the same with any other number from 1 to {last}."
    rest = f" With {listed(same)}, it stays about the same." if same else ""
    return f"{start}. It is {listed(beyond)}.{rest}{_say_first(evidence)}"


def _say_first(evidence: Evidence) -> str:
    """A sentence on why the couplings of iteration 1 do not give the accuracy of one iteration; "" if they do."""
    kept = evidence.couplings.get("first")
    if kept is None or points(kept.accuracy.mean) == points(evidence.iterations[0].accuracy.mean):
        return ""
    return (
        " One iteration is not the same as the couplings of iteration 1 in every iteration: with those, later "
        "iterations still update the capsules."
    )


def describe_capsules(evidence: Evidence, name: str = "") -> str:
    """A sentence on dead and on needed capsules. name: as in ``sentences``."""
    n = len(evidence.capsules)
    dead, needed = count_capsules(evidence)
    are = "is" if dead == 1 else "are"
    most = f"more than half of the {evidence.samples}"
    used = f"{dead} of {n} capsules {are} dead (length or activation below 0.1) on {most}"
    used = used if dead else f"All {n} capsules are in use"
    if not needed:
        return f"{used}. No single capsule is needed: accuracy does not fall if one is left out."
    if len(needed) > MAX_NAMED:
        return f"{used}. {len(needed)} capsules are needed: accuracy falls if any one of these is left out."
    if not name:
        return f"{used}. Accuracy falls if capsule {' or '.join(map(str, needed))} is left out."
    return f"{used}. Accuracy falls without {' or '.join(name_unit(name, j, 'capsule') for j in needed)}."


def count_capsules(evidence: Evidence) -> tuple[int, list[int]]:
    """The number of capsules that are dead on most samples, and the numbers from 1 of those that accuracy needs."""
    dead = sum(capsule.dead.mean > MOSTLY for capsule in evidence.capsules)
    return dead, [j for j, one in enumerate(evidence.capsules, 1) if one.without.change.high < 0]


def describe_phrases(evidence: Evidence) -> str:
    """A sentence on whether the picture ranks the words high that people marked."""
    ours, random = (evidence.phrases[name] for name in (evidence.main_ranking(), RANDOM))
    how = against_chance(ours.over_random, "higher", "lower", "no higher")
    precisions = f"{ours.average_precision.mean:.2f}, and that of a random order {random.average_precision.mean:.2f}"
    return (
        "People labelled some phrases with sentiment. The picture ranks the words of these phrases "
        f"{how} than a random order does: its average precision is {precisions}."
    )


def routing_of(name: str) -> str:
    """The way in which a checkpoint weighs words, such as its routing, in a word or two."""
    return checkpoints.record_of(name).weighs_by(checkpoints.about(name).model)
