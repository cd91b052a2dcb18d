"""AGT: a highway network whose every layer looks at the words anew (Guo 2017, ACL)."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from core.models.check import check_sizes
from core.models.words import ReadsWords
from core.routing.step import Mask


@dataclass(frozen=True)
class AGTConfig:
    """Sizes of the paper's section 3.1.

    n_attending: the layers l < n_attending have an attention of their own, which is the paper's ablation: 15 is its
    network, 3 keeps s_l for l <= 2, 1 for l = 0 only. A layer without is one of a plain highway network (eq. 2-3).
    """

    n_words: int
    n_classes: int
    n_layers: int = 15
    n_attending: int = 15
    d_word: int = 300
    d_hidden: int = 200
    d_mlp: int = 200
    d_piece: int = 384
    dropout: float = 0.2
    gate_bias: float = 1.0

    def __post_init__(self):
        check_sizes(self, "n_words d_word", "n_layers d_hidden d_hidden")
        if not 1 <= self.n_attending <= self.n_layers:
            raise ValueError(f"n_attending is {self.n_attending}, wanted 1 to n_layers, which is {self.n_layers}")


class Layers(NamedTuple):
    """Every layer of a run; those that attend are the first a of them, the gates are of l = 1 and above."""

    scores: Float[Tensor, "b a i"]  # m_ln
    attention: Float[Tensor, "b a i"]  # their softmax over the words
    gates: Float[Tensor, "b g h"]  # T_l
    features: Float[Tensor, "b l h"]  # y_l


class AGT(ReadsWords):
    """Word ids to class logits."""

    def __init__(self, config: AGTConfig):
        c = config
        super().__init__(c.n_words, c.d_word, c.d_piece, c.dropout)
        self.config = config
        above, attending, d = c.n_layers - 1, c.n_attending, c.d_hidden
        self.project = nn.Linear(c.d_word, d)
        self.attend = nn.Linear(d, attending * d, bias=False)  # W_l of all layers, one below the other
        self.score = nn.Parameter(torch.empty(attending, d).uniform_(-(d**-0.5), d**-0.5))  # w_l
        opened = 1 / (1 + math.exp(-c.gate_bias))  # T at first
        gain = math.sqrt((2 - opened) / opened)  # so that y_l is at first as long as y_{l-1}, in all the layers
        self.from_features = nn.Parameter(_xavier(above, d, gain))  # the half of W^f_l that takes y_{l-1}
        self.from_selection = nn.Parameter(_xavier(attending - 1, d, gain))  # the half that takes s_l
        self.bias = nn.Parameter(torch.zeros(above, d))
        self.gate = nn.Parameter(_xavier(above, d))  # W^t_l
        self.gate_bias = nn.Parameter(torch.full((above, d), c.gate_bias))
        self.mlp = nn.Sequential(
            nn.Dropout(c.dropout), nn.Linear(d, c.d_mlp), nn.ReLU(), nn.Linear(c.d_mlp, c.n_classes)
        )

    def forward(
        self, words: Int[Tensor, "b i"], mask: Mask = None, unknown: Float[Tensor, "u piece"] | None = None
    ) -> Float[Tensor, "b classes"]:
        """Class logits.

        Args:
            words: ids; id n_words + u stands for unknown word u.
            mask: [b, i], True for real words, at least one a row; None when all are.
            unknown: word-piece vectors of the unknown words.

        Raises:
            ValueError: a shape that does not fit, an id without a vector, a row without a word.
        """
        return self.classify(self.layers(words, mask, unknown).features[:, -1])

    def classify(self, features: Float[Tensor, "*batch h"]) -> Float[Tensor, "*batch classes"]:
        """Logits of y_l; it was trained on the last layer's."""
        return self.mlp(features)

    def layers(
        self, words: Int[Tensor, "b i"], mask: Mask = None, unknown: Float[Tensor, "u piece"] | None = None
    ) -> Layers:
        """All that the layers do. Arguments as in ``forward``."""
        b = self.project(self.embed(words, unknown)).tanh()  # B, d components a word
        scores, attention = self.attention(b, mask)
        s = attention @ b
        gates, features = self.compose(s)
        return Layers(scores, attention, gates, features)

    def attention(
        self, b: Float[Tensor, "b i h"], mask: Mask = None
    ) -> tuple[Float[Tensor, "b a i"], Float[Tensor, "b a i"]]:
        """m_ln = w_l . tanh(W_l B_n) and its softmax over the words, of all layers in one product (eq. 5-6)."""
        if mask is not None and (mask.dtype != torch.bool or mask.shape != b.shape[:2] or not mask.any(1).all()):
            wanted = f"{list(b.shape[:2])} of torch.bool and a word in every row"
            raise ValueError(f"mask has shape {list(mask.shape)} and dtype {mask.dtype}, wanted {wanted}")
        seen = self.attend(b).tanh().unflatten(-1, self.score.shape)
        scores = torch.einsum("biah,ah->bai", seen, self.score)
        if mask is not None:
            scores = scores.masked_fill(~mask[:, None], -torch.inf)
        return scores, scores.softmax(-1)

    def compose(self, s: Float[Tensor, "b a h"]) -> tuple[Float[Tensor, "b g h"], Float[Tensor, "b l h"]]:
        """T_l and y_l of what the layers select, s_l (eq. 7-8; eq. 2-3 for a layer that selects nothing)."""
        attending = self.config.n_attending
        fed = torch.einsum("bah,ahk->abk", s[:, 1:], self.from_selection)
        opened = torch.einsum("bah,ahk->abk", s[:, 1:], self.gate[: attending - 1])
        gates, features = [], [s[:, 0]]
        for g, (w, bias, w_gate, gate_bias) in enumerate(
            zip(self.from_features, self.bias, self.gate, self.gate_bias, strict=True)
        ):
            y = features[-1]
            selects = g + 1 < attending
            f = torch.addmm(bias, y, w)
            f = (f + fed[g] if selects else f).tanh()
            gate = ((opened[g] if selects else y @ w_gate) + gate_bias).sigmoid()
            gates.append(gate)
            features.append(torch.lerp(y, f, gate))
        return torch.stack(gates, 1) if gates else s[:, :0], torch.stack(features, 1)


def _xavier(n: int, d: int, gain: float = 1.0) -> Float[Tensor, "n h h"]:
    """n square matrices, each as torch.nn.init.xavier_uniform_ would fill it."""
    most = gain * (3 / d) ** 0.5
    return torch.empty(n, d, d).uniform_(-most, most)
