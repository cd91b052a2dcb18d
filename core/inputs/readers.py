"""Readers convert samples to the arguments of a network: word ids, hidden states of a transformer, or pixels.

A reader is stored with its checkpoint: ``save`` writes its files and returns its entries for config.json; ``load``
reads both.
"""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from torch import Tensor

from core.files import write
from core.inputs.minilm import word_vectors
from core.inputs.text import Vocabulary, as_typed
from core.inputs.transformers import Backbone, Pieces, backbone, title_of
from core.inputs.word_states import WordStates

MAX_LETTERS = 1000  # characters in a word of a vocabulary


class Reader(ABC):
    """Converts samples to the arguments of a network's ``forward``."""

    reads: ClassVar[str]  # "text" or "pictures"

    @abstractmethod
    def read(self, samples: Any) -> dict[str, Any]:
        """Convert a batch of samples to arguments by name."""

    @abstractmethod
    def save(self, folder: Path) -> dict[str, str]:
        """Write the reader's files and return its entries for config.json."""

    @classmethod
    @abstractmethod
    def load(cls, folder: Path, config: Mapping[str, Any], device: torch.device) -> "Reader":
        """Load the reader of a checkpoint.

        Args:
            folder: folder of the checkpoint.
            config: contents of config.json.
            device: device for a transformer.

        Raises:
            ValueError: an entry of config.json or a file is missing or wrong.
        """


def _text_entry(folder: Path, config: Mapping[str, Any], key: str) -> str:
    """An entry in config.json; ValueError unless it is text."""
    value = config.get(key)
    if not isinstance(value, str):
        found = "missing" if value is None else repr(value)
        raise ValueError(f"{folder / 'config.json'}: {key} is {found}, wanted text")
    return value


def _layers_entry(folder: Path, config: Mapping[str, Any]) -> tuple[int, ...] | None:
    """The transformer's layers in config.json, None for all; ValueError unless their number is the network's."""
    layers, n_layers = config.get("layers"), config["model"]["n_layers"]
    if layers is None:
        return None
    if not isinstance(layers, list) or len(layers) != n_layers or any(type(layer) is not int for layer in layers):
        raise ValueError(f"{folder / 'config.json'}: layers is {layers!r}, wanted {n_layers} numbers of layers")
    return tuple(layers)


@dataclass(frozen=True, eq=False)
class WordReader(Reader):
    """Reads words as ids [b, i], a mask [b, i], and word-piece vectors [u, piece] of the unknown words."""

    reads: ClassVar[str] = "text"
    vocabulary: Vocabulary

    def save(self, folder: Path) -> dict[str, str]:
        words = self.vocabulary.to_bytes()
        write(folder / "vocab.txt", words)
        return {"vocabulary_sha256": hashlib.sha256(words).hexdigest()}

    @classmethod
    def load(cls, folder: Path, config: Mapping[str, Any], device: torch.device) -> "WordReader":
        if "backbone" in config:
            return StatesReader.load_states(folder, config, device)
        path, n_words = folder / "vocab.txt", config["model"]["n_words"]
        sha256 = _text_entry(folder, config, "vocabulary_sha256")
        try:
            content = path.read_bytes()
            lines = content.count(b"\n")  # counted first, so that a huge file is refused cheaply
            vocabulary = Vocabulary.from_bytes(content) if lines == n_words else None
        except (OSError, ValueError) as error:
            raise ValueError(f"{path} cannot be read as a list of words: {error}") from None
        if vocabulary is None:
            raise ValueError(f"{path} has {lines:,} words, wanted {n_words:,}")
        if len(longest := max(vocabulary.words, key=len)) > MAX_LETTERS:
            raise ValueError(f"{path} has a word of {len(longest):,} characters, wanted at most {MAX_LETTERS:,}")
        if hashlib.sha256(vocabulary.to_bytes()).hexdigest() != sha256:
            raise ValueError(f"{path} is not the file that config.json was written for: its words differ")
        return cls(vocabulary)

    def is_known(self, words: Int[Tensor, "b i"]) -> Bool[Tensor, "b i"]:
        """Whether the network was trained on each word, by its id."""
        return words < len(self.vocabulary)

    def read(self, sentences: list[list[str]]) -> dict[str, Any]:
        ids, unknown = self.vocabulary.ids_of([w for words in sentences for w in words])
        lengths = [len(words) for words in sentences]
        rows = list(torch.tensor(ids).split(lengths))
        words = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)
        mask = torch.arange(words.shape[1]) < torch.tensor(lengths)[:, None]
        return {
            "words": words,
            "mask": None if mask.all() else mask,
            "unknown": word_vectors(unknown) if unknown else None,
        }


class DocumentReader(WordReader):
    """Reads documents: all sentences, one after another, as ``WordReader`` does, and their number per document [b]."""

    def read(self, documents: list[list[list[str]]]) -> dict[str, Any]:
        counts = torch.tensor([len(sentences) for sentences in documents])
        return super().read([words for sentences in documents for words in sentences]) | {"counts": counts}


@dataclass(frozen=True, eq=False)
class TransformerReader(Reader):
    """Reads words as hidden states [b, n, l, m] and a mask [b, n]. The transformer is loaded when first needed."""

    reads: ClassVar[str] = "text"
    name: str
    device: torch.device
    layers: tuple[int, ...] | None = None  # as in ``backbone``

    def save(self, folder: Path) -> dict[str, Any]:
        return {"backbone": self.name} | ({} if self.layers is None else {"layers": list(self.layers)})

    @classmethod
    def load(cls, folder: Path, config: Mapping[str, Any], device: torch.device) -> "TransformerReader":
        return cls(_text_entry(folder, config, "backbone"), device, _layers_entry(folder, config))

    @property
    def title(self) -> str:
        """The transformer's title."""
        return title_of(self.name)

    @property
    def backbone(self) -> Backbone:
        """The transformer, which is loaded again if it was left alone."""
        return backbone(self.name, str(self.device), self.layers)

    def read(self, sentences: list[list[str]]) -> dict[str, Any]:
        """The hidden states of sentences, each joined as people would type it."""
        return self.states(self.backbone.cut([as_typed(words) for words in sentences]))

    def states(self, batch: list[Pieces]) -> dict[str, Any]:
        """The hidden states of texts that are already split into pieces."""
        hidden, mask = self.backbone.hidden(batch)
        return {"hidden": hidden, "mask": mask}


NO_WORD = Vocabulary(["no word"])  # the vocabulary of a network in which every word's vector comes from a transformer


@dataclass(frozen=True, eq=False)
class StatesReader(WordReader):
    """Reads words as the states of a frozen transformer, in the place of the vectors of unknown words.

    No two words share a vector, because a state depends on the other words of the text.

    Args:
        states: transformer, and the layers of it that are read.
    """

    states: TransformerReader

    @classmethod
    def of(cls, name: str, device: torch.device, layers: tuple[int, ...] | None) -> "StatesReader":
        """The reader of a transformer's layers; arguments as in ``TransformerReader``."""
        return cls(NO_WORD, TransformerReader(name, device, layers))

    def save(self, folder: Path) -> dict[str, Any]:
        return self.states.save(folder)

    @classmethod
    def load_states(cls, folder: Path, config: Mapping[str, Any], device: torch.device) -> "StatesReader":
        """``load`` for a network over a transformer."""
        layers, path = config.get("layers"), folder / "config.json"
        if not isinstance(layers, list) or not layers or any(type(layer) is not int for layer in layers):
            raise ValueError(f"{path}: layers is {layers!r:.40}, wanted numbers of layers")
        if len(set(layers)) < len(layers) or config["model"].get("d_piece", 0) % len(layers):
            raise ValueError(f"{path}: layers is {layers!r:.40}, wanted different ones, whose states make up d_piece")
        if (n_words := config["model"]["n_words"]) != len(NO_WORD):
            raise ValueError(f"{path}: n_words is {n_words}, wanted {len(NO_WORD)} for a network over a transformer")
        return cls.of(_text_entry(folder, config, "backbone"), device, tuple(layers))

    def is_known(self, words: Int[Tensor, "b i"]) -> Bool[Tensor, "b i"]:
        """True for every word."""
        return torch.ones_like(words, dtype=torch.bool)

    def read(self, sentences: list[list[str]]) -> dict[str, Any]:
        return as_words(*WordStates(self.states.backbone).hidden(sentences))


def as_words(hidden: Float[Tensor, "b n l m"], mask: Float[Tensor, "b n"]) -> dict[str, Any]:
    """The arguments of a network over word vectors: every word is an unknown one, whose vector is its states."""
    is_word = mask.bool()
    vectors = hidden[is_word].flatten(1)
    words = torch.zeros(mask.shape, dtype=torch.long, device=mask.device)
    words[is_word] = len(NO_WORD) + torch.arange(len(vectors), device=mask.device)
    return {"words": words, "mask": None if is_word.all() else is_word, "unknown": vectors}


@dataclass(frozen=True, eq=False)
class ImageReader(Reader):
    """Reads stereo pairs of grey pictures as images [b, 2, y, x] with values from 0 to 1."""

    reads: ClassVar[str] = "pictures"

    def save(self, folder: Path) -> dict[str, str]:
        return {}

    @classmethod
    def load(cls, folder: Path, config: Mapping[str, Any], device: torch.device) -> "ImageReader":
        return cls()

    def read(self, images: ndarray | Tensor) -> dict[str, Float[Tensor, "b 2 y x"]]:
        """Scale pairs from uint8 to 0..1; ValueError unless they are uint8 [b, 2, y, x]."""
        dtype = str(images.dtype).removeprefix("torch.")
        if dtype != "uint8" or images.ndim != 4 or images.shape[1] != 2:
            raise ValueError(f"images is {list(images.shape)} of {dtype}, wanted [b, 2, y, x] of uint8")
        # Copy the array, because torch warns about read-only ones.
        pixels = torch.from_numpy(np.array(images)) if isinstance(images, ndarray) else images
        return {"images": pixels.float() / 255}
