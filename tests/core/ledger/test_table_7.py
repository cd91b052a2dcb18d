from core.ledger.table_7 import DATASETS, IN_PAPER, count_parameters
from core.models import CCCaps, CCCapsConfig


def test_every_cell_of_table_7_is_the_paper_s():
    cells = count_parameters()
    assert len(cells) == len(DATASETS) * len(IN_PAPER) == 48
    assert cells["agree"].all()


def test_the_count_is_that_of_the_whole_network():
    cell = count_parameters().set_index(["embedding", "routing", "dataset"]).loc[("cwc", "kmeans", "Sogou")]
    n_words, n_classes = DATASETS["Sogou"]
    network = CCCaps(CCCapsConfig(n_words=n_words, n_classes=n_classes))
    assert cell["here"] == round(sum(p.numel() for p in network.parameters() if p.requires_grad) / 1e6, 2)
