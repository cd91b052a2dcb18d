"""The run of the toy network, which records a trace for explain, tables, evidence and pages."""

from collections.abc import Sequence

import torch

from core.checkpoint import Checkpoint
from core.edits import Edit
from core.networks.arrays import to_array
from core.networks.reading import read_words
from core.networks.words import WordNetwork
from tests.toy_network.model import Sum, SumConfig
from tests.toy_network.trace import SumTrace


class SumNetwork(WordNetwork, record=SumTrace):
    """The toy network, as commands and pages run it."""

    model, config = Sum, SumConfig

    def trace(
        self, checkpoint: Checkpoint, text: str, n_iters: int | None = None, edits: Sequence[Edit] = ()
    ) -> SumTrace:
        """Run the network on a text. Step t counts the share t / n_iters of every score."""
        inputs, about = read_words(checkpoint, text)
        trained = checkpoint.model.config.n_iters
        shares = torch.arange(1, (n_iters or trained) + 1)[:, None, None] / trained
        added = shares * checkpoint.model.score_words(**inputs)
        return SumTrace(probabilities=to_array(added.sum(1).softmax(-1)), added=to_array(added), **about)
