"""The papers of the networks, and accuracies that they report for those in our sweeps.

This module does not import PyTorch.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Paper:
    """A paper that a network is built from.

    Args:
        key: its key in a bibliography.
        short: authors and year, as in a sentence.
        authors, title, year, address: as in the bibliography.
        venue: entry of BibTeX for where it appeared.
    """

    key: str
    short: str
    authors: str
    title: str
    year: int
    venue: str
    address: str

    @property
    def bibtex(self) -> str:
        """The entry for BibTeX."""
        kind = "inproceedings" if self.venue.startswith("booktitle") else "misc"
        entries = f"author = {{{self.authors}}}", f"title = {{{{{self.title}}}}}", f"year = {{{self.year}}}", self.venue
        lines = ",\n  ".join([*entries, f"url = {{{self.address}}}"])
        return f"@{kind}{{{self.key},\n  {lines}\n}}"


PAPERS = {  # by ``Trace.paper``
    "gong2018": Paper(
        "gong2018",
        "Gong, Qiu, Wang and Huang 2018",
        "Gong, Jingjing and Qiu, Xipeng and Wang, Shaojing and Huang, Xuanjing",
        "Information Aggregation via Dynamic Routing for Sequence Encoding",
        2018,
        "booktitle = {Proceedings of COLING 2018}",
        "https://aclanthology.org/C18-1232/",
    ),
    "ren2022": Paper(
        "ren2022",
        "Ren and Lu 2022",
        "Ren, Hao and Lu, Hong",
        "Compositional Coding Capsule Network with K-Means Routing for Text Classification",
        2022,
        "howpublished = {arXiv:1810.09177}",
        "https://arxiv.org/abs/1810.09177",
    ),
    "heinsen2019": Paper(
        "heinsen2019",
        "Heinsen 2019",
        "Heinsen, Franz A.",
        "An Algorithm for Routing Capsules in All Domains",
        2019,
        "howpublished = {arXiv:1911.00792}",
        "https://arxiv.org/abs/1911.00792",
    ),
    "guo2017": Paper(
        "guo2017",
        "Guo 2017",
        "Guo, Hongyu",
        "A Deep Network with Visual Text Composition Behavior",
        2017,
        "booktitle = {Proceedings of ACL 2017, Short Papers}",
        "https://aclanthology.org/P17-2059/",
    ),
    "wang2018": Paper(
        "wang2018",
        "Wang 2018",
        "Wang, Baoxin",
        "Disconnected Recurrent Neural Networks for Text Categorization",
        2018,
        "booktitle = {Proceedings of ACL 2018}",
        "https://aclanthology.org/P18-1215/",
    ),
}

AGGREGATIONS = ("max", "mean", "attentive", "standard", "reversed")
AGGREGATION_ACCURACY: dict[str, dict[str, float]] = {  # Gong et al. 2018, table 3: by corpus and aggregation
    "sst5": dict(zip(AGGREGATIONS, (0.480, 0.462, 0.482, 0.505, 0.493), strict=True)),
    "sst2": dict(zip(AGGREGATIONS, (0.870, 0.852, 0.864, 0.876, 0.872), strict=True)),
}
IMDB_ACCURACY = 0.451  # Gong et al. 2018, table 3: standard DR-AGG on reviews in ten classes
ATTENTION_ACCURACY = {15: 0.505, 3: 0.490, 1: 0.485}  # Guo 2017, section 3.2: by the number of layers with attention
PLAIN = ("plain", "none")  # word vectors in a table, and a linear layer
CAPSULES_ACCURACY = {  # Ren, Lu 2022, table 6, and table 5 for dynamic routing: by embedding and routing
    PLAIN: 0.9264,
    ("cc", "none"): 0.8313,
    ("cwc", "none"): 0.9193,
    ("plain", "kmeans"): 0.9218,
    ("cc", "kmeans"): 0.8405,
    ("cwc", "kmeans"): 0.9239,
    ("cwc", "dynamic"): 0.9214,
}
DBPEDIA_ACCURACY = {("cwc", "kmeans"): 0.9872, ("cwc", "dynamic"): 0.9870}  # Ren, Lu 2022, table 5, in the same way
LOSS_ACCURACY = {  # Ren, Lu 2022, table 4: by the loss of the network ``PLAIN``
    "cross-entropy": 0.9205,
    "focal": 0.9213,
    "margin": 0.9237,
    "cross-entropy+focal": 0.9209,
    "cross-entropy+margin": 0.9195,
    "margin+focal": 0.9264,
    "cross-entropy+margin+focal": 0.9238,
}


def capsules_accuracy(corpus: str, embedding: str, routing: str, loss: str) -> float:
    """The accuracy of a CCCaps network; KeyError if the paper does not report it.

    Args:
        corpus: "ag_news" or "dbpedia".
        embedding, routing, loss: as in ``core.training.recipes.cccaps``.
    """
    if corpus == "dbpedia":
        return DBPEDIA_ACCURACY[embedding, routing]
    return LOSS_ACCURACY[loss] if (embedding, routing) == PLAIN else CAPSULES_ACCURACY[embedding, routing]
