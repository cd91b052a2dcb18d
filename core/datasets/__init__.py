"""Datasets in their official layouts, one corpus a file: texts are read into a Split, pairs of pictures into a Part.

Both have a length, ``classes``, ``first(n)`` and ``batches()``. ``CORPORA`` names, for each corpus, the function
(folder, split, n_classes) of its official evaluation.
"""

from core.datasets import sst
from core.datasets.part import Part, whole
from core.datasets.split import Split, data_root

CORPORA = {"sst": sst.sentences, "smallnorb": lambda folder, split, n_classes: whole(folder, split)}

__all__ = ["CORPORA", "Part", "Split", "data_root"]
