"""How samples become what a network takes: ids of a vocabulary, a transformer's hidden states, or grey pixels."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray
from torch import Tensor

from core.inputs.text import Vocabulary, Word, as_typed
from core.inputs.transformers import Backbone, Pieces, backbone, word_vectors


@dataclass(frozen=True, eq=False)
class WordReader:
    """Words to ids [b, i], mask [b, i] and word-piece vectors [u, piece] of unknown words."""

    vocabulary: Vocabulary

    def encode(self, sentences: list[list[str]]) -> dict[str, Tensor | None]:
        ids, unknown = self.vocabulary.encode([w for words in sentences for w in words])
        lengths = [len(words) for words in sentences]
        rows = torch.tensor(ids).split(lengths)
        words = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)
        mask = torch.arange(words.shape[1]) < torch.tensor(lengths)[:, None]
        return {
            "words": words,
            "mask": None if mask.all() else mask,
            "unknown": word_vectors(unknown) if unknown else None,
        }


class DocumentReader(WordReader):
    """Sentences of documents to the same, one below the other, and how many each document has: counts [b]."""

    def encode(self, documents: list[list[list[str]]]) -> dict[str, Tensor | None]:
        counts = torch.tensor([len(sentences) for sentences in documents])
        return super().encode([words for sentences in documents for words in sentences]) | {"counts": counts}


@dataclass(frozen=True, eq=False)
class TransformerReader:
    """Texts to hidden states [b, n, l, m] and mask [b, n]. The transformer is opened when it is first needed."""

    name: str
    device: torch.device

    @cached_property
    def backbone(self) -> Backbone:
        return backbone(self.name, str(self.device))

    def encode(self, sentences: list[list[str]]) -> dict[str, Tensor]:
        """Words, put together as people type them."""
        return self.states(self.backbone.cut([as_typed(words) for words in sentences]))

    def states(self, batch: list[Pieces]) -> dict[str, Tensor]:
        hidden, mask = self.backbone.hidden(batch)
        return {"hidden": hidden, "mask": mask}


@dataclass(frozen=True, eq=False)
class ImageReader:
    """Pairs of grey pictures, left and right, to numbers from 0 to 1."""

    def encode(self, images: ndarray | Tensor) -> dict[str, Float[Tensor, "b 2 y x"]]:
        """Bytes [b, 2, y, x]; ValueError where they are not."""
        dtype = str(images.dtype).removeprefix("torch.")
        if dtype != "uint8" or images.ndim != 4 or images.shape[1] != 2:
            raise ValueError(f"images is {list(images.shape)} of {dtype}, wanted [b, 2, y, x] of uint8")
        pixels = torch.from_numpy(np.array(images)) if isinstance(images, ndarray) else images  # torch wants its own
        return {"images": pixels.float() / 255}


Reader = WordReader | TransformerReader | ImageReader


def join(text: str, words: list[Word], spans: tuple[tuple[int, int], ...]) -> tuple[list[Word], list[int]]:
    """Words and a transformer's pieces under one roof: the smallest tokens made of whole words and whole pieces.

    A word is one token, but for neighbours that a piece reaches across (MiniLM cuts do|n't into
    don|'|t), which are one together, and for words without a piece, which the transformer does not
    read and which are left out. A piece outside every word belongs to the token before it.

    Args:
        words: of the text, in order.
        spans: characters [start, end) of each piece, in order.

    Returns:
        The tokens, and for each piece the number of its token, ascending from 0.
    """
    starts, ends = [w.start for w in words], [w.end for w in words]
    tokens: list[tuple[int, int]] = []  # first and last word
    token_of = []
    for start, end in spans:
        first, last = bisect_right(ends, start), bisect_left(starts, end) - 1
        if first <= last:
            if tokens and first <= tokens[-1][1]:
                first, last = tokens[-1][0], max(last, tokens.pop()[1])
            tokens.append((first, last))
        token_of.append(max(0, len(tokens) - 1))
    places = [(starts[first], ends[last]) for first, last in tokens]
    return [Word(text[start:end], start, end) for start, end in places], token_of
