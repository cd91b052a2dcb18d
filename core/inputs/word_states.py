"""The states of a frozen transformer, word by word: the mean over the pieces of each word."""

from bisect import bisect_right
from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from core.inputs.text import join
from core.inputs.transformers import Backbone, Pieces

CHUNK = 128  # words that the transformer reads at once; fewer if they have too many pieces

Words = Sequence[str]


class WordStates:
    """A transformer that reads words. It has the attributes of its ``Backbone``.

    A text of more than ``CHUNK`` words, or of more pieces than the transformer takes, is read in several chunks.
    """

    def __init__(self, backbone: Backbone):
        self.backbone = backbone
        self.name, self.layers, self.version = f"{backbone.name} by words", backbone.layers, backbone.version
        self.device, self.n_layers, self.d_hidden = backbone.device, backbone.n_layers, backbone.d_hidden

    @torch.no_grad()
    def hidden(self, texts: Sequence[Words]) -> tuple[Float[Tensor, "b n l m"], Float[Tensor, "b n"]]:
        """The states of each word, zero for a word without pieces; and the mask, 1 for a word and 0 for padding."""
        n = max(map(len, texts))
        states = torch.zeros(len(texts), n, self.n_layers, self.d_hidden, device=self.device)
        mask = torch.zeros(len(texts), n, device=self.device)
        chunks = []
        for row, words in enumerate(texts):
            mask[row, : len(words)] = 1
            chunks += [(row, *chunk) for chunk in self._cut(words, 0)]
        if chunks:
            hidden, _ = self.backbone.hidden([pieces for *_, pieces, _ in chunks])
            for (row, first, n_words, _, word_of), by_piece in zip(chunks, hidden, strict=True):
                index = torch.tensor(word_of, device=self.device)
                total = states.new_zeros(n_words, self.n_layers, self.d_hidden)
                total.index_add_(0, index, by_piece[: len(index)])
                states[row, first : first + n_words] = (
                    total / index.bincount(minlength=n_words).clamp(min=1)[:, None, None]
                )
        return states, mask

    def _cut(self, words: Words, first: int) -> list[tuple[int, int, Pieces, list[int]]]:
        """Cut words into chunks that the transformer can read; chunks without pieces are left out.

        Returns:
            For each chunk: the index of its first word, its number of words, its pieces, and the word of each piece.
        """
        if len(words) > CHUNK:
            return [chunk for k in range(0, len(words), CHUNK) for chunk in self._cut(words[k : k + CHUNK], first + k)]
        text, places = join(words)
        (pieces,) = self.backbone.cut([text])
        if len(pieces.ids) >= self.backbone.max_pieces and len(words) > 1:
            half = len(words) // 2
            return self._cut(words[:half], first) + self._cut(words[half:], first + half)
        ends = [end for _, end in places]
        word_of = [min(bisect_right(ends, start), len(words) - 1) for start, _ in pieces.spans]
        return [(first, len(words), pieces, word_of)] if word_of else []
