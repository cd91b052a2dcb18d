"""Measures the answers of a network on the examples of its page, some of which its paper prints."""

from pathlib import Path

import numpy as np
from numpy import ndarray

from core.checkpoint import Checkpoint
from core.datasets import corpus_of
from core.networks.run import explain


def measure(checkpoint: Checkpoint, folder: Path) -> tuple[dict[str, ndarray], str]:
    """The arrays "examples" of ``core.measured.store``, and a phrase for the texts. ``folder`` is not read.

    Raises:
        ValueError: the network's corpus has no examples.
    """
    corpus = corpus_of(checkpoint.corpus)
    examples = corpus.examples_for(checkpoint.kind) if corpus else {}
    if not examples:
        raise ValueError(f"{checkpoint.name} has a page without examples")
    runs = [explain(checkpoint, text) for text in examples.values()]
    rows = [run.probabilities[run.own_step - 1] for run in runs]
    return {"names": np.array(list(examples)), "probabilities": np.stack(rows)}, f"{len(examples)} examples"
