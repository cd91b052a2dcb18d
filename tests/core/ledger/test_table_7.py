"""Our counts of parameters agree with table 7 of Ren and Lu (2022)."""

from core.ledger.table_7 import DATASETS, IN_PAPER, count_parameters
from core.models import CCCaps, CCCapsConfig


def test_all_counts_of_table_7_agree_with_the_paper():
    cells = count_parameters()
    assert len(cells) == len(DATASETS) * len(IN_PAPER) == 48
    assert cells["agree"].all()


def test_a_count_includes_all_trained_parameters():
    cell = count_parameters().set_index(["embedding", "routing", "dataset"]).loc[("cwc", "kmeans", "Sogou")]
    n_words, n_classes = DATASETS["Sogou"]
    network = CCCaps(CCCapsConfig(n_words=n_words, n_classes=n_classes))
    assert cell["here"] == round(sum(p.numel() for p in network.parameters() if p.requires_grad) / 1e6, 2)
