"""Word vectors: trained ones for words in the vocabulary, and projections of word pieces for all other words."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from core.edits import DropInput, Edit
from core.layers import CompositionalEmbedding
from core.types import Mask, check_mask


class ReadsWords(nn.Module, ABC):
    """A network whose input is word ids.

    Words in the vocabulary have a trained vector. For every other word, the vector is the mean of its word pieces,
    mapped by a fixed projection. The trained vectors were initialized with the same projection.

    A network over a frozen transformer has no vocabulary (``core.inputs.readers.StatesReader``): every word is an
    unknown one, whose states take the place of the word pieces, and the projection is trained.
    """

    def __init__(
        self, n_words: int, d_word: int, d_piece: int, dropout: float, embedding: CompositionalEmbedding | None = None
    ):
        """Make the word vectors.

        Args:
            n_words: size of the vocabulary.
            d_word: components of a word's vector.
            d_piece: components of a word-piece vector.
            dropout: dropout of word vectors.
            embedding: compositional embedding to use instead of a table of vectors.
        """
        super().__init__()
        self.embedding = nn.Embedding(n_words, d_word) if embedding is None else embedding
        self.from_pieces = nn.Linear(d_piece, d_word).requires_grad_(False)
        self.dropout_word = nn.Dropout(dropout)

    @abstractmethod
    def forward(
        self,
        words: Int[Tensor, "b i"],
        mask: Mask = None,
        unknown: Float[Tensor, "u piece"] | None = None,
        edits: Sequence[Edit] = (),
    ) -> Float[Tensor, "b classes"]:
        """Class scores, which each network defines.

        Args:
            words: ids; id n_words + u is unknown word u.
            mask: [b, i], True for real words, which come first in each row, at least one; None if all are real.
            unknown: word-piece vectors of the unknown words.
            edits: changes inside the network.

        Raises:
            ValueError: a shape does not fit, an id has no vector, the mask is not as described, or an edit is out of
                range.
        """

    def embed(
        self, words: Int[Tensor, "b i"], unknown: Float[Tensor, "u piece"] | None = None
    ) -> Float[Tensor, "b i word"]:
        """Word vectors.

        Arguments as in ``forward``.

        Raises:
            ValueError: a shape does not fit, or an id has no vector.
        """
        n_words, d_piece = self.embedding.num_embeddings, self.from_pieces.in_features
        if words.ndim != 2 or 0 in words.shape:
            raise ValueError(f"words has shape {list(words.shape)}, wanted [b, i], neither of them zero")
        if unknown is not None and (unknown.ndim != 2 or unknown.shape[1] != d_piece):
            raise ValueError(f"unknown has shape {list(unknown.shape)}, wanted [u, {d_piece}]")
        n_known = n_words + (0 if unknown is None else len(unknown))
        if not 0 <= int(words.min()) <= int(words.max()) < n_known:
            raise ValueError(f"words has ids from {int(words.min())} to {int(words.max())}, wanted 0 to {n_known - 1}")
        if unknown is None:
            return self.dropout_word(self.embedding(words))
        x = self.embedding(words.clamp(max=n_words - 1))
        is_unknown = words >= n_words
        x[is_unknown] = self.from_pieces(unknown)[words[is_unknown] - n_words]
        return self.dropout_word(x)


def without_dropped(words: Int[Tensor, "#b i"], mask: Mask, edits: Iterable[Edit]) -> Mask:
    """The mask without the words that edits drop.

    Raises:
        ValueError: no word is left, or there is no such word.
    """
    for edit in edits:
        if isinstance(edit, DropInput):
            edit.check(i=words.shape[1])
            mask = torch.ones_like(words, dtype=torch.bool) if mask is None else mask.clone()
            mask[:, edit.i] = False
            if not mask.any(1).all():
                raise ValueError(f"without word {edit.i} no word is left, wanted at least one")
    return mask


def states(
    encoder: nn.RNNBase | nn.Identity, x: Float[Tensor, "b i word"], mask: Mask = None
) -> Float[Tensor, "b i state"]:
    """The states of a recurrent layer at every word, or the word vectors without such a layer; zero at padding.

    Raises:
        ValueError: the mask has another shape or dtype, or padding that is not at the end.
    """
    if mask is not None:
        check_mask(mask, x.shape[:2], nonempty=False)
    if isinstance(encoder, nn.Identity):
        return x if mask is None else x * mask[..., None]
    if mask is None:
        return encoder(x)[0]
    lengths = mask.sum(1).clamp(min=1).cpu()  # packing needs a word in every row; a mask ignores it later
    packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
    return pad_packed_sequence(encoder(packed)[0], batch_first=True, total_length=x.shape[1])[0]
