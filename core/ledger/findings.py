"""Writes the section "What measuring found" in Markdown. Every number is read from the files of measurements."""

from collections.abc import Iterable, Iterator
from textwrap import fill

import pandas as pd
from jaxtyping import Float
from numpy import ndarray

from core import manifest
from core.analysis.readout import summarize
from core.analysis.viewpoints import TrainingStage, compare_on_unseen, distances_of, match, stages
from core.ledger import CLAIMS
from core.ledger.claim import Measured, compare_pair, evidence_of
from core.ledger.trainings import Trainings
from core.measured import answers, store
from core.measured.evidence.badge import badge_of
from core.measured.evidence.record import RANDOM, UNIFORM, Accuracy, Evidence
from core.measured.trainings import read_poses
from core.measured.turns import MeasuredTurns
from core.sentences.rings import n_round
from core.sentences.words import listed

GRADIENTS, SHUFFLED = "integrated gradients", "shuffled"
WAYS = ("masked", "removed")
N_ITERATIONS = 6  # largest number of iterations in the table
NONE = "-"  # a cell without a figure
DELETED = """
The texts are those of test splits. The words that a network's picture ranks highest are deleted, or random words, or
the words that integrated gradients rank highest. A word is masked, so that routing gets nothing of it, or removed
from the text. The table has the points by which the answer's probability then falls, as the mean over deleting 1, 5,
10, 20 and 50% of the words. A negative number means that the answer becomes surer. The answer of CCCaps is a
capsule's length, so its points are hundredths of a length of 1. `dragg-imdb` loses sentences instead of words, and
`em-smallnorb` loses places of a picture. The picture of dynamic routing is that of the deciding capsule, without which
the answer loses most. Tau compares the order of the picture with the order by what each masked
word costs by itself (Kendall's tau: 1 if both are the same, 0 if they are unrelated).
"""
ROUTED = """
The next table has accuracy on these texts, with 1 to 6 iterations and with other couplings: equal ones, or the
network's own in another order. A star marks an accuracy that differs from that of the network as trained by more than
chance. Dynamic and k-means routing with equal couplings let every word through. EM routing does not, so its numbers
do not compare with theirs. After one iteration EM routing has not read the text: its scores depend only on the number
of words. k-means routing changes little in any iteration: a coupling is a softmax of cosines, so even a perfect match
gets at most 71% of 4 classes (88% of 2). Where the samples are a part of the test split, accuracies differ from those
in the table at the top.
"""


def markdown() -> Iterator[str]:
    """The lines of the section "What measuring found" in pretrained/README.md."""
    kept = {name: evidence for name in manifest.folders() if (evidence := evidence_of(name))}
    routed = {name: evidence for name, evidence in kept.items() if evidence.couplings}
    yield from (_paragraph(DELETED), "", *_deletions(kept), "", *map(_item, _summary(kept)), "")
    yield from (_paragraph(ROUTED), "", *_couplings(routed), "")
    yield from map(
        _item, (*_as_in_papers(), _language_model(), _kmeans(), *_glove(), _poses(), *_rings(), *_viewpoints())
    )


def _deletions(kept: dict[str, Evidence]) -> Iterator[str]:
    """The table of what deleted words cost."""
    columns = [f"{way}: {ranking}" for way in WAYS for ranking in ("picture's", RANDOM, "gradients'")]
    yield from _head("checkpoint", "picture ranks by", *columns, "tau")
    for name, evidence in kept.items():
        main = evidence.main_ranking()
        costs = [
            f"{100 * evidence.rankings[way][ranking].aopc.mean:.1f}"
            for way in WAYS
            for ranking in (main, RANDOM, GRADIENTS)
        ]
        tau = evidence.rankings["masked"][main].tau
        yield _row(f"`{name}`", main, *costs, f"{tau.mean:.2f}" if tau else NONE)


def _summary(kept: dict[str, Evidence]) -> Iterator[str]:
    """Say which pictures show what decides an answer, by their badges."""
    badges = {name: badge_of(evidence) for name, evidence in kept.items()}
    found = {name: f"`{name}` {badge.range}" for name, badge in badges.items() if badge.share is not None}
    most = [text for name, text in found.items() if badges[name].finds_most]
    some = [text for name, text in found.items() if not badges[name].finds_most]
    none = [f"`{name}`" for name in badges if name not in found]
    yield (
        "A badge compares what the picture ranks highest with the better of integrated gradients and dropping each "
        "word once, in points beyond random words. It shows the smaller share of both ways to delete, and the range of "
        "this share where other trainings of the network were measured, too. With half or more the picture finds the "
        f"words that matter: {_list(most)}."
    )
    yield f"With less, but more than random words beyond chance, it finds some of them: {_list(some)}."
    yield f"No better than random words: {_list(none)}."


def _couplings(routed: dict[str, Evidence]) -> Iterator[str]:
    """The table of accuracy with other iterations and couplings."""
    iterations = (f"{n} iteration{'s' * (n > 1)}" for n in range(1, N_ITERATIONS + 1))
    yield from _head("checkpoint", "samples", *iterations, "equal couplings", "shuffled couplings")
    for name, evidence in routed.items():
        others = [*evidence.iterations[:N_ITERATIONS], evidence.couplings[UNIFORM], evidence.couplings[SHUFFLED]]
        yield _row(f"`{name}`", f"{evidence.n:,}", *map(_starred, others))


def _starred(accuracy: Accuracy) -> str:
    """An accuracy, with a star if it differs from the trained network's by more than chance."""
    return f"{accuracy.accuracy.mean:.1%}{'' if accuracy.change.is_within_chance else ' *'}"


def _as_in_papers() -> Iterator[str]:
    """List the networks that were trained as in their papers."""
    trained = {
        "Accuracy of standard DR-AGG on SST-5": "Standard DR-AGG was also trained on whole sentences, as in its paper. "
        "Only its word vectors, batches and learning rate are our own",
        "Accuracy with attention in 15 of 15 layers": "AGT was also trained from labels alone and from the usual "
        "start, as in its paper. Its word vectors, optimizer, batches, dropout and adversarial step are our own",
    }
    for claim, how in trained.items():
        here, theirs = _measured(claim)
        yield (
            f"{how}. On SST-5 it has {here.text} ({here.low:.1f}% to {here.high:.1f}%, three seeds); the paper has "
            f"{theirs}."
        )


def _language_model() -> str:
    """Compare EM routing over a language model with EM routing over a transformer that compares sentences."""
    parts = []
    for corpus, name, other in (("SST-5", "em-lm-sst5", "em-sst5"), ("SST-2", "em-lm-sst2", "em-sst2")):
        if here := compare_pair(name, other):
            accuracy = manifest.describe(name).metrics.test.accuracy
            parts.append(f"{accuracy:.1%} on {corpus}, {_points(here)}")
    return (
        f"EM routing over SmolLM2, a language model in 4 bits, has {'; it has '.join(parts)}. Both are compared with "
        "EM routing over MiniLM on the same test texts, one training each."
    )


def _kmeans() -> str:
    """Compare k-means routing with dynamic routing."""
    better = "k-means routing is better than dynamic routing on"
    on_news, on_dbpedia = (_measured(f"{better} {corpus}")[0] for corpus in ("AG's News", "DBpedia"))
    pairs = [answers.read(name) for name in ("cccaps-ag", "cccaps-dynamic-ag")]
    (first, _), (second, _) = (pair for pair in pairs if pair)
    return (
        f"On AG's News k-means routing gains {_points(on_news)} over dynamic routing, three seeds each: "
        f"{on_news.verdict}. The shipped networks `cccaps-ag` and `cccaps-dynamic-ag` are both right or both wrong on "
        f"{(first == second).mean():.1%} of the texts. On 1,400 held-out texts of DBpedia's training split, after "
        f"training on a fiftieth of it without titles, the gain is {_points(on_dbpedia)}."
    )


def _glove() -> Iterator[str]:
    """Compare shipped recipes with their trainings whose word vectors start from GloVe, too."""
    rows = store.read_sweep("vectors")
    if rows is None:
        return
    found = []
    for recipe, trainings in rows.groupby("recipe", sort=False):
        without, with_them = (trainings[trainings["glove"] == glove] for glove in (False, True))
        if n := min(len(without), len(with_them)):
            low, high, _ = Trainings.of_rows(with_them).over(Trainings.of_rows(without))
            gain = 100 * (with_them["test"].mean() - without["test"].mean())
            on_dev = f"{with_them['dev'].mean():.1%} with them and {without['dev'].mean():.1%} without on the dev split"
            on_test = f"{gain:+z.1f} points with them on the test split ({_interval(low, high)})"
            found.append(f"`{recipe}` ({n} training{'s' * (n > 1)} each) {on_dev}, and {on_test}")
    yield f"Recipes of word models with GloVe's vectors, compared on the same test texts: {'; '.join(found)}."


def _points(here: Measured) -> str:
    """A difference in points, with its interval."""
    return f"{here.text} ({here.low:+.1f} to {here.high:+.1f})"


def _poses() -> str:
    """Say how well a toy's direction is predicted from poses and other features."""
    rows = {name: values for name, values in (store.read("readout", "em-smallnorb") or {}).items() if values.ndim}
    table = summarize(pd.DataFrame(rows)).query("method == 'linear' and category == 'all'")
    shown = {
        "the poses of `em-smallnorb`": ("em-smallnorb", "poses"),
        "its last convolution": ("em-smallnorb", "last convolution"),
        "the pixels": ("none", "pixels"),
        "the poses of `em-smallnorb-views`, which a loss of our own trained for it,": ("em-smallnorb-views", "poses"),
    }
    figures = []
    for words, (network, features) in shown.items():
        azimuth, elevation = table[(table["network"] == network) & (table["features"] == features)]["r2"]
        figures.append(f"{words} {azimuth:.2f} and {elevation:.2f}")
    accuracy = manifest.describe("em-smallnorb-views").metrics.test.accuracy
    return (
        "A linear readout finds the direction that a toy is seen from. Its R² of azimuth and elevation is, "
        f"from {'; from '.join(figures)}. The accuracy of `em-smallnorb-views` is {accuracy:.1%}."
    )


def _rings() -> Iterator[str]:
    """Count the test toys with which the pose goes round, in all trainings of the network that was trained for it."""
    name = "em-smallnorb-views"
    measured = store.read("built_in", name)
    if measured is None:
        return
    own, *others = [
        n_round(MeasuredTurns.of(arrays, "azimuth").score_test_toys())
        for arrays in (measured, *read_poses(name).values())
    ]
    said = f"As a toy turns once, the pose of `{name}` goes round with it for {own} of the 25 test toys"
    also = f", and in other trainings, which go on from the same `em-smallnorb`, for {listed(list(map(str, others)))}"
    yield f"{said}{also}." if others else f"{said} (one seed)."


def _viewpoints() -> Iterator[str]:
    """Compare EM routing and convolutions on unseen directions."""
    rows = store.read_sweep("viewpoints")
    if rows is None:
        return
    for direction, trainings in rows.groupby("direction"):
        at_end = {network: its_stages[-1] for network, its_stages in stages(trainings).items()}
        distances = distances_of(trainings)
        yield (
            f"EM routing and convolutions were trained on a third of the {direction}s of rendered toys, one seed each, "
            f"and tested on the others (as Hinton et al. 2018 did). At nearly equal accuracy on the {direction}s "
            f"trained on, EM routing is {_gain(match(trainings), distances)}. At the end of both trainings it is "
            f"{_gain(at_end, distances)}."
        )


def _gain(networks: dict[str, TrainingStage], distances: Float[ndarray, " direction"]) -> str:
    """Say how much better EM routing is than convolutions on unseen directions."""
    difference, low, high = compare_on_unseen(networks["EM routing"], networks["convolutions"], distances)
    side = "better" if difference > 0 else "worse"
    return f"{side} by {abs(100 * difference):.1f} points ({_interval(low, high)})"


def _interval(low: float, high: float) -> str:
    """The interval of a difference of accuracies in points, and whether it is within chance."""
    return f"{100 * low:+z.1f} to {100 * high:+z.1f}{', within chance' * (low < 0 < high)}"


def _measured(sentence: str) -> tuple[Measured, str]:
    """Our measurement for the claim with this sentence, and the paper's number."""
    (claim,) = (claim for claim in CLAIMS if claim.claim == sentence)
    here = claim.measure()
    if here is None:
        raise ValueError(f"nothing is measured for the claim {sentence!r}")
    return here, claim.theirs


def _list(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"


def _head(*cells: str) -> Iterator[str]:
    yield _row(*cells)
    yield f"|{'---|' * len(cells)}"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _paragraph(text: str) -> str:
    return fill(text.strip(), 120, break_long_words=False, break_on_hyphens=False)


def _item(text: str) -> str:
    return fill(text, 120, initial_indent="- ", subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
