"""What the paper says of embedding, routing and loss (Ren, Lu 2022, tables 4 to 6) beside the trainings here."""

from typing import NamedTuple

import pandas as pd

from core.analysis.intervals import interval_of_difference

FINAL = "margin+focal"  # the paper's loss


class Network(NamedTuple):
    """A network of the sweep."""

    embedding: str
    routing: str
    loss: str = FINAL


LINEAR = Network("plain", "none")
# Each: what the paper says, and the two networks of which it finds the first one better.
CLAIMS = (
    ("Table 4: margin + focal is better than cross entropy", LINEAR, LINEAR._replace(loss="cross-entropy")),
    ("Table 4: margin + focal is better than margin alone", LINEAR, LINEAR._replace(loss="margin")),
    ("Table 4: margin + focal is better than focal alone", LINEAR, LINEAR._replace(loss="focal")),
    (
        "Table 4: margin alone is better than with cross entropy",
        LINEAR._replace(loss="margin"),
        LINEAR._replace(loss="cross-entropy+margin"),
    ),
    ("Table 5: k-means routing is better than dynamic routing", Network("cwc", "kmeans"), Network("cwc", "dynamic")),
    ("Table 6: capsules are better than a linear layer, CWC", Network("cwc", "kmeans"), Network("cwc", "none")),
    ("Table 6: capsules are better than a linear layer, CC", Network("cc", "kmeans"), Network("cc", "none")),
    ("Table 6: a linear layer is better than capsules, plain vectors", LINEAR, Network("plain", "kmeans")),
    ("Table 6: CWC is better than CC", Network("cwc", "kmeans"), Network("cc", "kmeans")),
    (
        "Table 6: CWC is better than plain vectors, both with capsules",
        Network("cwc", "kmeans"),
        Network("plain", "kmeans"),
    ),
)


def findings(table: pd.DataFrame) -> pd.DataFrame:
    """One row for each claim of which both networks have been trained: the paper's difference, ours, and agreement.

    They agree if the difference has the paper's sign and its 95% interval does not contain 0.
    """
    groups = {Network(*names): group for names, group in table.groupby(["embedding", "routing", "loss"])}
    rows = [
        (claim, *_compare(groups[better], groups[worse]))
        for claim, better, worse in CLAIMS
        if better in groups and worse in groups
    ]
    return pd.DataFrame(rows, columns=["The paper found", "by points", "Here, by points (95% interval)", "They agree"])


def _compare(better: pd.DataFrame, worse: pd.DataFrame) -> tuple[str, str, str]:
    """The difference in the paper, the difference here with its interval, and whether they agree."""
    theirs = better["paper"].iloc[0] - worse["paper"].iloc[0]
    first, second = better["test"].tolist(), worse["test"].tolist()
    low, high = interval_of_difference(first, second, int(better["tested_on"].max()))
    agree = "yes" if low > 0 else "no" if high < 0 else "within chance"
    return f"{100 * theirs:+.2f}", f"{50 * (low + high):+.2f} ({100 * low:+.2f} to {100 * high:+.2f})", agree
