"""Sentences on what a run answers without one of its capsules, or without one of its shares."""

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
