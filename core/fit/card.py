"""The card of a network on own texts: what it is compared with, its confusions, and what its picture is worth."""

from collections.abc import Mapping, Sequence

import numpy as np
from jaxtyping import Bool
from numpy import ndarray

from core.analysis.intervals import interval_of_paired_difference, interval_of_share
from core.fit.answers import Answers
from core.fit.baselines import MAJORITY, PROBE
from core.fit.data import OwnData
from core.fit.routes import ROUTES
from core.fit.training import repeats_of
from core.sentences.confusion import confusion

AGAINST = {MAJORITY: "the most frequent label", PROBE: "a linear probe of the same transformer"}
UNBALANCED = 1.5  # the largest class has this many times the texts of the smallest
MAX_TABLE = 12  # classes whose confusions the card shows


def card_text(file: str, routing: str, data: OwnData, result: Answers) -> str:
    """The text of the card, in Markdown. Names of classes and files are in code spans, in which nothing is markup."""
    rows = [("this network", result.right), *result.others.items()]
    unbalanced = max(data.counts) >= UNBALANCED * min(data.counts)
    f1 = {"this network": result.macro_f1(len(data.classes))} if unbalanced else {}
    parts = [
        f"**Data.** {code(file)}: texts in {code(data.columns.text)}, labels in {code(data.columns.label)}. "
        f"{len(data.train):,} texts to train on, {len(data.dev):,} to choose the weights, {len(data.test):,} to test. "
        "Each part has the same shares of each label, and no text is in two parts. "
        + _repeats(data)
        + " ".join(data.notes),
        "\n".join(_comparison(rows, f1)),
        f"**What {ROUTES[routing].title} costs or gains.** {conclude(result)}",
        "**Confusions** on the test texts: a row for each label, a column for each answer.\n\n"
        + "\n".join(_confusions(result, data.classes)),
        "{sizes}",
        "**What it is for.** To see how routing settles on one of your texts. **What it is not for.** Its texts were "
        "not checked by anybody else. Do not use it for decisions about people.",
    ]
    return "\n\n".join(parts) + "\n"


def conclude(result: Answers) -> str:
    """Two sentences: which comparisons the network beats beyond chance, and by how many points it differs from each."""
    phrases = []
    for name, right in result.others.items():
        low, high = interval_of_paired_difference(result.right[None].astype(float), right[None].astype(float))
        points = 100 * float(result.right.mean() - right.mean())
        phrases.append(
            f"{points:+.1f} points ({100 * low:+.1f} to {100 * high:+.1f}) against {AGAINST.get(name, name)}"
        )
    place = f"This network is {place_among(result.right, result.others)}."
    return f"{place} Paired on the same {len(result.right):,} test texts: {'; '.join(phrases)}."


def place_among(right: Bool[ndarray, " n"], others: Mapping[str, Bool[ndarray, " n"]]) -> str:
    """A phrase: which comparisons a network beats beyond chance, and which it does not; "" without comparisons.

    Args:
        right, others: whether the network, and each comparison by its name, answers each test text correctly.
    """
    found: dict[str, list[str]] = {
        "more accurate than": [],
        "no different beyond chance from": [],
        "less accurate than": [],
    }
    more, same, less = found.values()
    for name, its_right in others.items():
        low, high = interval_of_paired_difference(right[None].astype(float), its_right[None].astype(float))
        (more if low > 0 else less if high < 0 else same).append(AGAINST.get(name, name))
    phrases = [f"{how} {' and '.join(names)}" for how, names in found.items() if names]
    return "; ".join(phrases)


def _repeats(data: OwnData) -> str:
    """A sentence on the classes whose texts are used several times per epoch; "" if there are none."""
    often = {data.classes[k]: n for k, n in repeats_of(data.train).items() if n > 1}
    phrases = [
        f"{n} times those of {' and '.join(code(c) for c in often if often[c] == n)}" for n in sorted({*often.values()})
    ]
    return f"As the labels are not equally frequent, an epoch uses {', '.join(phrases)}. " if often else ""


def _comparison(rows: Sequence[tuple[str, Bool[ndarray, " n"]]], f1: dict[str, float]) -> list[str]:
    """The lines of the table of accuracies."""
    lines = ["| | accuracy | 95% interval |" + " macro F1 |" * bool(f1), "|---|--:|--:|" + "--:|" * bool(f1)]
    for name, right in rows:
        low, high = interval_of_share(float(right.mean()), len(right))
        score = f" {f1[name]:.3f} |" if name in f1 else " |" * bool(f1)
        lines.append(f"| {name} | {right.mean():.1%} | {low:.1%} to {high:.1%} |{score}")
    return lines


def _confusions(result: Answers, classes: Sequence[str]) -> list[str]:
    """The lines of the confusion matrix, or of the most frequent confusions if there are many classes."""
    counts = confusion(result.labels, result.given, len(classes), len(classes))
    if len(classes) <= MAX_TABLE:
        head = "| | " + " | ".join(map(code, classes)) + " |"
        return [head, "|---|" + "--:|" * len(classes)] + [
            f"| {code(name)} | " + " | ".join(f"{n:,}" for n in row) + " |"
            for name, row in zip(classes, counts, strict=True)
        ]
    wrong = counts * (1 - np.eye(len(classes), dtype=int))
    order = np.argsort(-wrong, axis=None)[:MAX_TABLE]
    pairs = [divmod(int(place), len(classes)) for place in order if wrong.flat[place]]
    return ["| label | answer | texts |", "|---|---|--:|"] + [
        f"| {code(classes[i])} | {code(classes[j])} | {wrong[i, j]:,} |" for i, j in pairs
    ]


def code(text: str) -> str:
    """A text as a code span of Markdown, in which nothing is markup."""
    return f"`{' '.join(text.replace('`', chr(39)).replace('|', '¦').replace('{', '(').replace('}', ')').split())}`"
