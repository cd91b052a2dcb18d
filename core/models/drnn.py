"""DRNN: disconnected recurrent states, pooled over positions (Wang 2018, ACL), and its twins under the same head."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from core.layers import UNITS, DisconnectedRNN
from core.models.check import check_sizes
from core.models.words import ReadsWords
from core.types import Mask, check_mask

WHOLE = {"whole gru": nn.GRU, "whole lstm": nn.LSTM}  # recurrent from the first word on, without a window
POOLINGS = ("max", "mean", "attentive")


@dataclass(frozen=True)
class DRNNConfig:
    """Sizes of the paper's section 4.1.

    unit: "gru", "lstm" or "rnn", disconnected after ``window`` words; "cnn", a convolution over ``window`` words; or
    one of ``WHOLE``, which have no window.
    """

    n_words: int
    n_classes: int
    window: int = 15
    unit: str = "gru"
    pooling: Literal["max", "mean", "attentive"] = "max"
    d_word: int = 300
    d_hidden: int = 300
    d_mlp: int = 300
    d_piece: int = 384
    dropout: float = 0.5  # of word vectors and before each layer after the encoder
    dropout_hidden: float = 0.1  # of hidden states, one mask a step

    def __post_init__(self):
        check_sizes(self, ("n_words", "d_word"), ("d_hidden", "d_hidden"), ("d_hidden", "window", "d_word"))
        units = (*UNITS, "cnn", *WHOLE)
        if self.unit not in units:
            raise ValueError(f"unit is {self.unit!r}, wanted one of {', '.join(units)}")
        if self.pooling not in POOLINGS:
            raise ValueError(f"pooling is {self.pooling!r}, wanted one of {', '.join(POOLINGS)}")


class Windows(NamedTuple):
    """The outputs of the network for every window 1, 2, ..."""

    logits: Float[Tensor, "b w classes"]
    parts: Float[
        Tensor, "b w n m"
    ]  # contribution of each position to the pooled vector; with max, all of a component or none
    evidence: Float[Tensor, "b w n classes"]  # its contribution to each logit


class DRNN(ReadsWords):
    """Word ids to class logits."""

    def __init__(self, config: DRNNConfig):
        c = config
        super().__init__(c.n_words, c.d_word, c.d_piece, c.dropout)
        self.config = config
        if c.unit in WHOLE:
            self.encoder = WHOLE[c.unit](c.d_word, c.d_hidden, batch_first=True)
        elif c.unit == "cnn":
            self.encoder = nn.Conv1d(c.d_word, c.d_hidden, c.window)
        else:
            self.encoder = DisconnectedRNN(c.d_word, c.d_hidden, c.window, c.unit, c.dropout_hidden)
        self.norm = nn.BatchNorm1d(c.d_hidden)
        self.before = nn.Sequential(nn.Dropout(c.dropout), nn.Linear(c.d_hidden, c.d_mlp), nn.ReLU())
        self.attend = nn.Linear(c.d_mlp, 1) if c.pooling == "attentive" else None
        self.after = nn.Sequential(
            nn.Linear(c.d_mlp, c.d_mlp), nn.ReLU(), nn.Dropout(c.dropout), nn.Linear(c.d_mlp, c.n_classes)
        )

    def forward(
        self, words: Int[Tensor, "b n"], mask: Mask = None, unknown: Float[Tensor, "u piece"] | None = None
    ) -> Float[Tensor, "b classes"]:
        """Class logits.

        Args:
            words: ids; id n_words + u stands for unknown word u.
            mask: [b, n], True for real words: at least one in each row, padding at the end; None when all are real.
            unknown: word-piece vectors of the unknown words.

        Raises:
            ValueError: a shape that does not fit, an id without a vector, or a mask unlike the one described.
        """
        states = self.encode(self.embed(words, unknown))
        real = self._real(words, mask)
        return self.after(self.pool(self.features(states, real), real))

    def windows(
        self,
        words: Int[Tensor, "b n"],
        max_window: int,
        mask: Mask = None,
        unknown: Float[Tensor, "u piece"] | None = None,
    ) -> Windows:
        """The outputs for every window 1 to max_window, in one pass. Arguments as in ``forward``.

        Raises:
            ValueError: as in ``forward``; or the network's unit has no disconnected states.
        """
        if not isinstance(self.encoder, DisconnectedRNN):
            raise ValueError(f"a network of unit {self.config.unit!r} has one window at most")
        states = self.encoder.all_windows(self.embed(words, unknown), max_window)
        b, k = states.shape[:2]
        real = self._real(words, mask).repeat_interleave(k, 0)
        parts = self.parts(self.features(states.flatten(0, 1), real), real)
        outputs = self.after(parts.sum(1)), parts, self.evidence(parts)
        return Windows(*(x.view(b, k, *x.shape[1:]) for x in outputs))

    def encode(self, x: Float[Tensor, "b n word"]) -> Float[Tensor, "b n h"]:
        """The encoder's state at each position, from the words up to it."""
        if isinstance(self.encoder, DisconnectedRNN):
            return self.encoder(x)
        if isinstance(self.encoder, nn.Conv1d):
            return self.encoder(nn.functional.pad(x.transpose(1, 2), (self.config.window - 1, 0))).transpose(1, 2)
        return self.encoder(x)[0]

    def features(self, states: Float[Tensor, "b n h"], real: Bool[Tensor, "b n"]) -> Float[Tensor, "b n m"]:
        """Batch norm and MLP of every real word. Padding is left out of the norm, and its features are zero."""
        rows = self.before(self.norm(states[real]))
        return rows.new_zeros(*real.shape, rows.shape[-1]).index_put((real,), rows)

    def pool(self, features: Float[Tensor, "b n m"], real: Bool[Tensor, "b n"]) -> Float[Tensor, "b m"]:
        """One vector a text: the maximum of each component, the mean, or the mean weighted by attention."""
        if self.config.pooling == "max":  # parts() would give the same, and is slower
            return features.masked_fill(~real[..., None], -torch.inf).amax(1)
        return self.parts(features, real).sum(1)

    def parts(self, features: Float[Tensor, "b n m"], real: Bool[Tensor, "b n"]) -> Float[Tensor, "b n m"]:
        """The contribution of each position to the pooled vector."""
        padding = ~real[..., None]
        if self.config.pooling == "max":
            largest, where = features.masked_fill(padding, -torch.inf).max(1, keepdim=True)
            return torch.zeros_like(features).scatter(1, where, largest)
        if self.config.pooling == "mean":
            return features / real.sum(1)[:, None, None]
        return self.attend(features).masked_fill(padding, -torch.inf).softmax(1) * features

    def evidence(self, parts: Float[Tensor, "b n m"]) -> Float[Tensor, "b n classes"]:
        """The contribution of each position to the logits.

        For one pooled vector the last MLP is linear, as each of its ReLUs is either on or off. The contributions sum
        to the logits less a constant that comes from the biases.
        """
        first, last = self.after[0], self.after[-1]
        opened = (first(parts.sum(1)) > 0).to(parts.dtype)
        slope = torch.einsum("ck,bk,km->bcm", last.weight, opened, first.weight)
        return torch.einsum("bnm,bcm->bnc", parts, slope)

    def _real(self, words: Tensor, mask: Mask) -> Bool[Tensor, "b n"]:
        if mask is None:
            return torch.ones_like(words, dtype=torch.bool)
        check_mask(mask, words.shape)
        return mask
