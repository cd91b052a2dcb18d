"""Records whether a checkpoint answers each test sample correctly, so that checkpoints can be compared in pairs."""

from math import ceil
from pathlib import Path

import numpy as np
from jaxtyping import Bool
from numpy import ndarray

from core.datasets import BY_SENTENCE, CORPORA, smallnorb
from core.manifest import describe
from core.measured import store


def arrays_of(right: Bool[ndarray, " n"], corpus: str, n_classes: int, folder: Path) -> dict[str, ndarray]:
    """The arrays "answers" of ``core.measured.store``.

    Args:
        right: whether each sample of the test split is answered correctly, in the order of the split.
        corpus, n_classes: corpus and number of classes of the checkpoint.
        folder: folder of the dataset.
    """
    record = CORPORA[corpus.removesuffix(BY_SENTENCE)]
    rendered = smallnorb.rendered_by(folder) if record is smallnorb.CORPUS else ""
    data = f"the test split of {record.title_in(n_classes)}" + f", {rendered}" * bool(rendered)
    return {"bits": np.packbits(right), "n": np.array([len(right)]), "data": np.array(data)}


def read(name: str) -> tuple[Bool[ndarray, " n"], str] | None:
    """Read whether a checkpoint answers each sample correctly, and a phrase for the samples; None if not measured."""
    arrays = store.read("answers", name)
    if arrays is None or len(arrays["bits"]) != ceil(int(arrays["n"][0]) / 8):
        return None
    return np.unpackbits(arrays["bits"], count=int(arrays["n"][0])).astype(bool), str(arrays["data"])


def check_replaces(name: str, n: int) -> None:
    """Raise ValueError if a checkpoint was measured on more than n samples of its test split."""
    kept, measured = read(name), describe(name).metrics.test.n
    known = max(len(kept[0]) if kept else 0, measured or 0)
    if known > n:
        raise ValueError(
            f"{name} was measured on {known:,} test samples, and only {n:,} are here: --keep needs all of them"
        )
