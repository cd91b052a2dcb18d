"""Guided experiments: a task, its first settings, and a check of the numbers that tells when it is done."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy import ndarray

from core.analysis.scenes import WHOLES
from core.sentences.comparison import Routed, largest_entropy
from core.sentences.findings import in_words
from core.sentences.words import listed
from dashboard.pages.lab.texts import CLOUDS, HOUSE

HOUSE_NUMBER, BOAT_NUMBER = range(len(WHOLES))


@dataclass(frozen=True)
class Status:
    """The progress of an experiment at one iteration."""

    sentence: str = ""
    done: bool = False


Changed = Sequence[Sequence[str]]  # names of the routings that changed their choice, grouped by move
Check = Callable[[Sequence[Routed], Changed], list[Status]]


@dataclass(frozen=True)
class Experiment:
    """A task for the user.

    Attributes:
        name: name in the menu.
        task: instruction for the user.
        settings: first values of the page's inputs, by key.
        check: function of the runs and the routings that changed their choice. It returns one status per iteration.
        begins_at: first iteration to show; the last one if None.
    """

    name: str
    task: str
    settings: dict[str, Any] = field(default_factory=dict)
    check: Check = lambda runs, changed: [Status()] * len(runs[0].coupling)
    begins_at: int | None = None


def _named(runs: Sequence[Routed], name: str) -> Routed:
    return next(run for run in runs if run.name == name)


def _boat_wins(runs: Sequence[Routed], changed: Changed) -> list[Status]:
    statuses = []
    for t in range(len(runs[0].coupling)):
        with_boat = [run.name for run in runs if run.winners[t] == BOAT_NUMBER]
        done = len(with_boat) == len(runs)
        number = in_words(len(with_boat)).capitalize() if with_boat else "None"
        sentence = f"{number} of {in_words(len(runs))} {'chooses' if len(with_boat) == 1 else 'choose'} the boat."
        sentence += f" Minds changed: {_in_turn(changed)}." if changed else ""
        statuses.append(Status(sentence, done))
    return statuses


def _in_turn(groups: Sequence[Sequence[str]]) -> str:
    first, *others = [listed(names) + " in one move" * (len(names) > 1) for names in groups]
    return f"first {first}, then {', then '.join(others)}" if others else first


def _em_drops_one(runs: Sequence[Routed], changed: Changed) -> list[Status]:
    kmeans, em = _named(runs, "k-means"), _named(runs, "EM")
    statuses = []
    for of_kmeans, of_em in zip(kmeans.coupling, em.coupling, strict=True):
        dropped = np.flatnonzero(of_em[:, HOUSE_NUMBER] < 0.5)
        if len(of_em) - len(dropped) != 3 or len(dropped) != 1:
            kept = len(of_em) - len(dropped)
            statuses.append(Status(f"EM explains the house with {in_words(kept)} of {in_words(len(of_em))} parts."))
            continue
        share = of_kmeans[dropped[0], HOUSE_NUMBER]
        statuses.append(Status(f"EM has dropped one part; k-means still gives {share:.0%} of it to the house.", True))
    return statuses


def _standard_sorts(runs: Sequence[Routed], changed: Changed) -> list[Status]:
    standard, em = _named(runs, "standard"), _named(runs, "EM")
    n = standard.coupling.shape[1]
    owners = np.arange(n) >= n // 2  # the parts of the house are first
    right = [_sorted(c, owners) for c in standard.coupling]
    first = next((t for t, number in enumerate(right) if number == n), None)
    by_em = [_sorted(c, owners) for c in em.coupling]
    statuses = []
    for t, (number, of_em) in enumerate(zip(right, by_em, strict=True)):
        sentence = f"Standard routing has sorted {number} of {n} parts, EM {of_em}."
        statuses.append(Status(sentence, t == first))
    return statuses


def _sorted(c: ndarray, owners: ndarray) -> int:
    """The number of inputs that give more than half to their own whole."""
    return int((c[np.arange(len(c)), owners.astype(int)] > 0.5).sum())


def _noise_breaks_one(runs: Sequence[Routed], changed: Changed) -> list[Status]:
    statuses = []
    for t in range(len(runs[0].coupling)):
        lost = [run.name for run in runs if run.winners[t] != HOUSE_NUMBER]
        still = [run.name for run in runs if run.winners[t] == HOUSE_NUMBER]
        if not lost:
            statuses.append(Status(f"All {in_words(len(runs))} still choose the house."))
        else:
            rest = f"; {listed(still)} still {'does' if len(still) == 1 else 'do'}" if still else ""
            said = listed(lost)
            verb = "no longer chooses" if len(lost) == 1 else "no longer choose"
            statuses.append(Status(f"{said[0].upper()}{said[1:]} {verb} the house{rest}.", True))
    return statuses


def _kmeans_hardens(runs: Sequence[Routed], changed: Changed) -> list[Status]:
    standard, kmeans = _named(runs, "standard"), _named(runs, "k-means")
    statuses = []
    for ours, theirs in zip(kmeans.entropy, standard.entropy, strict=True):
        sentence = f"Entropy of k-means {ours:.2f} bits, of standard routing {theirs:.2f}"
        statuses.append(Status(f"{sentence}; equal shares have {largest_entropy(kmeans):.2f}.", bool(ours < theirs)))
    return statuses


FREE = Experiment("Explore freely", "")
EXPERIMENTS = {
    experiment.name: experiment
    for experiment in (
        FREE,
        Experiment(
            "1 · From house to boat",
            "Move the triangle up and to the right in small steps (arrow keys) until every routing chooses the boat. "
            "Which changes its mind first?",
            {"scene": HOUSE, "start": "Two parts of a house", "noise": 0.0, "iterations": 5.0},
            _boat_wins,
        ),
        Experiment(
            "2 · One part too many",
            "Move or turn one part of the house until EM drops it. Does k-means notice?",
            {"scene": HOUSE, "start": "House", "noise": 0.0, "iterations": 5.0},
            _em_drops_one,
        ),
        Experiment(
            "3 · Two in one",
            "Move the slider to the iteration at which standard routing first gives each part to its own whole.",
            {"scene": HOUSE, "start": "House and boat", "noise": 0.0, "iterations": 10.0},
            _standard_sorts,
            begins_at=1,
        ),
        Experiment(
            "4 · Until it breaks",
            "Raise the noise until a routing no longer chooses the house. Which holds out longest?",
            {"scene": HOUSE, "start": "House", "noise": 0.0, "iterations": 5.0},
            _noise_breaks_one,
        ),
        Experiment(
            "5 · How hard is k-means?",
            "Raise the sharpness of k-means until it is surer than standard routing.",
            {"scene": CLOUDS, "sharpness": 1.0, "iterations": 5.0},
            _kmeans_hardens,
        ),
    )
}
