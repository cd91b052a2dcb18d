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

WHOLE = {"whole gru": nn.GRU, "whole lstm": nn.LSTM}  # that read on from the first word
POOLINGS = ("max", "mean", "attentive")


@dataclass(frozen=True)
class DRNNConfig:
    """Sizes of the paper's section 4.1.

    unit: "gru", "lstm" or "rnn", disconnected after ``window`` words; "cnn", which looks at as many; or one of
    ``WHOLE``, which has no window.
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
    dropout_hidden: float = 0.1  # of hidden states, a mask a step

    def __post_init__(self):
        check_sizes(self, ("n_words", "d_word"), ("d_hidden", "d_hidden"), ("d_hidden", "window", "d_word"))
        units = (*UNITS, "cnn", *WHOLE)
        if self.unit not in units:
            raise ValueError(f"unit is {self.unit!r}, wanted one of {', '.join(units)}")
        if self.pooling not in POOLINGS:
            raise ValueError(f"pooling is {self.pooling!r}, wanted one of {', '.join(POOLINGS)}")


class Windows(NamedTuple):
    """What the network says by every window k = 1, 2, .."""

    logits: Float[Tensor, "b w classes"]
    parts: Float[Tensor, "b w n m"]  # what each position adds to the pooled vector; by max, all of a component or none
    evidence: Float[Tensor, "b w n classes"]  # and what that adds to each logit


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
            mask: [b, n], True for real words, which come first in each row, one at least; None when all are.
            unknown: word-piece vectors of the unknown words.

        Raises:
            ValueError: a shape that does not fit, an id without a vector, a mask whose padding is not at the end.
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
        """The same for every window 1 to max_window, in one pass. Arguments as in ``forward``.

        Raises:
            ValueError: as ``forward``; or the network's unit is not a disconnected one.
        """
        if not isinstance(self.encoder, DisconnectedRNN):
            raise ValueError(f"a network of unit {self.config.unit!r} has one window at most")
        states = self.encoder.all_windows(self.embed(words, unknown), max_window)
        b, k = states.shape[:2]
        real = self._real(words, mask).repeat_interleave(k, 0)
        parts = self.parts(self.features(states.flatten(0, 1), real), real)
        found = self.after(parts.sum(1)), parts, self.evidence(parts)
        return Windows(*(x.view(b, k, *x.shape[1:]) for x in found))

    def encode(self, x: Float[Tensor, "b n word"]) -> Float[Tensor, "b n h"]:
        """A state a position, of the words up to it."""
        if isinstance(self.encoder, DisconnectedRNN):
            return self.encoder(x)
        if isinstance(self.encoder, nn.Conv1d):
            return self.encoder(nn.functional.pad(x.transpose(1, 2), (self.config.window - 1, 0))).transpose(1, 2)
        return self.encoder(x)[0]

    def features(self, states: Float[Tensor, "b n h"], real: Bool[Tensor, "b n"]) -> Float[Tensor, "b n m"]:
        """Batch norm and MLP of every real word; padding has no part in the norm, and zeros here."""
        found = self.before(self.norm(states[real]))
        return found.new_zeros(*real.shape, found.shape[-1]).index_put((real,), found)

    def pool(self, features: Float[Tensor, "b n m"], real: Bool[Tensor, "b n"]) -> Float[Tensor, "b m"]:
        """One vector a text: the largest of each component, the mean, or a mean that attends."""
        if self.config.pooling == "max":  # parts() would give the same, and is slower
            return features.masked_fill(~real[..., None], -torch.inf).amax(1)
        return self.parts(features, real).sum(1)

    def parts(self, features: Float[Tensor, "b n m"], real: Bool[Tensor, "b n"]) -> Float[Tensor, "b n m"]:
        """What each position adds to the pooled vector."""
        hidden = ~real[..., None]
        if self.config.pooling == "max":
            most, where = features.masked_fill(hidden, -torch.inf).max(1, keepdim=True)
            return torch.zeros_like(features).scatter(1, where, most)
        if self.config.pooling == "mean":
            return features / real.sum(1)[:, None, None]
        return self.attend(features).masked_fill(hidden, -torch.inf).softmax(1) * features

    def evidence(self, parts: Float[Tensor, "b n m"]) -> Float[Tensor, "b n classes"]:
        """What each position adds to the logits. The last MLP is linear for one pooled vector, whose hidden units are
        open or shut: what is left of a logit are biases, the same for every position.
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
