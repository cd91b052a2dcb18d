"""DRNN: disconnected recurrent states, pooled over positions (Wang 2018, ACL), and baselines with the same head."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from core.edits import Edit
from core.layers import UNITS, DisconnectedRNN
from core.models.check import check_sizes
from core.models.words import ReadsWords, without_dropped
from core.types import Mask, check_mask

WHOLE = {"whole gru": nn.GRU, "whole lstm": nn.LSTM}  # ordinary layers, which read from the first word


@dataclass(frozen=True)
class DRNNConfig:
    """Sizes of the paper's section 4.1.

    Args:
        window: number of words that a state has read.
        unit: "gru", "lstm" or "rnn" for a disconnected layer, or "cnn" for a convolution, each over ``window`` words;
            or a key of ``WHOLE``, which has no window.
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
    dropout: float = 0.5  # dropout of word vectors, and before the first and the last linear layer
    dropout_hidden: float = 0.1  # dropout of hidden states, with a new mask per step

    def __post_init__(self):
        check_sizes(self, ("n_words", "d_word"), ("d_hidden", "d_hidden"), ("d_hidden", "window", "d_word"))
        units = (*UNITS, "cnn", *WHOLE)
        if self.unit not in units:
            raise ValueError(f"unit is {self.unit!r}, wanted one of {', '.join(units)}")


class Windows(NamedTuple):
    """The network's outputs with windows of w = 1, 2, .. words."""

    logits: Float[Tensor, "b w classes"]
    contributions: Float[Tensor, "b w n m"]  # contribution of each position to the pooled vector
    evidence: Float[Tensor, "b w n classes"]  # contribution of each position to each logit


class DRNN(ReadsWords):
    """Maps word ids to class logits."""

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
        # The MLPs before and after pooling.
        self.before = nn.Sequential(nn.Dropout(c.dropout), nn.Linear(c.d_hidden, c.d_mlp), nn.ReLU())
        self.attend = nn.Linear(c.d_mlp, 1) if c.pooling == "attentive" else None
        self.after = nn.Sequential(
            nn.Linear(c.d_mlp, c.d_mlp), nn.ReLU(), nn.Dropout(c.dropout), nn.Linear(c.d_mlp, c.n_classes)
        )

    def forward(
        self,
        words: Int[Tensor, "b n"],
        mask: Mask = None,
        unknown: Float[Tensor, "u piece"] | None = None,
        edits: Sequence[Edit] = (),
    ) -> Float[Tensor, "b classes"]:
        """Class logits. Arguments and errors as in ``ReadsWords.forward``.

        Edits drop words. A dropped word is treated like the padding before a text: its vector is zero, and its state is
        not pooled.
        """
        x, real = self._read(words, mask, unknown, edits)
        states = self.states(x)
        return self.after(self.pool(self.features(states, real), real))

    def windows(
        self,
        words: Int[Tensor, "b n"],
        max_window: int,
        mask: Mask = None,
        unknown: Float[Tensor, "u piece"] | None = None,
        edits: Sequence[Edit] = (),
    ) -> Windows:
        """Run the network with every window from 1 to max_window in one pass. Arguments as in ``forward``.

        Raises:
            ValueError: as in ``forward``, or the network's unit is not disconnected.
        """
        if not isinstance(self.encoder, DisconnectedRNN):
            raise ValueError(f"a network of unit {self.config.unit!r} has at most one window")
        x, real = self._read(words, mask, unknown, edits)
        states = self.encoder.all_windows(x, max_window)
        b, n_windows = states.shape[:2]
        real = real.repeat_interleave(n_windows, 0)
        contributions = self.contributions(self.features(states.flatten(0, 1), real), real)
        outputs = self.after(contributions.sum(1)), contributions, self.evidence(contributions)
        return Windows(*(output.view(b, n_windows, *output.shape[1:]) for output in outputs))

    def states(self, x: Float[Tensor, "b n word"]) -> Float[Tensor, "b n h"]:
        """The encoder's state at each position, computed from the words up to it."""
        if isinstance(self.encoder, DisconnectedRNN):
            return self.encoder(x)
        if isinstance(self.encoder, nn.Conv1d):
            return self.encoder(nn.functional.pad(x.transpose(1, 2), (self.config.window - 1, 0))).transpose(1, 2)
        return self.encoder(x)[0]

    def features(self, states: Float[Tensor, "b n h"], real: Bool[Tensor, "b n"]) -> Float[Tensor, "b n m"]:
        """Apply batch norm and the first MLP to the real words; padding is excluded from the norm and gets zeros."""
        rows = self.before(self.norm(states[real]))
        return rows.new_zeros(*real.shape, rows.shape[-1]).index_put((real,), rows)

    def pool(self, features: Float[Tensor, "b n m"], real: Bool[Tensor, "b n"]) -> Float[Tensor, "b m"]:
        """Pool the features over positions: by max, mean, or an attention-weighted mean."""
        if self.config.pooling == "max":  # equals the sum of contributions(), but is faster
            return features.masked_fill(~real[..., None], -torch.inf).amax(1)
        return self.contributions(features, real).sum(1)

    def contributions(self, features: Float[Tensor, "b n m"], real: Bool[Tensor, "b n"]) -> Float[Tensor, "b n m"]:
        """The contribution of each position to the pooled vector; they sum to that vector."""
        padding = ~real[..., None]
        if self.config.pooling == "max":
            maxima, positions = features.masked_fill(padding, -torch.inf).max(1, keepdim=True)
            return torch.zeros_like(features).scatter(1, positions, maxima)
        if self.attend is None:  # mean pooling
            return features / real.sum(1)[:, None, None]
        return self.attend(features).masked_fill(padding, -torch.inf).softmax(1) * features

    def evidence(self, contributions: Float[Tensor, "b n m"]) -> Float[Tensor, "b n classes"]:
        """The contribution of each position to each logit.

        For a given pooled vector each ReLU of the last MLP is either active or not, so the MLP is linear in the
        contributions. The rest of a logit comes from biases and belongs to no position.
        """
        first, last = self.after[0], self.after[-1]
        active = (first(contributions.sum(1)) > 0).to(contributions.dtype)
        slope = torch.einsum("kh,bh,hm->bkm", last.weight, active, first.weight)
        return torch.einsum("bnm,bkm->bnk", contributions, slope)

    def _read(
        self, words: Tensor, mask: Mask, unknown: Tensor | None, edits: Sequence[Edit]
    ) -> tuple[Float[Tensor, "b n word"], Bool[Tensor, "b n"]]:
        """Word vectors, and a mask of the words to pool: the real ones that no edit drops."""
        x = self.embed(words, unknown)
        if mask is not None:
            check_mask(mask, words.shape)
        real = without_dropped(words, mask, edits)
        if real is not None and real is not mask:  # an edit drops words
            x = x * real[..., None]
        return x, torch.ones_like(words, dtype=torch.bool) if real is None else real
