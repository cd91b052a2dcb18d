"""Word vectors that are sums of a few codewords: CWC (Ren, Lu 2022, section 3.1) and CC (Shu, Nakayama 2018, ICLR)."""

from math import ceil
from typing import Literal

import torch
from jaxtyping import Float, Int
from numpy import ndarray
from torch import Tensor, nn

METHODS = ("cwc", "cc")


class CompositionalEmbedding(nn.Module):
    """Word vectors that are sums over M codebooks, each with K codewords.

    CWC adds all codewords of a book, weighted by shares that sum to 1 (eq. 2). CC adds one codeword of each book,
    sampled by Gumbel-softmax in training and the most likely one otherwise (eq. 1).
    """

    def __init__(self, n_words: int, d: int, n_books: int = 8, method: Literal["cwc", "cc"] = "cwc"):
        """Make codes and codebooks; K is the smallest whole number with K^M >= n_words (eq. 3).

        Args:
            n_words: size of the vocabulary.
            d: components of a word's vector.
            n_books: number of codebooks, M.
            method: "cwc" or "cc".

        Raises:
            ValueError: an unknown method, or a size below 1.
        """
        super().__init__()
        if method not in METHODS:
            raise ValueError(f"method is {method!r}, wanted one of {', '.join(METHODS)}")
        for name, size in (("n_words", n_words), ("d", d), ("n_books", n_books)):
            if size < 1:
                raise ValueError(f"{name} is {size}, wanted at least 1")
        self.num_embeddings, self.embedding_dim, self.n_books, self.method = n_words, d, n_books, method
        self.n_codewords = least_base(n_words, n_books)
        self.codes = nn.Parameter(torch.randn(n_words, n_books, self.n_codewords))  # C_w
        self.books = nn.Parameter(torch.randn(n_books, self.n_codewords, d))  # E

    def forward(self, words: Int[Tensor, "*batch"]) -> Float[Tensor, "*batch d"]:
        """The vectors of word ids.

        Raises:
            ValueError: an id has no code.
        """
        if words.numel() and not 0 <= int(words.min()) <= int(words.max()) < self.num_embeddings:
            n = self.num_embeddings - 1
            raise ValueError(f"words has ids from {int(words.min())} to {int(words.max())}, wanted 0 to {n}")
        return torch.einsum("...qe,qed->...d", self.shares(words), self.books)

    def shares(self, words: Int[Tensor, "*batch"]) -> Float[Tensor, "*batch q e"]:
        """The weight of each codeword e of each book q; the weights of a book sum to 1."""
        codes = self.codes[words]
        if self.method == "cwc":
            return codes.softmax(-1)
        if self.training:
            return nn.functional.gumbel_softmax(codes, hard=True)
        return nn.functional.one_hot(codes.argmax(-1), self.n_codewords).to(codes.dtype)

    @torch.no_grad()
    def exported(self) -> Float[ndarray, "v q e"]:
        """The shares of all words, as an array."""
        return self.shares(torch.arange(self.num_embeddings, device=self.codes.device)).float().cpu().numpy()

    @property
    def weight(self) -> Float[Tensor, "v d"]:
        """The vectors of all words, like the weight of ``nn.Embedding``."""
        return self(torch.arange(self.num_embeddings, device=self.codes.device))


def least_base(n_words: int, n_books: int) -> int:
    """The smallest K with K^M >= |V| (eq. 3), found with integers because a rounded root can be off by one."""
    base = ceil(n_words ** (1 / n_books))
    while base > 1 and (base - 1) ** n_books >= n_words:
        base -= 1
    while base**n_books < n_words:
        base += 1
    return base


def parameter_bill(n_words: int, d: int, n_books: int) -> tuple[int, int, int]:
    """The parameters of a compositional embedding, those of a plain table, and the number of codewords per book, K."""
    base = least_base(n_words, n_books)
    return n_books * base * (n_words + d), n_words * d, base
