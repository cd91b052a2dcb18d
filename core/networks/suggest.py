"""Suggests replacements for a word: the words with the nearest vectors in the network."""

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray

from core.checkpoint import Checkpoint
from core.inputs.readers import StatesReader, TransformerReader, WordReader
from core.networks.many import run_texts

CANDIDATES = 120  # nearest words that are searched for opposites
MIN_LEAN = 0.25  # a word with a smaller lean, up or down from 0, belongs to neither side


@dataclass(frozen=True)
class Suggestions:
    """Suggested words, the nearest first.

    Args:
        nearest: words whose vectors have the largest cosines with the vector of the word.
        opposites: near words that lean to the other end of the classes; empty unless the classes are ordered.
    """

    nearest: list[str]
    opposites: list[str]


@torch.inference_mode()
def suggest(checkpoint: Checkpoint, word: str, n: int = 8, ordered: bool = False) -> Suggestions:
    """Suggest words to replace a word with, by the vectors of the network.

    Args:
        checkpoint: network that reads text.
        word: word to replace.
        n: number of words of each kind.
        ordered: whether the classes are ordered, as from negative to positive.

    Raises:
        ValueError: the network does not read text.
    """
    names = _nearest(checkpoint, word.lower(), CANDIDATES)
    if not ordered:
        return Suggestions(names[:n], [])
    own, *others = lean(checkpoint, [word, *names])
    opposite = [name for name, other in zip(names, others, strict=True) if other * own < 0 and abs(other) > MIN_LEAN]
    return Suggestions(names[:n], opposite[:n] if abs(own) > MIN_LEAN else [])


def lean(checkpoint: Checkpoint, words: list[str]) -> Float[ndarray, " word"]:
    """The network's answer to each word as a one-word text, from -1 (first class) to 1 (last class)."""
    results = run_texts(checkpoint, words)
    ends = np.linspace(-1, 1, len(checkpoint.classes))
    return np.array([0.0 if result.summary is None else result.summary.probabilities @ ends for result in results])


def _nearest(checkpoint: Checkpoint, word: str, n: int) -> list[str]:
    """The n words with the nearest vectors, except the word itself."""
    words, vectors, vector = _vectors(checkpoint, word)
    cosines = torch.nn.functional.normalize(vectors, dim=-1) @ torch.nn.functional.normalize(vector, dim=-1)
    nearest = (words[k] for k in cosines.topk(min(n + 1, len(words))).indices.tolist())
    return [name for name in nearest if name != word][:n]


def _vectors(checkpoint: Checkpoint, word: str) -> tuple[list[str], torch.Tensor, torch.Tensor]:
    """The words with vectors, their vectors, and the vector of this word."""
    reader, model = checkpoint.reader, checkpoint.model
    if isinstance(reader, StatesReader):
        reader = reader.states
    if isinstance(reader, TransformerReader):
        words, vectors = reader.backbone.words
        return words, vectors, reader.backbone.vector(word)
    if not isinstance(reader, WordReader):
        raise ValueError(f"{checkpoint.name} does not read text, so it has no similar words to suggest.")
    inputs = WordReader.read(reader, [[word]])
    unknown = None if inputs["unknown"] is None else inputs["unknown"].to(checkpoint.device)
    vector = model.embed(inputs["words"].to(checkpoint.device), unknown)[0, 0]
    return reader.vocabulary.words, model.embedding.weight, vector
