"""A network that adds up a score for every word."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from core.models.words import ReadsWords


@dataclass(frozen=True)
class SumConfig:
    """The settings of the network."""

    n_words: int
    n_classes: int
    n_iters: int = 2
    d_word: int = 4
    d_piece: int = 384


class Sum(ReadsWords):
    """The network: its answer is the sum of the words' scores."""

    def __init__(self, config: SumConfig):
        super().__init__(config.n_words, config.d_word, config.d_piece, dropout=0)
        self.config = config
        self.score = nn.Linear(config.d_word, config.n_classes)

    def score_words(self, words: Tensor, mask: Tensor | None = None, unknown: Tensor | None = None) -> Tensor:
        """The score that each word adds to each class."""
        scores = self.score(self.embed(words, unknown))
        return scores if mask is None else torch.where(mask[..., None], scores, 0)

    def forward(self, words: Tensor, mask: Tensor | None = None, unknown: Tensor | None = None) -> Tensor:
        return self.score_words(words, mask, unknown).sum(1)
