"""Parameters of the networks of Ren and Lu (2022) on eight datasets: our counts next to their table 7."""

from functools import cache

import pandas as pd

from core.layers.compositional import parameter_bill
from core.models import CCCaps, CCCapsConfig

DATASETS = {  # words in the vocabulary, and classes (table 3)
    "AG": (62_535, 4),
    "DBP": (548_338, 14),
    "Yah.A": (771_820, 10),
    "Sogou": (106_385, 5),
    "Yelp.P": (200_790, 2),
    "Yelp.F": (216_985, 5),
    "Amz.P": (931_271, 2),
    "Amz.F": (835_818, 5),
}
IN_PAPER = {  # millions of parameters by word vectors and last layer, in the order of the datasets
    ("plain", "none"): (4.45, 35.54, 49.84, 7.25, 13.30, 14.33, 60.05, 53.94),
    ("cc", "none"): (2.45, 26.77, 37.50, 4.70, 8.48, 9.13, 45.15, 40.57),
    ("cwc", "none"): (2.45, 26.77, 37.50, 4.70, 8.48, 9.13, 45.15, 40.57),
    ("plain", "kmeans"): (4.46, 35.57, 49.86, 7.26, 13.30, 14.34, 60.05, 53.95),
    ("cc", "kmeans"): (2.46, 26.80, 37.52, 4.71, 8.48, 9.14, 45.15, 40.58),
    ("cwc", "kmeans"): (2.46, 26.80, 37.52, 4.71, 8.48, 9.14, 45.15, 40.58),
}


def count_parameters() -> pd.DataFrame:
    """Count parameters: a row per network and dataset with our millions, the paper's, and whether they agree."""
    rows = []
    for (embedding, routing), millions in IN_PAPER.items():
        for (dataset, (n_words, n_classes)), paper in zip(DATASETS.items(), millions, strict=True):
            here = round(_count_the_rest(routing, n_classes) / 1e6 + _count_word_vectors(embedding, n_words) / 1e6, 2)
            network = {"embedding": embedding, "routing": routing, "dataset": dataset}
            rows.append(network | {"here": here, "paper": paper, "agree": here == paper})
    return pd.DataFrame(rows)


def _count_word_vectors(embedding: str, n_words: int) -> int:
    """The parameters of the word vectors for a vocabulary."""
    composed, plain, _ = parameter_bill(n_words, CCCapsConfig.d_word, CCCapsConfig.n_books)
    return plain if embedding == "plain" else composed


@cache
def _count_the_rest(routing: str, n_classes: int) -> int:
    """The trained parameters other than word vectors, counted in a network with a single word."""
    network = CCCaps(CCCapsConfig(n_words=1, n_classes=n_classes, embedding="plain", routing=routing))
    return sum(p.numel() for p in network.parameters() if p.requires_grad) - _count_word_vectors("plain", 1)
