"""The baselines of DR-AGG: the same BiLSTM and head, but with pooled states (Gong et al. 2018, section 3)."""

from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from core.layers.initial import xavier
from core.models.check import check_sizes
from core.models.words import ReadsWords, states
from core.types import Mask, check_mask

Pooling = Literal["max", "mean", "attentive"]


@dataclass(frozen=True)
class PooledConfig:
    """Sizes of the paper's table 2.

    Args:
        pooling: "max" (eq. 6), "mean" (eq. 7), or "attentive" for self-attention (eq. 8-10).
    """

    n_words: int
    n_classes: int
    pooling: Pooling = "max"
    d_word: int = 300
    d_hidden: int = 200
    d_mlp: int = 300
    d_piece: int = 384
    dropout_word: float = 0.5
    dropout_encoding: float = 0.5

    def __post_init__(self):
        check_sizes(self, ("n_words", "d_word"), ("d_hidden", "d_hidden"))


class Pooled(ReadsWords):
    """Maps word ids to class logits."""

    def __init__(self, config: PooledConfig):
        c = config
        super().__init__(c.n_words, c.d_word, c.d_piece, c.dropout_word)
        self.config = config
        self.encoder = nn.LSTM(c.d_word, c.d_hidden, batch_first=True, bidirectional=True)
        self.query = nn.Linear(2 * c.d_hidden, 1, bias=False) if c.pooling == "attentive" else None
        self.mlp = nn.Sequential(
            nn.Dropout(c.dropout_encoding),
            nn.Linear(2 * c.d_hidden, c.d_mlp),
            nn.ReLU(),
            nn.Linear(c.d_mlp, c.n_classes),
        )
        xavier(self)

    def forward(
        self, words: Int[Tensor, "b i"], mask: Mask = None, unknown: Float[Tensor, "u piece"] | None = None
    ) -> Float[Tensor, "b classes"]:
        """Class logits. Arguments and errors as in ``ReadsWords.forward``."""
        if mask is not None:
            check_mask(mask, words.shape)
        h = states(self.encoder, self.embed(words, unknown), mask)
        real = torch.ones_like(words, dtype=torch.bool) if mask is None else mask
        return self.mlp(self.pool(h, real.unsqueeze(-1)))

    def pool(self, h: Float[Tensor, "b i state"], real: Bool[Tensor, "b i 1"]) -> Float[Tensor, "b state"]:
        """Pool the states of the real words into one vector."""
        if self.config.pooling == "max":
            return h.masked_fill(~real, -torch.inf).amax(1)
        if self.query is None:
            return (h * real).sum(1) / real.sum(1)
        return (self.query(h).masked_fill(~real, -torch.inf).softmax(1) * h).sum(1)
