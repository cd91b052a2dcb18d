"""Guided experiments, each with a task, first settings, and a check of the numbers that tells when it is done."""

from collections.abc import Callable, Mapping, Sequence
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
N_DRAWS = 40  # draws of the noise over which an experiment counts
SAME_PLACE = (
    " They change their minds at about the same place, half-way between the two votes; some are undecided for longer. "
    "Which one you see changing first hangs on the size of your steps."
)


@dataclass(frozen=True)
class Status:
    """The progress of an experiment at one iteration."""

    sentence: str = ""
    done: bool = False


# The function (whole) -> in how many of ``N_DRAWS`` draws of the noise each routing chooses it, after each iteration.
InDraws = Callable[[int], Mapping[str, Sequence[int]]]
Check = Callable[[Sequence[Routed], InDraws], list[Status]]


@dataclass(frozen=True)
class Experiment:
    """A task for the user.

    Attributes:
        name: name in the menu.
        task: instruction for the user.
        settings: first values of the page's inputs, by key.
        check: function of the runs, and of a function that counts choices over draws of the noise. It returns one
            status per iteration.
        begins_at: first iteration to show; the last one if None.
    """

    name: str
    task: str
    settings: dict[str, Any] = field(default_factory=dict)
    check: Check = lambda runs, in_draws: [Status()] * len(runs[0].coupling)
    begins_at: int | None = None


def _run_named(runs: Sequence[Routed], name: str) -> Routed:
    """The run of the routing with this name."""
    return next(run for run in runs if run.name == name)


def _boat_wins(runs: Sequence[Routed], in_draws: InDraws) -> list[Status]:
    """Done when every routing chooses the boat."""
    statuses = []
    for t in range(len(runs[0].coupling)):
        with_boat = [run.name for run in runs if run.winners[t] == BOAT_NUMBER]
        done = len(with_boat) == len(runs)
        number = in_words(len(with_boat)).capitalize() if with_boat else "None"
        sentence = f"{number} of {in_words(len(runs))} {'chooses' if len(with_boat) == 1 else 'choose'} the boat."
        statuses.append(Status(sentence + SAME_PLACE * done, done))
    return statuses


def _em_drops_one(runs: Sequence[Routed], in_draws: InDraws) -> list[Status]:
    """Done when the house uses three of its four parts in EM."""
    kmeans, em = _run_named(runs, "k-means"), _run_named(runs, "EM")
    statuses = []
    for kmeans_shares, em_shares in zip(kmeans.coupling, em.coupling, strict=True):
        n_parts = len(em_shares)
        dropped = np.flatnonzero(em_shares[:, HOUSE_NUMBER] < 0.5)
        kept = n_parts - len(dropped)
        if kept != 3 or len(dropped) != 1:
            statuses.append(Status(f"In EM, the house uses {in_words(kept)} of {in_words(n_parts)} parts."))
            continue
        share = kmeans_shares[dropped[0], HOUSE_NUMBER]
        statuses.append(
            Status(f"EM takes one part from the house; k-means still gives {share:.0%} of it to the house.", True)
        )
    return statuses


def _standard_sorts(runs: Sequence[Routed], in_draws: InDraws) -> list[Status]:
    """Done at the first iteration at which standard routing gives every part to its own whole."""
    standard, em = _run_named(runs, "standard"), _run_named(runs, "EM")
    n = standard.coupling.shape[1]
    # The whole of each part; the parts of the house are first.
    owners = np.where(np.arange(n) < n // 2, HOUSE_NUMBER, BOAT_NUMBER)
    by_standard = [_count_sorted(c, owners) for c in standard.coupling]
    by_em = [_count_sorted(c, owners) for c in em.coupling]
    first = next((t for t, n_sorted in enumerate(by_standard) if n_sorted == n), None)
    statuses = []
    for t, (n_standard, n_em) in enumerate(zip(by_standard, by_em, strict=True)):
        sentence = f"Standard routing has sorted {n_standard} of {n} parts, and EM has sorted {n_em}."
        statuses.append(Status(sentence, t == first))
    return statuses


def _count_sorted(c: ndarray, owners: ndarray) -> int:
    """The number of parts that give more than half of themselves to their own whole. c: shares [i, j]."""
    return int((c[np.arange(len(c)), owners] > 0.5).sum())


def _noise_breaks_one(runs: Sequence[Routed], in_draws: InDraws) -> list[Status]:
    """Done when any routing chooses the house in fewer than half of the draws."""
    counts = in_draws(HOUSE_NUMBER)
    statuses = []
    for t in range(len(runs[0].coupling)):
        still = sorted(counts, key=lambda name: -counts[name][t])
        each = listed([f"{name} in {counts[name][t]}" for name in still])
        sentence = f"In {N_DRAWS} draws of this noise, these choose the house: {each}."
        statuses.append(Status(sentence, counts[still[-1]][t] < N_DRAWS / 2))
    return statuses


def _kmeans_hardens(runs: Sequence[Routed], in_draws: InDraws) -> list[Status]:
    """Done when the shares of k-means have less entropy than those of standard routing."""
    standard, kmeans = _run_named(runs, "standard"), _run_named(runs, "k-means")
    statuses = []
    for kmeans_bits, standard_bits in zip(kmeans.entropy, standard.entropy, strict=True):
        sentence = (
            f"The entropy is {kmeans_bits:.2f} bits in k-means and {standard_bits:.2f} bits in standard routing. "
        )
        sentence += f"Equal shares have {largest_entropy(kmeans):.2f} bits."
        statuses.append(Status(sentence, bool(kmeans_bits < standard_bits)))
    return statuses


FREE = Experiment("Explore freely", "")
EXPERIMENTS = {
    experiment.name: experiment
    for experiment in (
        FREE,
        Experiment(
            "1 · From house to boat",
            "Move the triangle up and to the right in small steps (arrow keys) until every routing chooses the boat. "
            "Do they change their minds at the same place?",
            {"scene": HOUSE, "start": "Two parts of a house", "noise": 0.0, "iterations": 5.0},
            _boat_wins,
        ),
        Experiment(
            "2 · One part too many",
            "Move or turn one part of the house until EM takes it from the house. Does k-means notice?",
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
            f"Raise the noise until a routing chooses the house in fewer than half of {N_DRAWS} draws. Which routing "
            "holds out longest?",
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
