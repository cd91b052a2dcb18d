"""Sentences on steps beyond training, and on when a routing settles."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from core.analysis.routing import SETTLED, Normalize, change, settles_after


def mark_beyond(sentences: Sequence[str], trained: int | None) -> list[str]:
    """The sentences of all steps; those after the trained number of steps begin with "Beyond training"."""
    n = len(sentences) if trained is None else trained
    return [*sentences[:n], *(f"Beyond training: {sentence}" for sentence in sentences[n:])]


def describe_settling(
    coupling: Float[ndarray, "t i j"],
    normalize: Normalize,
    trained: int,
    answers: Sequence[str] = (),
    unit: str = "word",
) -> str:
    """Say when a routing settles: from when on no iteration moves more than ``SETTLED`` of the shares.

    Args:
        coupling: c_ij after each iteration.
        normalize: as in ``core.analysis.routing.entropy``.
        trained: number of iterations in training.
        answers: the network's answer after each iteration: while it changes, nothing has settled.
        unit: name for one of the inputs.
    """
    settled, moved = settles_after(coupling, normalize), change(coupling, normalize)
    trained = min(trained, len(coupling))
    if trained == 1:
        return "Routing stops after iteration 1, so there is nothing to settle."
    flip = _flip_after(settled, answers)
    few = f"After iteration {settled}, each iteration moves at most {SETTLED:.0%} of all shares, but it adds up"
    flips = f"{few}: {flip}." if flip else ""
    if settled is not None and settled <= trained:
        rest = f"no later iteration moves more than {SETTLED:.0%} of all shares"
        return flips or f"The shares settle after iteration {settled}: {rest}."
    later = f" {flips or f'The shares would settle after iteration {settled}.'}" if settled else ""
    last = f"Iteration {trained}, the last one used in training"
    return f"{last}, still moved {moved[trained - 1]:.0%} of all shares {to_others(normalize, unit)}.{later}"


def _flip_after(settled: int | None, answers: Sequence[str]) -> str:
    """A clause on the first change of the answer after the shares have settled; "" if there is none."""
    if settled is None:
        return ""
    for t, answer in enumerate(answers[settled:], settled + 1):
        if answer != answers[settled - 1]:
            return f"the answer flips to {answer} at iteration {t}"
    return ""


def settling_clauses(
    coupling: Float[ndarray, "t i j"],
    normalize: Normalize,
    trained: int,
    answers: Sequence[str] = (),
    unit: str = "word",
) -> list[str]:
    """A short sentence for each iteration: whether the shares still move, and how many percent of them moved.

    Arguments as in ``describe_settling``.
    """
    settled, moved = settles_after(coupling, normalize), change(coupling, normalize)
    flip = _flip_after(settled, answers)
    few = f"Few shares move after iteration {settled}, but {flip}."
    rest = few if flip else f"The shares settle after iteration {settled}."
    others = to_others(normalize, unit)
    clauses: list[str] = []
    for t, step in enumerate(moved, 1):
        if np.isnan(step):
            clauses.append("")
        elif settled is not None and t > settled:
            clauses.append(rest)
        elif t == trained:
            clauses.append(f"Iteration {t} still moved {step:.0%} of all shares {others}.")
        else:
            clauses.append(f"Iteration {t} moved {step:.0%} of all shares {others}.")
    return clauses


def to_others(normalize: Normalize, unit: str = "word") -> str:
    """The words for where a share goes that an iteration moves. Arguments as in ``describe_settling``."""
    return f"to other {'capsules' if normalize == 'output' else f'{unit}s'}"
