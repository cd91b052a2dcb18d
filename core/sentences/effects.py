"""Sentences on what a run answers without one of its capsules, one of its shares, or one of its words."""

from collections.abc import Sequence

from jaxtyping import Float
from numpy import ndarray

HARDLY = 0.01  # smaller changes of the answer's probability do not matter
Classes = Float[ndarray, " k"]


def describe_deciding(capsule: str, before: Classes, without: Classes, classes: Sequence[str]) -> str:
    """Say that a capsule decides, and what the answer loses without it.

    Args:
        capsule: name of the capsule without which the answer loses most.
        before, without: class probabilities with the capsule, and without it.
        classes: names of the classes.
    """
    k, now = int(before.argmax()), int(without.argmax())
    if without[k] >= before[k]:
        return f"No capsule decides: whichever is left out, {classes[k]} does not fall."
    if now != k:
        return (
            f"{capsule} decides: without it, the prediction is {classes[now]} ({without[now]:.1%}), not {classes[k]}."
        )
    falls = f"{classes[k]} falls to {without[k]:.1%}, further than without any other capsule"
    return f"{capsule} decides most: without it, {falls}."


def describe_cut(share: str, before: Classes, cut: Classes, classes: Sequence[str]) -> str:
    """Say what the answer is when a share is 0, and whether that matters.

    Args:
        share: name of the share.
        before, cut: class probabilities with the share, and without it.
        classes: names of the classes.
    """
    k, now = int(before.argmax()), int(cut.argmax())
    if now != k:
        return f"{share} matters: at 0, the prediction is {classes[now]} ({cut[now]:.1%}), not {classes[k]}."
    if abs(cut[k] - before[k]) < HARDLY:
        if f"{cut[k]:.1%}" == f"{before[k]:.1%}":
            return f"{share} does not matter: at 0, the answer is the same, {classes[k]} ({cut[k]:.1%})."
        return f"{share} hardly matters: at 0, {classes[k]} moves by less than 1 point, to {cut[k]:.1%}."
    moves = "falls" if cut[k] < before[k] else "rises"
    return f"{share} matters: at 0, {classes[k]} {moves} to {cut[k]:.1%}."


def describe_gone(reason: str) -> str:
    """Say why a share is 0 whatever it is set to. ``reason`` is a clause, such as "its capsule is switched off"."""
    return f"With your edits, this share is 0: {reason}, so setting it has no effect."


def explain_cut(before: Classes, cut: Classes, n: int) -> str:
    """Say why a share of the capsule that decides may hardly matter; "" if it does matter.

    Args:
        before, cut: as in ``describe_cut``.
        n: number of the capsule's shares.
    """
    k = int(before.argmax())
    matters = int(cut.argmax()) != k or abs(cut[k] - before[k]) >= HARDLY
    return "" if matters or n < 2 else f"The capsule decides by all its {n} shares together."


def describe_masked(word: str, before: Classes, masked: Classes, classes: Sequence[str]) -> str:
    """Say what the answer is when a whole word is masked.

    Args:
        word: the word, or the sentence, in quotation marks.
        before, masked: class probabilities with the word, and without it.
        classes: names of the classes.
    """
    k, now = int(before.argmax()), int(masked.argmax())
    if now != k:
        answer = f"the prediction is {classes[now]} ({masked[now]:.1%}), not {classes[k]}"
    else:
        answer = f"{classes[k]} is at {masked[k]:.1%}"
    return f"If {word} is masked, so that no capsule takes from it, {answer}."
