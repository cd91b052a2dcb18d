"""Claims of Gong et al. 2018 (DR-AGG)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pandas as pd

from core import manifest
from core.ledger.claim import (
    ONE_TRAINING,
    Claim,
    Measured,
    checkpoint_claim,
    command_for_each,
    difference_claim,
    differs_of,
    evidence_of,
    gain,
    gain_over_others,
    mean_claim,
    observed,
    pair_claim,
    select,
    sweep_command,
    weakest,
)
from core.ledger.trainings import Trainings, near_best
from core.papers import AGGREGATION_ACCURACY, IMDB_ACCURACY

PAPER = "DR-AGG"
FROM_SENTENCES = "word vectors from MiniLM and 50 of GloVe's components; other batches and learning rate"
ON_CPU = "on a CPU, and on another corpus of reviews"
READINGS = {"by sentence": "routed by sentence", "flat": "all words routed at once"}
RATINGS = "another corpus of IMDB with eight ratings, and 10,000 reviews to train on"
BY_SENTENCE, FLAT = "dragg-imdb", "dragg-flat-imdb"
SENTENCE_NETWORKS = ("dragg-sst5", "dragg-reversed-sst5", "dragg-three-sst5", "dragg-sst2")
FROM_PHRASES = {  # shipped networks with an accuracy in the paper
    "dragg-sst5": "standard DR-AGG on SST-5",
    "dragg-reversed-sst5": "reversed DR-AGG on SST-5",
    "dragg-sst2": "standard DR-AGG on SST-2",
}
SHIPPED = {  # networks that also have a claim of their own, after the note
    ("sst5", "standard"): "; dragg-sst5, trained on phrases, has a claim of its own",
    ("sst5", "reversed"): "; dragg-reversed-sst5, trained on phrases, has a claim of its own",
    ("sst2", "standard"): "; dragg-sst2, trained on phrases, has a claim of its own",
}
NEAR = 0.5  # mean cosine over texts; two capsules with as much or more are said to hold the same
TEXTS = {"sst5": "SST-5", "sst2": "SST-2"}  # the paper calls the former SST-1
NAMES = {
    "standard": "standard DR-AGG",
    "reversed": "reversed DR-AGG",
    "max": "max pooling",
    "mean": "average pooling",
    "attentive": "self-attention",
}


def _network(corpus: str, aggregation: str) -> dict[str, Any]:
    """The column values of a network with GloVe's vectors in the sweep, whose couplings are free from the start."""
    return {"corpus": corpus, "aggregation": aggregation, "glove": True, "equal_epochs": 0}


def gain_of_iterations(table: pd.DataFrame) -> Measured | None:
    """The gain of three iterations over one, over the networks with several capsules.

    None if no two of these networks differ only in their iterations.
    """
    several = table[(table["n_capsules"] > 1) & table["n_iters"].isin([1, 3])]
    both = several[several.groupby(["n_capsules", "seed"])["n_iters"].transform("nunique") == 2]
    if not len(both):
        return None
    three, one = (Trainings.of_rows(both[both["n_iters"] == n].sort_values(["n_capsules", "seed"])) for n in (3, 1))
    return gain(three, one)


def best_iterations(table: pd.DataFrame) -> dict[int, tuple[int, list[int]]]:
    """``near_best`` of the numbers of iterations, by number of capsules from two up, if all of them are measured."""
    several = table[table["n_capsules"] > 1].groupby("n_capsules")
    numbers = table["n_iters"].nunique()
    return {int(n): near_best(rows, "n_iters") for n, rows in several if rows["n_iters"].nunique() == numbers > 1}


def _peaks(table: pd.DataFrame) -> Measured | None:
    """The gain of 3 iterations over the best other number, for the number of capsules with the smallest gain."""
    best = best_iterations(table)
    if not best:
        return None
    gains = {n: gain_over_others(table[table["n_capsules"] == n], "n_iters", 3) for n in best}
    n = weakest({n: here for n, (_, here) in gains.items()})
    rival, here = gains[n]
    listed = ", ".join(f"{t} with {n} capsules" for n, (t, _) in best.items())
    return replace(here, text=f"{here.text}, 3 iterations instead of {rival} with {n} capsules; best numbers: {listed}")


def _iterations_claim(claim: str, judge: Callable[[pd.DataFrame], Measured | None]) -> Claim:
    """A claim that the table of the sweep of iterations can judge."""

    def measure() -> Measured | None:
        table = select("iterations", {"corpus": "sst2"})
        return None if table is None else judge(table)

    return Claim(PAPER, "figure 2", claim, "", sweep_command("iterations"), "sweeps/iterations.parquet", measure)


def _capsules() -> Measured | None:
    """Measure how similar the capsules of the sentence networks are."""
    capsules = [capsule for name in SENTENCE_NETWORKS if (here := evidence_of(name)) for capsule in here.capsules]
    if not capsules:
        return None
    nearest = max(capsule.nearest.mean for capsule in capsules)
    text = f"the mean cosine of a capsule and the nearest other capsule is at most {nearest:.2f}"
    return observed(text, nearest < NEAR, f"the rule: capsules hold the same if this cosine is {NEAR} or more")


def _speed() -> Measured | None:
    """Compare training times: the network that routes sentence by sentence, as a multiple of the other one."""
    try:
        by_sentence, flat = (manifest.describe(name).metrics.training["minutes"] for name in (BY_SENTENCE, FLAT))
    except (KeyError, ValueError):
        return None
    text = f"by sentence, training on as many reviews took {by_sentence / flat:.2f} times as long"
    return observed(text, by_sentence < flat, ONE_TRAINING)


CLAIMS = (
    *(
        mean_claim(
            PAPER,
            "table 3",
            f"Accuracy of {name} on {TEXTS[corpus]}",
            "aggregation",
            _network(corpus, aggregation),
            AGGREGATION_ACCURACY[corpus][aggregation],
            FROM_SENTENCES + SHIPPED.get((corpus, aggregation), ""),
        )
        for corpus in TEXTS
        for aggregation, name in NAMES.items()
    ),
    *(
        checkpoint_claim(PAPER, "table 3", f"Accuracy of {network} (ours trained on phrases)", name)
        for name, network in FROM_PHRASES.items()
    ),
    *(
        difference_claim(
            PAPER,
            "table 3",
            f"{better.capitalize()} DR-AGG is better than {NAMES[worse]} on {TEXTS[corpus]}",
            "aggregation",
            _network(corpus, better),
            _network(corpus, worse),
            AGGREGATION_ACCURACY[corpus][better] - AGGREGATION_ACCURACY[corpus][worse],
        )
        for better, others in (("standard", ("attentive", "max", "reversed")), ("reversed", ("attentive", "max")))
        for corpus in TEXTS
        for worse in others
    ),
    pair_claim(
        PAPER,
        "table 3",
        "Standard DR-AGG is better than reversed DR-AGG on SST-5 (ours trained on phrases)",
        "dragg-sst5",
        "dragg-reversed-sst5",
        AGGREGATION_ACCURACY["sst5"]["standard"] - AGGREGATION_ACCURACY["sst5"]["reversed"],
        differs_of("dragg-sst5"),
    ),
    _iterations_claim("DR-AGG is better when trained with 3 iterations than with 1", gain_of_iterations),
    _iterations_claim("3 iterations are best for every number of capsules from 2 up", _peaks),
    Claim(
        PAPER,
        "section 3.1",
        "Capsules do not hold the same, so redundancy is avoided",
        "",
        command_for_each("python -m core evidence {} --data DIR", *SENTENCE_NETWORKS),
        "dragg-sst5/evidence.json",
        _capsules,
        differs=differs_of("dragg-sst5"),
    ),
    Claim(
        PAPER,
        "section 4",
        "Routing documents by sentence speeds up training",
        "",
        command_for_each("python -m core.training {} --data DIR", BY_SENTENCE, FLAT),
        f"{BY_SENTENCE}/metrics.json",
        _speed,
        differs=ON_CPU,
    ),
    Claim(PAPER, "table 3", "Accuracy on Yelp 2013", "62.1%", why="Routescope does not read Yelp's reviews"),
    Claim(PAPER, "table 3", "Accuracy on Yelp 2014", "63.0%", why="Routescope does not read Yelp's reviews"),
    *(
        mean_claim(
            PAPER,
            "table 3",
            f"Accuracy on IMDB, ten classes, {how}",
            "documents",
            {"reading": reading},
            IMDB_ACCURACY,
            RATINGS + "; the paper routes documents by sentence" * (reading == "flat"),
        )
        for reading, how in READINGS.items()
    ),
)
