"""Sentences on what a run answers without one of its capsules, one of its shares, or one of its words."""

from collections.abc import Sequence

from jaxtyping import Float
from numpy import ndarray

from core.analysis.routing import Normalize

HARDLY = 0.01  # smaller changes of the answer's probability do not matter
REFILLED = {  # where a share goes if it alone is 0, for each ``normalize`` of a routing
    "input": "the capsule takes more from its other {unit}s",
    "output": "the {unit} gives its other capsules more",
}
Classes = Float[ndarray, " k"]


def describe_deciding(capsule: str, before: Classes, without: Classes, classes: Sequence[str]) -> str:
    """Say that a capsule decides, and what the answer loses without it.

    Args:
        capsule: name of the capsule without which the answer loses most.
        before, without: class probabilities with the capsule, and without it.
        classes: names of the classes.
    """
    k = int(before.argmax())
    if without[k] >= before[k]:
        return f"No capsule decides: whichever is left out, the probability of {classes[k]} does not fall."
    falls = f"the probability of {classes[k]} falls to {without[k]:.1%}"
    return f"{capsule} decides: without it, {falls}, lower than without any other capsule."


def describe_cut(share: str, before: Classes, cut: Classes, classes: Sequence[str]) -> str:
    """Say what the answer is when a share is 0, and whether that matters.

    Args:
        share: name of the share.
        before, cut: class probabilities with the share, and without it.
        classes: names of the classes.
    """
    k, now = int(before.argmax()), int(cut.argmax())
    if now != k:
        return f"{share} matters: if it is 0, the prediction is {classes[now]} ({cut[now]:.1%}), not {classes[k]}."
    if f"{cut[k]:.1%}" == f"{before[k]:.1%}":
        return f"{share} does not matter: if it is 0, the probability of {classes[k]} stays at {before[k]:.1%}."
    moves = "falls" if cut[k] < before[k] else "rises"
    verdict = "hardly matters" if abs(cut[k] - before[k]) < HARDLY else "matters"
    return f"{share} {verdict}: if it is 0, the probability of {classes[k]} {moves} to {cut[k]:.1%}."


def describe_masked(
    word: str, before: Classes, masked: Classes, cut: Classes, classes: Sequence[str], unit: str, normalize: Normalize
) -> str:
    """Say what the answer is when a whole word is masked, and how that differs from cutting a single share.

    Args:
        word: the word, or the sentence, in quotation marks.
        before, masked, cut: class probabilities with the word, without it, and without a share of it.
        classes: names of the classes.
        unit: name for the word, such as "word".
        normalize: as in ``core.analysis.routing.entropy``.
    """
    k, now = int(before.argmax()), int(masked.argmax())
    if now != k:
        first = f"With {word} masked, the prediction is {classes[now]} ({masked[now]:.1%}), not {classes[k]}"
    else:
        first = f"With {word} masked, the probability of {classes[k]} is {masked[k]:.1%}"
    if now == int(cut.argmax()) and abs(masked[k] - cut[k]) < HARDLY:
        return f"{first}."
    return (
        f"{first}: masking takes it from all capsules, but if one share is 0, {REFILLED[normalize].format(unit=unit)}."
    )
