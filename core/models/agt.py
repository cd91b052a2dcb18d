"""AGT: a highway network whose layers each attend to the words (Guo 2017, ACL)."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from core.edits import DropAttention, Edit, Number, SetGate
from core.models.check import check_sizes
from core.models.words import ReadsWords, without_dropped
from core.types import Mask, check_mask


@dataclass(frozen=True)
class AGTConfig:
    """The sizes of an AGT, by default those of the paper's section 3.1.

    Args:
        n_attending: number of layers with attention, counted from the first. The paper's network has 15; its ablation
            has 3 (s_l for l <= 2) and 1 (l = 0 only). A layer without attention is a plain highway layer (eq. 2-3).
        gate_bias: initial value of b^t_l.
        temperature: divisor of the scores m_ln before their softmax; 1 in the paper.
        aligned: initial gain of attention matrices W_l whose rows start equal, with a positive w_l. If it is large,
            tanh saturates and many words share the largest score, so that layers select several words. With 0, the rows
            start independent.
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
    temperature: float = 1.0
    aligned: float = 0.0

    def __post_init__(self):
        check_sizes(self, ("n_words", "d_word"), ("n_layers", "d_hidden", "d_hidden"))
        if self.aligned < 0:
            raise ValueError(f"aligned is {self.aligned}, wanted 0 or more")
        if self.temperature <= 0:
            raise ValueError(f"temperature is {self.temperature}, wanted more than 0")
        if not 1 <= self.n_attending <= self.n_layers:
            raise ValueError(f"n_attending is {self.n_attending}, wanted 1 to n_layers, which is {self.n_layers}")


class Layers(NamedTuple):
    """The quantities of every layer. The first ``a`` layers have attention; all layers from layer 1 on have a gate."""

    scores: Float[Tensor, "#b a i"]  # m_ln
    attention: Float[Tensor, "b a i"]  # their softmax over the words
    gates: Float[Tensor, "b g h"]  # T_l
    features: Float[Tensor, "b l h"]  # y_l


class AGT(ReadsWords):
    """Maps word ids to class logits.

    With B_n the vector of word n, layer l attends to the words, computes its gate and its features:

        m_ln = w_l . tanh(W_l B_n),    s_l = sum_n softmax_n(m_ln) B_n               (eq. 5, 6)
        T_l = sigmoid(W^t_l s_l + b^t_l)                                             (eq. 7)
        y_l = tanh(W^f_l [y_{l-1}; s_l] + b^f_l) T_l + y_{l-1} (1 - T_l)             (eq. 8)

    with y_0 = s_0. A layer without attention uses only y_{l-1} (eq. 2, 3).
    """

    def __init__(self, config: AGTConfig):
        c = config
        super().__init__(c.n_words, c.d_word, c.d_piece, c.dropout)
        self.config = config
        above, attending, d = c.n_layers - 1, c.n_attending, c.d_hidden  # above: layers from layer 1 on
        self.project = nn.Linear(c.d_word, d)
        self.attend = nn.Linear(d, attending * d, bias=False)  # W_l of all layers, stacked
        self.score = nn.Parameter(torch.empty(attending, d).uniform_(-(d**-0.5), d**-0.5))  # w_l
        if c.aligned:
            self._align()
        # Our choice, not the paper's: with the gates' first value, this gain gives y_l the same norm in all layers.
        first_gate = 1 / (1 + math.exp(-c.gate_bias))
        gain = math.sqrt((2 - first_gate) / first_gate)
        self.from_features = nn.Parameter(_xavier(above, d, gain))  # the half of W^f_l that takes y_{l-1}
        self.from_selection = nn.Parameter(_xavier(attending - 1, d, gain))  # the half that takes s_l
        self.bias = nn.Parameter(torch.zeros(above, d))
        self.gate = nn.Parameter(_xavier(above, d))  # W^t_l
        self.gate_bias = nn.Parameter(torch.full((above, d), c.gate_bias))
        self.mlp = nn.Sequential(
            nn.Dropout(c.dropout), nn.Linear(d, c.d_mlp), nn.ReLU(), nn.Linear(c.d_mlp, c.n_classes)
        )

    @torch.no_grad()
    def _align(self) -> None:
        """Set all rows of each W_l to its first one times the gain, and w_l to its absolute value."""
        rows = self.attend.weight.view(*self.score.shape, -1)
        rows.copy_(self.config.aligned * rows[:, :1].clone())
        self.score.abs_()

    def forward(
        self,
        words: Int[Tensor, "b i"],
        mask: Mask = None,
        unknown: Float[Tensor, "u piece"] | None = None,
        edits: Sequence[Edit] = (),
    ) -> Float[Tensor, "b classes"]:
        """Class logits. Arguments and errors as in ``ReadsWords.forward``, but padding may be anywhere.

        Edits change gates and attention; a word that they drop gets no attention.
        """
        return self.classify(self.layers(words, mask, unknown, edits).features[:, -1])

    def classify(self, features: Float[Tensor, "*batch h"]) -> Float[Tensor, "*batch classes"]:
        """The logits of y_l; the network was trained on those of the last layer."""
        return self.mlp(features)

    def layers(
        self,
        words: Int[Tensor, "#b i"],
        mask: Mask = None,
        unknown: Float[Tensor, "u piece"] | None = None,
        edits: Sequence[Edit] = (),
    ) -> Layers:
        """Attention, gates and features of every layer. Arguments and errors as in ``forward``.

        A single text [1, i] is read once for all rows of a mask, because a word's scores do not depend on other words.
        """
        scores, attention, s = self.select(words, mask, unknown, edits)
        gates, features = self.above(s, edits)
        return Layers(scores, attention, gates, features)

    def select(
        self,
        words: Int[Tensor, "#b i"],
        mask: Mask = None,
        unknown: Float[Tensor, "u piece"] | None = None,
        edits: Sequence[Edit] = (),
    ) -> tuple[Float[Tensor, "#b a i"], Float[Tensor, "b a i"], Float[Tensor, "b a h"]]:
        """Scores m_ln, attention and s_l of the layers with attention. Arguments and errors as in ``layers``."""
        if mask is not None:
            rows = mask.shape[:1] if len(words) == 1 else words.shape[:1]
            check_mask(mask, (*rows, *words.shape[1:]), trailing=False)
        b = self.project(self.embed(words, unknown)).tanh()  # B_n
        kept = without_dropped(words, mask, edits)
        scores, attention = attention_weights(b, self.attend.weight, self.score / self.config.temperature, kept)
        for edit in edits:
            if isinstance(edit, DropAttention):
                edit.check(layer=self.config.n_attending)
                attention = attention.index_fill(1, torch.tensor([edit.layer], device=attention.device), 0)
        return scores, attention, attention @ b

    def above(
        self, s: Float[Tensor, "b a h"], edits: Sequence[Edit] = ()
    ) -> tuple[Float[Tensor, "b g h"], Float[Tensor, "b l h"]]:
        """Gates and features of every layer, from s_l. Edits change gates; errors as in ``forward``."""
        weights = self.from_features, self.from_selection, self.bias, self.gate, self.gate_bias
        return gated_layers(s, *weights, self._set_gates(edits))

    def _set_gates(self, edits: Sequence[Edit]) -> dict[int, Number]:
        """The value of every gate that edits set, by gate index, which is one less than its layer's."""
        values: dict[int, Number] = {}
        for edit in edits:
            if isinstance(edit, SetGate):
                if not 1 <= edit.layer < self.config.n_layers:
                    wanted = f"wanted 1 to {self.config.n_layers - 1}"
                    raise ValueError(f"layer is {edit.layer} in {edit.form}, {wanted}")
                values[edit.layer - 1] = edit.value
        return values


def attention_weights(
    b: Float[Tensor, "#b i h"], W: Float[Tensor, "a_h h"], w: Float[Tensor, "a h"], mask: Mask = None
) -> tuple[Float[Tensor, "#b a i"], Float[Tensor, "b a i"]]:
    """Scores m_ln = w_l . tanh(W_l B_n) and their softmax over the words, for all layers in one product (eq. 5, 6).

    Args:
        b: word vectors B_n.
        W: W_l of all layers, stacked.
        w: w_l of all layers.
        mask: [b, i], True for real words; padding gets no attention.
    """
    hidden = nn.functional.linear(b, W).tanh().unflatten(-1, w.shape)  # [b, i, a, h]
    scores = torch.einsum("biah,ah->bai", hidden, w)
    if mask is None:
        return scores, scores.softmax(-1)
    return scores, scores.masked_fill(~mask[:, None], -torch.inf).softmax(-1)


def gated_layers(
    s: Float[Tensor, "b a h"],
    from_features: Float[Tensor, "g h h"],
    from_selection: Float[Tensor, "a-1 h h"],
    bias: Float[Tensor, "g h"],
    gate: Float[Tensor, "g h h"],
    gate_bias: Float[Tensor, "g h"],
    values: Mapping[int, Number] | None = None,
) -> tuple[Float[Tensor, "b g h"], Float[Tensor, "b l h"]]:
    """Gates T_l and features y_l of every layer (eq. 7, 8; eq. 2, 3 for a layer without attention).

    Args:
        s: s_l of the layers with attention.
        from_features, from_selection: the two halves of W^f_l.
        bias: b^f_l.
        gate, gate_bias: W^t_l and b^t_l.
        values: values that replace all components of the gates with these indices.
    """
    selected = torch.einsum("bah,ahm->abm", s[:, 1:], from_selection)
    opened = torch.einsum("bah,ahm->abm", s[:, 1:], gate[: len(from_selection)])
    gates, features = [], [s[:, 0]]
    for g, (w, w_gate) in enumerate(zip(from_features, gate, strict=True)):
        y = features[-1]
        attends = g < len(from_selection)  # the first layers have attention
        f = torch.addmm(bias[g], y, w)
        f = (f + selected[g] if attends else f).tanh()
        T = ((opened[g] if attends else y @ w_gate) + gate_bias[g]).sigmoid()
        if values and g in values:
            T = torch.as_tensor(values[g]).to(T).reshape(-1, 1).expand_as(T)
        gates.append(T)
        features.append(torch.lerp(y, f, T))
    return torch.stack(gates, 1) if gates else s[:, :0], torch.stack(features, 1)


def _xavier(n: int, d: int, gain: float = 1.0) -> Float[Tensor, "n h h"]:
    """n square matrices, each initialized like torch.nn.init.xavier_uniform_."""
    bound = gain * (3 / d) ** 0.5
    return torch.empty(n, d, d).uniform_(-bound, bound)
