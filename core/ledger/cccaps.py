"""Claims of Ren and Lu 2022 (CCCaps)."""

from collections.abc import Callable
from dataclasses import replace
from math import hypot
from typing import NamedTuple

from core.ledger.claim import (
    COUNT,
    Claim,
    Measured,
    checkpoint_claim,
    command_for_each,
    difference_claim,
    evidence_of,
    judge_difference,
    mean_claim,
    observed,
    pair_claim,
)
from core.ledger.trainings import UNPAIRED
from core.measured.evidence.record import UNIFORM, Estimate, Evidence
from core.papers import LOSS_ACCURACY, capsules_accuracy

PAPER = "CCCaps"
FINAL = "margin+focal"  # the paper's loss
SAVED = (0.2468, 0.3629)  # least and largest share of parameters that CWC saves in the paper, without AG's News
XLNET = 193.26  # millions of parameters on AG's News (table 2)
SHARE_OF_XLNET = 0.0127  # CCCaps' parameters as a share of XLNet's, as the paper states it
STABLE = ("cccaps-ag", "cccaps-dynamic-ag")  # the network that the paper calls more stable, and the other one
FEWER = "trained on a tenth of the texts"
ON_A_SAMPLE = "trained on a fiftieth of the texts, without titles; tested on 1,400 other texts of the training split"
SHORT = "trained for four epochs on a tenth of the texts"
PRETRAINED_CODES = "both networks start near pretrained vectors; in the paper, both start at random"


class SweptNetwork(NamedTuple):
    """A network in the sweep of capsules."""

    embedding: str
    routing: str
    loss: str = FINAL
    corpus: str = "ag_news"

    @property
    def paper(self) -> float:
        """The paper's accuracy."""
        return capsules_accuracy(self.corpus, self.embedding, self.routing, self.loss)


LINEAR = SweptNetwork("plain", "none")
CWC = SweptNetwork("cwc", "kmeans")
ON_DBPEDIA = CWC._replace(corpus="dbpedia")
# A star marks a claim that a cell of a table shows, but that the paper's text does not make for all datasets.
BETTER = (  # table, claim, better network, worse network, what differs from the paper so that the claim stays open
    ("table 4", "Margin + focal loss is better than cross entropy", LINEAR, LINEAR._replace(loss="cross-entropy")),
    ("table 4", "Margin + focal loss is better than margin loss alone", LINEAR, LINEAR._replace(loss="margin")),
    ("table 4", "Margin + focal loss is better than focal loss alone", LINEAR, LINEAR._replace(loss="focal")),
    (
        "table 4",
        "Margin loss alone is better than margin loss + cross entropy",
        LINEAR._replace(loss="margin"),
        LINEAR._replace(loss="cross-entropy+margin"),
    ),
    ("table 5", "k-means routing is better than dynamic routing on AG's News", CWC, SweptNetwork("cwc", "dynamic")),
    (
        "table 5",
        "k-means routing is better than dynamic routing on DBpedia",
        ON_DBPEDIA,
        ON_DBPEDIA._replace(routing="dynamic"),
        ON_A_SAMPLE,
    ),
    ("table 6", "With CWC, capsules are better than a linear layer", CWC, SweptNetwork("cwc", "none")),
    (
        "table 6",
        "With CC, capsules are better than a linear layer",
        SweptNetwork("cc", "kmeans"),
        SweptNetwork("cc", "none"),
    ),
    ("table 6", "With plain vectors, a linear layer is better than capsules*", LINEAR, SweptNetwork("plain", "kmeans")),
    (
        "table 6",
        "With a linear layer, CWC is better than CC",
        SweptNetwork("cwc", "none"),
        SweptNetwork("cc", "none"),
        PRETRAINED_CODES,
    ),
    (
        "table 6",
        "With a linear layer, plain vectors are better than CWC*",
        LINEAR,
        SweptNetwork("cwc", "none"),
        PRETRAINED_CODES,
    ),
    (
        "table 6",
        "With a linear layer, plain vectors are better than CC",
        LINEAR,
        SweptNetwork("cc", "none"),
        PRETRAINED_CODES,
    ),
    ("table 6", "With capsules, CWC is better than CC", CWC, SweptNetwork("cc", "kmeans"), PRETRAINED_CODES),
    (
        "table 6",
        "With capsules, plain vectors are better than CC",
        SweptNetwork("plain", "kmeans"),
        SweptNetwork("cc", "kmeans"),
        PRETRAINED_CODES,
    ),
    (
        "table 6",
        "With capsules, CWC is better than plain vectors*",
        CWC,
        SweptNetwork("plain", "kmeans"),
        PRETRAINED_CODES,
    ),
)


def _parameters() -> Measured:
    """Count the cells of table 7 in which our number is the paper's."""
    from core.ledger.table_7 import count_parameters  # imports PyTorch

    agree = count_parameters()["agree"]
    return observed(f"{agree.sum()} of {len(agree)} equal to two decimals", bool(agree.all()))


def _saved() -> Measured:
    """Measure the share of parameters that CWC saves with a linear layer, on the datasets other than AG's News."""
    from core.ledger.table_7 import count_parameters  # imports PyTorch

    cells = count_parameters().query("dataset != 'AG' and routing == 'none'")
    millions = cells.pivot(index="dataset", columns="embedding", values="here")
    saved = 1 - millions["cwc"] / millions["plain"]
    equal = (round(saved.min(), 4), round(saved.max(), 4)) == SAVED
    return observed(f"{saved.min():.2%} to {saved.max():.2%}", equal)


def _share_of_xlnet() -> Measured:
    """Compare the size of CCCaps on AG's News with XLNet's size, as the paper states it."""
    from core.ledger.table_7 import count_parameters  # imports PyTorch

    network = "dataset == 'AG' and embedding == 'cwc' and routing == 'kmeans'"
    (millions,) = count_parameters().query(network)["here"]
    return observed(f"{millions / XLNET:.2%} of {XLNET} million", round(millions / XLNET, 4) == SHARE_OF_XLNET)


def _stable() -> Measured | None:
    """Compare how much the accuracies of dynamic and k-means routing change with other numbers of iterations."""
    stable, unstable = map(evidence_of, STABLE)
    if stable is None or unstable is None:
        return None
    kmeans, dynamic = _largest_change(stable), _largest_change(unstable)
    excess = abs(dynamic.mean) - abs(kmeans.mean)
    half = hypot(kmeans.high - kmeans.low, dynamic.high - dynamic.low) / 2
    equal = all(evidence.couplings[UNIFORM].change.is_within_chance for evidence in (stable, unstable))
    here = judge_difference(
        excess - half, excess + half, UNPAIRED + "; equal couplings do as well in both networks" * equal
    )
    text = (
        f"with 1 to {len(stable.iterations)} iterations, accuracy changes by at most {100 * abs(dynamic.mean):.2f} "
        f"points with dynamic routing, {100 * abs(kmeans.mean):.2f} with k-means routing"
    )
    return replace(here, text=f"{here.text}, the change of dynamic routing minus that of k-means routing; {text}")


def _largest_change(evidence: Evidence) -> Estimate:
    """The change in accuracy with the number of iterations that changes it most; in a tie, the least certain one."""
    changes = [one.change for one in evidence.iterations]
    return max(changes, key=lambda change: (abs(change.mean), change.high - change.low))


def _count_claim(claim: str, place: str, theirs: str, measure: Callable[[], Measured]) -> Claim:
    """A claim about numbers of parameters, which we count."""
    command = "python -m pytest tests/core/ledger/test_table_7.py"
    return Claim(PAPER, place, claim, theirs, command, "../core/ledger/table_7.py", measure, kind=COUNT)


CLAIMS = (
    checkpoint_claim(PAPER, "tables 1 and 5", "CCCaps' accuracy on AG's News, k-means routing", "cccaps-ag"),
    checkpoint_claim(PAPER, "table 5", "CCCaps' accuracy on AG's News, dynamic routing", "cccaps-dynamic-ag"),
    *(
        mean_claim(
            PAPER,
            place,
            f"CCCaps' accuracy on DBpedia, {name} routing",
            "capsules",
            ON_DBPEDIA._replace(routing=routing)._asdict(),
            ON_DBPEDIA._replace(routing=routing).paper,
            ON_A_SAMPLE,
        )
        for place, name, routing in (("tables 1 and 5", "k-means", "kmeans"), ("table 5", "dynamic", "dynamic"))
    ),
    *(
        mean_claim(
            PAPER,
            "table 4",
            f"Accuracy with {loss.replace('+', ' + ')} loss",
            "capsules",
            LINEAR._replace(loss=loss)._asdict(),
            share,
            FEWER,
        )
        for loss, share in LOSS_ACCURACY.items()
    ),
    *(
        difference_claim(
            PAPER,
            place,
            claim,
            "capsules",
            better._asdict(),
            worse._asdict(),
            better.paper - worse.paper,
            *differs,
        )
        for place, claim, better, worse, *differs in BETTER
    ),
    difference_claim(
        PAPER,
        "table 6",
        "With capsules, CWC is better than CC (our codes start at random, too)",
        "codes",
        {"embedding": "cwc"},
        {"embedding": "cc"},
        CWC.paper - SweptNetwork("cc", "kmeans").paper,
        SHORT,
    ),
    pair_claim(
        PAPER,
        "table 5",
        "k-means routing is better than dynamic routing on AG's News (our shipped networks)",
        "cccaps-ag",
        "cccaps-dynamic-ag",
        CWC.paper - SweptNetwork("cwc", "dynamic").paper,
    ),
    Claim(
        PAPER,
        "section 3.2",
        "k-means routing is more stable than dynamic routing",
        "",
        command_for_each("python -m core evidence {} --data DIR", *STABLE),
        "cccaps-ag/evidence.json",
        _stable,
    ),
    _count_claim("Millions of parameters, for six networks and eight datasets", "table 7", "48 numbers", _parameters),
    _count_claim("On seven datasets, CWC saves parameters", "section 4.4", "24.68% to 36.29%", _saved),
    _count_claim("On AG's News, CCCaps has far fewer parameters than XLNet", "section 4.3", "1.27%", _share_of_xlnet),
    Claim(
        PAPER, "table 1", "CCCaps' accuracy on Yelp's polarity", "96.48%", why="Routescope does not read Yelp's reviews"
    ),
)
