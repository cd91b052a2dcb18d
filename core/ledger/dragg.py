"""Claims of Gong et al. 2018 (DR-AGG)."""

from typing import Any

import pandas as pd

from core.analysis.intervals import interval_of_difference
from core.ledger.claim import (
    Claim,
    Measured,
    command_of,
    of_difference,
    of_mean,
    points,
    select,
)
from core.sweep.papers import AGGREGATION

PAPER = "DR-AGG"
TEXTS = {"sst5": "SST-5", "sst2": "SST-2"}  # the paper calls the former SST-1
NAMES = {
    "standard": "standard DR-AGG",
    "reversed": "reversed DR-AGG",
    "max": "max pooling",
    "mean": "average pooling",
    "attentive": "self-attention",
}


def _network(corpus: str, aggregation: str) -> dict[str, Any]:
    return {"corpus": corpus, "aggregation": aggregation}


def gain_of_iterations(table: pd.DataFrame) -> tuple[float, float] | None:
    """The 95% interval of what three iterations gain over one, over the networks with several capsules.

    None if there are no two such networks that differ in this alone.
    """
    several = table[(table["n_capsules"] > 1) & table["n_iters"].isin([1, 3])]
    both = several[several.groupby(["n_capsules", "seed"])["n_iters"].transform("nunique") == 2]
    three, one = (both[both["n_iters"] == n]["test"].tolist() for n in (3, 1))
    return interval_of_difference(three, one, int(both["tested_on"].max())) if len(both) else None


def _iterations() -> Measured | None:
    table = select("iterations", {"corpus": "sst2"})
    gain = None if table is None else gain_of_iterations(table)
    return points(*gain) if gain else None


CLAIMS = (
    *(
        of_mean(
            PAPER,
            "table 3",
            f"Accuracy of {name} on {TEXTS[corpus]}",
            "aggregation",
            _network(corpus, aggregation),
            AGGREGATION[corpus][aggregation],
        )
        for corpus in TEXTS
        for aggregation, name in NAMES.items()
    ),
    *(
        of_difference(
            PAPER,
            "table 3",
            f"Standard DR-AGG is better than {NAMES[other]} on {TEXTS[corpus]}",
            "aggregation",
            _network(corpus, "standard"),
            _network(corpus, other),
            AGGREGATION[corpus]["standard"] - AGGREGATION[corpus][other],
        )
        for corpus in TEXTS
        for other in ("attentive", "max", "reversed")
    ),
    Claim(
        PAPER,
        "figure 2",
        "Trained with 3 iterations, DR-AGG is better than with 1",
        "",
        command_of("iterations"),
        "sweeps/iterations.parquet",
        _iterations,
    ),
    Claim(PAPER, "table 3", "Accuracy on Yelp 2013", "62.1%", why="Yelp's reviews are not read here"),
    Claim(PAPER, "table 3", "Accuracy on IMDB, ten classes", "45.1%", why="that corpus of IMDB is not read here"),
)
