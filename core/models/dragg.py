"""DR-AGG: a BiLSTM whose states are aggregated by dynamic routing (Gong, Qiu, Wang, Huang 2018, COLING)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from jaxtyping import Float, Int
from torch import Tensor, nn

from core.edits import Edit, EditArgument, edits_of_routing
from core.layers.initial import xavier
from core.models.check import check_sizes
from core.models.words import ReadsWords, states
from core.routing import DynamicStep, dynamic_routing
from core.types import Mask


@dataclass(frozen=True)
class DRAggConfig:
    """Sizes of the paper's table 2.

    Args:
        d_piece: components of the word-piece vectors of unknown words.
        encoder: "none" if words vote by their vectors, without a BiLSTM. It is meant for vectors that have read the
            whole text.
    """

    n_words: int
    n_classes: int
    normalize: Literal["output", "input"] = "output"
    n_iters: int = 3
    n_capsules: int = 5
    d_capsule: int = 200
    d_word: int = 300
    d_hidden: int = 200
    d_mlp: int = 300
    d_piece: int = 384
    dropout_word: float = 0.5
    dropout_encoding: float = 0.5
    encoder: Literal["bilstm", "none"] = "bilstm"

    @property
    def d_state(self) -> int:
        """Components of a word's state h_i."""
        return self.d_word if self.encoder == "none" else 2 * self.d_hidden

    def __post_init__(self):
        check_sizes(self, ("n_words", "d_word"), ("d_hidden", "d_hidden"), ("d_hidden", "n_capsules", "d_capsule"))


class DRAgg(ReadsWords):
    """Maps word ids to class logits."""

    def __init__(self, config: DRAggConfig):
        c = config
        super().__init__(c.n_words, c.d_word, c.d_piece, c.dropout_word)
        self.config = config
        self.encoder = (
            nn.Identity()
            if c.encoder == "none"
            else nn.LSTM(c.d_word, c.d_hidden, batch_first=True, bidirectional=True)
        )
        self.vote = nn.Linear(c.d_state, c.n_capsules * c.d_capsule)
        self.mlp = nn.Sequential(
            nn.Dropout(c.dropout_encoding),
            nn.Linear(c.n_capsules * c.d_capsule, c.d_mlp),
            nn.ReLU(),
            nn.Linear(c.d_mlp, c.n_classes),
        )
        xavier(self)

    def forward(
        self,
        words: Int[Tensor, "b i"],
        mask: Mask = None,
        unknown: Float[Tensor, "u piece"] | None = None,
        edits: Sequence[Edit] = (),
    ) -> Float[Tensor, "b classes"]:
        """Class logits; edits change the routing. Arguments and errors as in ``ReadsWords.forward``."""
        *_, last = self.steps(words, mask, unknown, edits=edits)
        return self.classify(last.capsules)

    def steps(
        self,
        words: Int[Tensor, "b i"],
        mask: Mask = None,
        unknown: Float[Tensor, "u piece"] | None = None,
        n_iters: int | None = None,
        edits: Sequence[Edit] = (),
    ) -> Iterator[DynamicStep]:
        """The steps of the routing; ``n_iters`` is ``config.n_iters`` if None. The rest as in ``forward``."""
        votes = self.votes(self.encoder, self.vote, self.embed(words, unknown), mask)
        return self.route(votes, mask, n_iters, edits_of_routing(edits, 0))

    def votes(
        self, encoder: nn.LSTM | nn.Identity, vote: nn.Linear, x: Float[Tensor, "b i d"], mask: Mask = None
    ) -> Float[Tensor, "b i j h"]:
        """The votes u_ij = tanh(W_j h_i + b_j) from the states h_i of a BiLSTM, or of a transformer (eq. 2-5)."""
        c = self.config
        return vote(states(encoder, x, mask)).tanh().unflatten(-1, (c.n_capsules, c.d_capsule))

    def route(
        self, votes: Float[Tensor, "#b i j h"], mask: Mask = None, n_iters: int | None = None, edit: EditArgument = None
    ) -> Iterator[DynamicStep]:
        """The steps of routing votes; ``n_iters`` is ``config.n_iters`` if None."""
        c = self.config
        return dynamic_routing(votes, c.n_iters if n_iters is None else n_iters, c.normalize, mask, edit)

    def classify(self, capsules: Float[Tensor, "*batch j h"]) -> Float[Tensor, "*batch classes"]:
        """The logits of the encoding e = [v_1; ..; v_M] (eq. 17)."""
        return self.mlp(capsules.flatten(-2))
