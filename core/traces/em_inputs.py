"""The inputs of EM networks: how a text is cut into pieces, and which inputs a word or a place has."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from core.inputs.text import Word, as_read, join
from core.traces.base import cut_words

if TYPE_CHECKING:
    import core.checkpoint
    import core.edits
    import core.inputs.readers
    import core.inputs.transformers


def read_pieces(
    reader: "core.inputs.readers.TransformerReader", text: str
) -> tuple["core.inputs.transformers.Pieces", list[Word], list[int], list[str]]:
    """The pieces of a text, the tokens that they are joined to, each piece's token, and a notice if it was cut."""
    words, notices = cut_words(text)
    (pieces,) = reader.backbone.cut([as_read(text)[: words[-1].end]])
    tokens, token_of = join(text, words, pieces.spans)
    if not tokens:
        raise ValueError("There is nothing in this text that the transformer reads. Type a sentence.")
    end = pieces.spans[-1][1]
    if len(pieces.ids) >= reader.backbone.max_pieces and end < words[-1].end:  # its limit is narrower than ours
        n_read = sum(word.start < end for word in words)
        notices = [f"Only the first {n_read} words were read: the transformer reads no further."]
    return pieces, tokens, token_of, notices


def tokens_of(checkpoint: "core.checkpoint.Checkpoint", text: str) -> list[list[Word]]:
    """The tokens of a text as one sentence. Errors as in ``read_pieces``."""
    return [read_pieces(checkpoint.reader, text)[1]]


def spread_drops(edits: Sequence["core.edits.Edit"], owners: Int[ndarray, " i"]) -> list["core.edits.Edit"]:
    """The edits, with a drop of a word or a place turned into drops of all its inputs to the first routing.

    Args:
        owners: the word or place, from 0, that each of these inputs belongs to.

    Raises:
        OutOfRangeError: there is no such word or place.
    """
    from core.edits import DropInput

    changes: list[core.edits.Edit] = []
    for edit in edits:
        if isinstance(edit, DropInput) and edit.routing is None:
            edit.check(i=int(owners.max()) + 1)
            changes += [DropInput(i, routing=0) for i in np.flatnonzero(owners == edit.i).tolist()]
        else:
            changes.append(edit)
    return changes
