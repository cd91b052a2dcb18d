"""Datasets in their official layouts, one corpus a file, each read into the same Split.

``CORPORA`` names, for each corpus, the function (folder, split, n_classes) -> Split of its
official evaluation.
"""

from core.datasets import sst
from core.datasets.split import Split, data_root

CORPORA = {"sst": sst.sentences}

__all__ = ["CORPORA", "Split", "data_root"]
