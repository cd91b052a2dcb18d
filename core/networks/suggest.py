"""Words to try in place of a word: its neighbours among a network's own word vectors."""

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray

from core.checkpoint import Checkpoint
from core.inputs.readers import TransformerReader, WordReader
from core.networks.many import run_texts

CANDIDATES = 120  # nearest words among which opposites are looked for
MIN_LEAN = 0.25  # from 0, the middle of the classes: a word that leans less speaks for neither side


@dataclass(frozen=True)
class Suggestions:
    """Words to try in place of a word, the nearest first.

    Args:
        nearest: by the cosine between word vectors.
        opposites: the nearest that lean to the other end of the classes; none unless the classes have an order.
    """

    nearest: list[str]
    opposites: list[str]


@torch.inference_mode()
def suggest(checkpoint: Checkpoint, word: str, n: int = 8, ordered: bool = False) -> Suggestions:
    """Words that could stand in place of one, by the vectors that the network reads words with.

    Args:
        checkpoint: of a network that reads text.
        n: how many of each kind.
        ordered: whether the classes go from one end to the other, as from negative to positive.

    Raises:
        ValueError: the network reads no text.
    """
    names = _nearest(checkpoint, word.lower(), CANDIDATES)
    if not ordered:
        return Suggestions(names[:n], [])
    own, *others = lean(checkpoint, [word, *names])
    opposite = [name for name, other in zip(names, others, strict=True) if other * own < 0 and abs(other) > MIN_LEAN]
    return Suggestions(names[:n], opposite[:n] if abs(own) > MIN_LEAN else [])


def lean(checkpoint: Checkpoint, words: list[str]) -> Float[ndarray, " word"]:
    """Where the network's answer to each word alone lies between the first class, -1, and the last, 1."""
    results = run_texts(checkpoint, words)
    ends = np.linspace(-1, 1, len(checkpoint.classes))
    return np.array([0.0 if result.summary is None else result.summary.probabilities @ ends for result in results])


def _nearest(checkpoint: Checkpoint, word: str, n: int) -> list[str]:
    """The n words with the nearest vectors, without the word itself."""
    words, vectors, vector = _vectors(checkpoint, word)
    cosines = torch.nn.functional.normalize(vectors, dim=-1) @ torch.nn.functional.normalize(vector, dim=-1)
    nearest = (words[k] for k in cosines.topk(min(n + 1, len(words))).indices.tolist())
    return [name for name in nearest if name != word][:n]


def _vectors(checkpoint: Checkpoint, word: str) -> tuple[list[str], torch.Tensor, torch.Tensor]:
    """The words that have a vector, their vectors, and the vector of this word."""
    reader, model = checkpoint.reader, checkpoint.model
    if isinstance(reader, TransformerReader):
        words, vectors = reader.backbone.words
        return words, vectors, reader.backbone.vector(word)
    if not isinstance(reader, WordReader):
        raise ValueError(f"{checkpoint.name} does not read text, so it has no similar words to suggest.")
    inputs = WordReader.read(reader, [[word]])
    unknown = None if inputs["unknown"] is None else inputs["unknown"].to(checkpoint.device)
    vector = model.embed(inputs["words"].to(checkpoint.device), unknown)[0, 0]
    return reader.vocabulary.words, model.embedding.weight, vector
