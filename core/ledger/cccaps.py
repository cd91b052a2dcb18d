"""Claims of Ren and Lu 2022 (CCCaps)."""

from typing import NamedTuple

from core.ledger.claim import Claim, Measured, of_checkpoint, of_difference, of_mean
from core.sweep.papers import LOSSES, of_capsules

PAPER = "CCCaps"
FINAL = "margin+focal"  # the paper's loss


class Network(NamedTuple):
    """A network of the sweep of capsules."""

    embedding: str
    routing: str
    loss: str = FINAL
    corpus: str = "ag_news"

    @property
    def paper(self) -> float:
        """The paper's accuracy."""
        return of_capsules(self.corpus, self.embedding, self.routing, self.loss)


LINEAR = Network("plain", "none")
CWC = Network("cwc", "kmeans")
ON_DBPEDIA = CWC._replace(corpus="dbpedia")
BETTER = (  # table, the claim, the network that is better, the one that is worse
    ("table 4", "Margin and focal loss are better than cross entropy", LINEAR, LINEAR._replace(loss="cross-entropy")),
    ("table 4", "Margin and focal loss are better than margin alone", LINEAR, LINEAR._replace(loss="margin")),
    ("table 4", "Margin and focal loss are better than focal alone", LINEAR, LINEAR._replace(loss="focal")),
    (
        "table 4",
        "Margin loss is better alone than with cross entropy",
        LINEAR._replace(loss="margin"),
        LINEAR._replace(loss="cross-entropy+margin"),
    ),
    ("table 5", "k-means routing is better than dynamic routing on AG's News", CWC, Network("cwc", "dynamic")),
    (
        "table 5",
        "k-means routing is better than dynamic routing on DBpedia",
        ON_DBPEDIA,
        ON_DBPEDIA._replace(routing="dynamic"),
    ),
    ("table 6", "With CWC, capsules are better than a linear layer", CWC, Network("cwc", "none")),
    ("table 6", "With CC, capsules are better than a linear layer", Network("cc", "kmeans"), Network("cc", "none")),
    ("table 6", "With plain vectors, a linear layer is better than capsules*", LINEAR, Network("plain", "kmeans")),
    ("table 6", "With capsules, CWC is better than CC", CWC, Network("cc", "kmeans")),
    ("table 6", "With capsules, plain vectors are better than CC", Network("plain", "kmeans"), Network("cc", "kmeans")),
    ("table 6", "With capsules, CWC is better than plain vectors*", CWC, Network("plain", "kmeans")),
)


def _parameters() -> Measured:
    """How many cells of table 7 are the paper's."""
    from core.measured.table_7 import count_parameters  # imports PyTorch

    agree = count_parameters()["agree"]
    return Measured(
        f"{agree.sum()} of {len(agree)} equal to two decimals", "agrees" if agree.all() else "does not agree"
    )


CLAIMS = (
    of_checkpoint(PAPER, "tables 1 and 5", "CCCaps' accuracy on AG's News, k-means routing", "cccaps-ag"),
    of_checkpoint(PAPER, "table 5", "CCCaps' accuracy on AG's News, dynamic routing", "cccaps-dynamic-ag"),
    *(
        of_mean(
            PAPER,
            place,
            f"CCCaps' accuracy on DBpedia, {name} routing",
            "capsules",
            ON_DBPEDIA._replace(routing=routing)._asdict(),
            ON_DBPEDIA._replace(routing=routing).paper,
        )
        for place, name, routing in (("tables 1 and 5", "k-means", "kmeans"), ("table 5", "dynamic", "dynamic"))
    ),
    *(
        of_mean(
            PAPER, "table 4", f"Accuracy with the loss {loss}", "capsules", LINEAR._replace(loss=loss)._asdict(), share
        )
        for loss, share in LOSSES.items()
    ),
    *(
        of_difference(
            PAPER,
            place,
            claim,
            "capsules",
            better._asdict(),
            worse._asdict(),
            better.paper - worse.paper,
        )
        for place, claim, better, worse in BETTER
    ),
    Claim(
        PAPER,
        "table 7",
        "Millions of parameters of six networks on eight datasets",
        "48 numbers",
        "python -m pytest tests/core/measured/test_table_7.py",
        "../core/measured/table_7.py",
        _parameters,
    ),
    Claim(PAPER, "table 1", "CCCaps' accuracy on Yelp's polarity", "96.48%", why="Yelp's reviews are not read here"),
)
