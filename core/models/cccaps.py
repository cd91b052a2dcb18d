"""CCCaps: compositional word vectors, a BiGRU, and k-means routing to one capsule per class (Ren, Lu 2022)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from core.edits import Edit, edits_of_routing
from core.layers import CompositionalEmbedding
from core.models.check import check_sizes
from core.models.words import ReadsWords, states
from core.routing import ROUTINGS, RoutingStep
from core.types import Mask, check_mask

Embedding = Literal["cwc", "cc", "plain"]


@dataclass(frozen=True)
class CCCapsConfig:
    """The sizes of a CCCaps, by default those of the paper's section 3.3. Its tables 5 to 7 vary embedding and routing.

    Args:
        embedding: "cwc" or "cc" for compositional vectors with weighted or sampled codewords, or "plain" for a table.
        routing: routing that makes the class capsules, a key of ``core.routing.ROUTINGS``; with "none", a linear layer
            reads the encoding.
        encoder: "none" if the encoding is the mean of the words' vectors, without a BiGRU. It is meant for vectors that
            have read the whole text.
        d_hidden: components of a GRU's state, and of a word's vector without a GRU; the encoding is cut into capsules
            with ``d_feature`` components.
    """

    n_words: int
    n_classes: int
    embedding: Embedding = "cwc"
    routing: str = "kmeans"
    n_iters: int = 3
    n_books: int = 8
    d_word: int = 64
    d_hidden: int = 128
    d_feature: int = 8
    d_capsule: int = 16
    d_piece: int = 384
    dropout: float = 0.5
    encoder: Literal["bigru", "none"] = "bigru"

    def __post_init__(self):
        products = ("n_words", "d_word"), ("n_words", "n_books"), ("d_hidden", "d_hidden")
        check_sizes(self, *products, ("d_hidden", "n_classes", "d_capsule"))
        if self.routing not in (*ROUTINGS, "none"):
            raise ValueError(f"routing is {self.routing!r}, wanted one of {', '.join(ROUTINGS)}, none")
        if self.d_hidden % self.d_feature:
            raise ValueError(f"d_hidden is {self.d_hidden}, wanted a multiple of d_feature, which is {self.d_feature}")
        if self.encoder == "none" and self.d_word != self.d_hidden:
            raise ValueError(f"d_word is {self.d_word}, wanted d_hidden, which is {self.d_hidden}, without an encoder")

    @property
    def n_features(self) -> int:
        """Number of feature capsules, the inputs of the routing."""
        return self.d_hidden // self.d_feature


class CCCaps(ReadsWords):
    """Maps word ids to class scores: the lengths of the class capsules, or logits for a network without routing."""

    def __init__(self, config: CCCapsConfig):
        c = config
        embedding = (
            None if c.embedding == "plain" else CompositionalEmbedding(c.n_words, c.d_word, c.n_books, c.embedding)
        )
        super().__init__(c.n_words, c.d_word, c.d_piece, c.dropout if c.encoder == "none" else 0.0, embedding)
        self.config = config
        self.encoder = (
            nn.Identity()
            if c.encoder == "none"
            else nn.GRU(c.d_word, c.d_hidden, num_layers=2, dropout=c.dropout, bidirectional=True, batch_first=True)
        )
        if c.routing == "none":
            self.classes = nn.Linear(c.d_hidden, c.n_classes)
        else:
            bound = c.d_feature**-0.5
            vote = torch.empty(c.n_features, c.n_classes, c.d_capsule, c.d_feature)
            self.vote = nn.Parameter(vote.uniform_(-bound, bound))  # W_ij

    def forward(
        self,
        words: Int[Tensor, "b n"],
        mask: Mask = None,
        unknown: Float[Tensor, "u piece"] | None = None,
        edits: Sequence[Edit] = (),
    ) -> Float[Tensor, "b classes"]:
        """Class scores: |v_j| between 0 and 1, or logits for a network without routing.

        Edits change the routing of feature capsules to classes. Arguments and errors as in ``ReadsWords.forward``.
        """
        encoding = self.contributions(words, mask, unknown).sum(1)
        if self.config.routing == "none":
            return self.classes(encoding)
        *_, last = self.route(encoding, edits=edits)
        return last.activation

    def route(
        self, encoding: Float[Tensor, "b state"], n_iters: int | None = None, edits: Sequence[Edit] = ()
    ) -> Iterator[RoutingStep]:
        """The steps of routing an encoding; ``n_iters`` is ``config.n_iters`` if None."""
        votes = self.votes(encoding)
        return ROUTINGS[self.config.routing](votes, n_iters or self.config.n_iters, edit=edits_of_routing(edits, 0))

    def votes(self, encoding: Float[Tensor, "b state"]) -> Float[Tensor, "b i j h"]:
        """The vote of each feature capsule for each class: W_ij u_i.

        Raises:
            ValueError: the network has no routing.
        """
        c = self.config
        if c.routing == "none":
            raise ValueError("This network has no routing: a linear layer reads its encoding.")
        features = encoding.unflatten(-1, (c.n_features, c.d_feature))  # u_i
        return torch.einsum("ijhd,bid->bijh", self.vote, features)

    def contributions(
        self, words: Int[Tensor, "b n"], mask: Mask = None, unknown: Float[Tensor, "u piece"] | None = None
    ) -> Float[Tensor, "b n state"]:
        """The contribution of each word to the encoding: its state divided by the number of words.

        The encoding is the sum of the contributions. Arguments and errors as in ``forward``.
        """
        if mask is not None:
            check_mask(mask, words.shape)
        x = self.embed(words, unknown)
        h = states(self.encoder, x, mask).unflatten(-1, (-1, self.config.d_hidden)).sum(-2)  # forward + backward
        if mask is None:
            return h / words.shape[1]
        return h * (mask / mask.sum(1, keepdim=True)).unsqueeze(-1)
