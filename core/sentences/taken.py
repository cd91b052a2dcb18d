"""Findings on dynamic routing: which phrases each capsule takes at a step, and whether the shares have settled."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from core.analysis.routing import Normalize
from core.sentences.findings import NOTHING, is_even
from core.sentences.steps import mark_beyond, settling_clauses
from core.sentences.words import Phrasing, capital, listed, together

TAKES = 0.4  # a capsule takes a word that gives it at least this share, and gives no capsule more
FEEDS = 0.1  # a neighbour with at least this share of a capsule's intake belongs to the phrase that feeds it
MAIN = 0.5  # a word from which a capsule receives at least this share is its main source
OTHERS = 2  # other capsules that a sentence names


def describe_taken(
    coupling: Float[ndarray, "t i j"],
    phrasing: Phrasing,
    capsules: Sequence[str],
    framed: tuple[int, int],
    unit: str = "word",
    normalize: Normalize = "output",
    trained: int | None = None,
    answers: Sequence[str] = (),
) -> list[str]:
    """Say for each iteration what the framed capsule takes, which phrases others take, and whether shares still move.

    Args:
        coupling: c_ij, which sums to 1 over j ("output"), or over i ("input", reversed routing).
        phrasing: inputs of the routing.
        capsules: name of each capsule.
        framed: input and capsule of the framed cell.
        unit: name for one of the inputs, such as "word".
        trained: number of iterations in training; the number of this run if None.
        answers: the network's answer after each iteration, if a change of it is to be told.
    """
    describe = _shares if normalize == "output" else _intakes
    moving = settling_clauses(coupling, normalize, trained or len(coupling), answers, unit)
    sentences = [describe(c, phrasing, capsules, framed, unit) for c in coupling]
    return mark_beyond([f"{first} {last}".strip() for first, last in zip(sentences, moving, strict=True)], trained)


def _shares(c: ndarray, phrasing: Phrasing, capsules: Sequence[str], framed: tuple[int, int], unit: str) -> str:
    """Describe what the capsules take of the inputs, which share themselves out."""
    (i, j), n_capsules = framed, c.shape[1]
    if is_even(c, n_capsules):
        return f"Nothing is decided yet: every {_left(c, unit)} is shared equally among all {n_capsules} capsules."
    words = np.flatnonzero(phrasing.is_word)
    amount, word, capsule = _percent(c[i, j]), phrasing.quote(i), capsules[j]
    if c[words].max() < TAKES:
        k = int(words[c[words].max(1).argmax()])
        if (k, int(c[k].argmax())) == (i, j):
            return f"No {unit} has chosen a capsule yet: the largest share is {amount}, from {word} to {capsule}."
        sends = f"{word} sends {amount} to {capsule}, and no share is above {c[k].max():.0%}"
        return f"No {unit} has chosen a capsule yet: {sends}."
    taken = [(c.argmax(1) == k) & (c[:, k] >= TAKES) for k in range(n_capsules)]
    start, end = phrasing.phrase_at(i, taken[j])
    if not taken[j][i]:
        first = f"{capital(amount)} of {word} goes to {capsule}."
    elif end - start == 1:
        first = f"{capital(capsule)} takes {amount} of {word}."
    else:
        first = f"{capital(capsule)} takes {_name(phrasing, start, end, unit)} ({amount} of {word})."
    others = []
    for k in np.argsort(-c[words].sum(0), kind="stable"):
        runs = phrasing.phrases(taken[k]) if k != j or not taken[j][i] else []
        if runs:
            best = max(runs, key=lambda run: c[run[0] : run[1], k].sum())
            others.append(f"{capsules[k]} takes {_name(phrasing, *best, unit)}")
    idle = [capsules[k] for k in np.flatnonzero(c.sum(0) < NOTHING * len(c)).tolist()]
    nothing = f"{together(idle)} receive{'s' * (len(idle) == 1)} almost nothing" if idle else ""
    rest = (f"{capital(clause)}." for clause in (" and ".join(others[:OTHERS]), nothing) if clause)
    return " ".join([first, *rest])


def _intakes(c: ndarray, phrasing: Phrasing, capsules: Sequence[str], framed: tuple[int, int], unit: str) -> str:
    """Describe the sources of the capsules' intakes, which the inputs share."""
    i, j = framed
    left = np.flatnonzero(c.any(1))
    if len(left) == 1:
        return f"Every capsule receives everything from {phrasing.quote(int(left[0]))}, the only {_left(c, unit)}."
    if len(left) and is_even(c, len(left)):
        return f"Nothing is decided yet: every capsule{_on(c)} receives the same from every {_left(c, unit)}."
    top = c.argmax(0)  # the input that feeds each capsule most, which may be a punctuation mark
    start, end = phrasing.phrase_at(i, (c[:, j] >= FEEDS) & (c[i, j] >= FEEDS))
    received = capital(_percent(c[start:end, j].sum()))
    first = f"{received} of what {capsules[j]} receives comes from {phrasing.quote(start, end)}"
    feeds_most = c[:, j].any() and start <= top[j] < end
    if not c[:, j].any():
        first = f"{capital(capsules[j])} receives nothing"
    elif not feeds_most and received == "Nothing":
        most = f"{c[top[j], j]:.0%} from {phrasing.quote(int(top[j]))}"
        first = f"{capital(capsules[j])} takes nothing from {phrasing.quote(start, end)}, but {most}"
    elif not feeds_most:
        first += f", but {c[top[j], j]:.0%} comes from {phrasing.quote(int(top[j]))}"
    by_word: dict[int, list[int]] = {}  # other capsules by their main source
    for k in range(len(capsules)):
        if k != j and c[top[k], k] >= MAIN:
            by_word.setdefault(i if start <= top[k] < end else int(top[k]), []).append(k)
    clauses = []
    for word, of_word in sorted(by_word.items(), key=lambda pair: (pair[0] != i, -len(pair[1])))[:OTHERS]:
        fed = together([capsules[k] for k in of_word])
        if word == i and feeds_most:
            first += f", also the main source of {fed}"
        else:
            amounts = listed([f"{c[top[k], k]:.0%}" for k in of_word])
            clauses.append(f"the main source of {fed} is {phrasing.quote(word)} ({amounts})")
    return f"{first}. {capital(', and '.join(clauses))}." if clauses else f"{first}."


def _name(phrasing: Phrasing, start: int, end: int, unit: str) -> str:
    """The inputs from start to end: quoted words, or the numbers of several sentences."""
    if unit == "sentence" and end - start > 1:
        return f"sentences {start + 1} {'and' if end - start == 2 else 'to'} {end}"
    return phrasing.quote(start, end)


def _left(c: ndarray, unit: str) -> str:
    """The unit; if the user has masked some inputs, only those that are left."""
    return unit if c.any(1).all() else f"{unit} that is not masked"


def _on(c: ndarray) -> str:
    """Words that leave out the capsules that the user has switched off; "" if all are on."""
    return "" if c.any(0).all() else " that is on"


def _percent(share: float) -> str:
    """A share in percent; in words if it would be written as 0%."""
    if share >= 0.005:
        return f"{share:.0%}"
    return "almost nothing" if share > 0 else "nothing"
