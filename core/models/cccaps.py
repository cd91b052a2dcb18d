"""CCCaps: composed word vectors, a BiGRU, and k-means routing to a capsule a class (Ren, Lu 2022)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from core.layers import CompositionalEmbedding
from core.models.check import check_sizes
from core.models.words import ReadsWords, states
from core.routing import RoutingStep, dynamic_routing, kmeans_routing
from core.types import Mask, check_mask

CHOICES = {"embedding": ("cwc", "cc", "plain"), "routing": ("kmeans", "dynamic", "none")}


@dataclass(frozen=True)
class CCCapsConfig:
    """Sizes of the paper's section 3.3. Its tables 5 to 7 vary two of them:

    embedding: composed word vectors with weighted ("cwc") or drawn ("cc") codewords, or a "plain" table.
    routing: how class capsules are made; with "none" a linear layer reads the encoding.
    """

    n_words: int
    n_classes: int
    embedding: Literal["cwc", "cc", "plain"] = "cwc"
    routing: Literal["kmeans", "dynamic", "none"] = "kmeans"
    n_iters: int = 3
    n_books: int = 8
    d_word: int = 64
    d_hidden: int = 128
    d_feature: int = 8
    d_capsule: int = 16
    d_piece: int = 384
    dropout: float = 0.5

    def __post_init__(self):
        products = ("n_words", "d_word"), ("n_words", "n_books"), ("d_hidden", "d_hidden")
        check_sizes(self, *products, ("d_hidden", "n_classes", "d_capsule"))
        for name, known in CHOICES.items():
            if (value := getattr(self, name)) not in known:
                raise ValueError(f"{name} is {value!r}, wanted one of {', '.join(known)}")
        if self.d_hidden % self.d_feature:
            raise ValueError(f"d_hidden is {self.d_hidden}, wanted a multiple of d_feature, which is {self.d_feature}")

    @property
    def n_features(self) -> int:
        """Number of feature capsules, the routing's input."""
        return self.d_hidden // self.d_feature


class CCCaps(ReadsWords):
    """Word ids to class scores: the lengths of the class capsules, or a linear layer's logits."""

    def __init__(self, config: CCCapsConfig):
        c = config
        plain = c.embedding == "plain"
        composed = None if plain else CompositionalEmbedding(c.n_words, c.d_word, c.n_books, c.embedding)
        super().__init__(c.n_words, c.d_word, c.d_piece, 0.0, composed)
        self.config = config
        self.encoder = nn.GRU(
            c.d_word, c.d_hidden, num_layers=2, dropout=c.dropout, bidirectional=True, batch_first=True
        )
        if c.routing == "none":
            self.classes = nn.Linear(c.d_hidden, c.n_classes)
        else:
            bound = c.d_feature**-0.5
            vote = torch.empty(c.n_features, c.n_classes, c.d_capsule, c.d_feature)
            self.vote = nn.Parameter(vote.uniform_(-bound, bound))  # W_ij

    def forward(
        self, words: Int[Tensor, "b n"], mask: Mask = None, unknown: Float[Tensor, "u piece"] | None = None
    ) -> Float[Tensor, "b classes"]:
        """Class scores: |v_j| between 0 and 1, or logits where there is no routing.

        Args:
            words: ids; id n_words + u stands for unknown word u.
            mask: [b, n], True for real words: at least one in each row, padding at the end; None when all are real.
            unknown: word-piece vectors of the unknown words.

        Raises:
            ValueError: a shape that does not fit, an id without a vector, or a mask unlike the one described.
        """
        encoding = self.parts(words, mask, unknown).sum(1)
        if self.config.routing == "none":
            return self.classes(encoding)
        *_, last = self.route(encoding)
        return last.activation

    def route(self, encoding: Float[Tensor, "b state"], n_iters: int | None = None) -> Iterator[RoutingStep]:
        """The steps of routing an encoding.

        Args:
            n_iters: iterations; ``config.n_iters`` where it is None.

        Raises:
            ValueError: the network has no routing.
        """
        c = self.config
        if c.routing == "none":
            raise ValueError("This network routes nothing: a linear layer reads its encoding.")
        features = encoding.unflatten(-1, (c.n_features, c.d_feature))  # u_i
        votes = torch.einsum("ijhd,bid->bijh", self.vote, features)
        return (kmeans_routing if c.routing == "kmeans" else dynamic_routing)(votes, n_iters or c.n_iters)

    def parts(
        self, words: Int[Tensor, "b n"], mask: Mask = None, unknown: Float[Tensor, "u piece"] | None = None
    ) -> Float[Tensor, "b n state"]:
        """The contribution of each word to the encoding, which is their sum: its states divided by the number of words.

        Arguments and errors as in ``forward``.
        """
        if mask is not None:
            check_mask(mask, words.shape)
        x = self.embed(words, unknown)
        h = states(self.encoder, x, mask).unflatten(-1, (2, self.config.d_hidden)).sum(-2)  # forward + backward
        if mask is None:
            return h / words.shape[1]
        return h * (mask / mask.sum(1, keepdim=True)).unsqueeze(-1)
