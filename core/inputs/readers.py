"""How samples become what a network takes: ids of a vocabulary, a transformer's hidden states, or grey pixels.

A reader keeps itself beside a checkpoint's weights: ``save`` writes its files and returns its entries of config.json,
``load`` takes both.
"""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray
from torch import Tensor

from core.files import write
from core.inputs.text import Vocabulary, as_typed
from core.inputs.transformers import Backbone, Pieces, backbone, word_vectors


class Reader(ABC):
    """Turns samples into the arguments of a network's ``forward``."""

    reads: ClassVar[str]  # "text" or "pictures"

    @abstractmethod
    def encode(self, samples: Any) -> dict[str, Tensor | None]:
        """The arguments for a batch of samples."""

    @abstractmethod
    def save(self, folder: Path) -> dict[str, str]:
        """Write the reader's files; its entries of config.json."""

    @classmethod
    @abstractmethod
    def load(cls, folder: Path, config: Mapping[str, Any], device: torch.device) -> "Reader":
        """The reader of a checkpoint.

        Raises:
            ValueError: an entry or a file of it is missing or wrong.
        """


def _entry(folder: Path, config: Mapping[str, Any], key: str) -> str:
    value = config.get(key)
    if not isinstance(value, str):
        is_now = "missing" if value is None else repr(value)
        raise ValueError(f"{folder / 'config.json'}: {key} is {is_now}, wanted text")
    return value


@dataclass(frozen=True, eq=False)
class WordReader(Reader):
    """Words to ids [b, i], mask [b, i] and word-piece vectors [u, piece] of unknown words."""

    reads: ClassVar[str] = "text"
    vocabulary: Vocabulary

    def save(self, folder: Path) -> dict[str, str]:
        words = self.vocabulary.to_bytes()
        write(folder / "vocab.txt", words)
        return {"vocabulary_sha256": hashlib.sha256(words).hexdigest()}

    @classmethod
    def load(cls, folder: Path, config: Mapping[str, Any], device: torch.device) -> "WordReader":
        path, n_words = folder / "vocab.txt", config["model"]["n_words"]
        sha256 = _entry(folder, config, "vocabulary_sha256")
        try:
            vocabulary = Vocabulary.from_bytes(path.read_bytes())
        except (OSError, ValueError) as error:
            raise ValueError(f"{path} cannot be read as a list of words: {error}") from None
        if len(vocabulary) != n_words:
            raise ValueError(f"{path} has {len(vocabulary):,} words, wanted {n_words:,}")
        if hashlib.sha256(vocabulary.to_bytes()).hexdigest() != sha256:
            raise ValueError(f"{path} is not the file that config.json was written for: its words differ")
        return cls(vocabulary)

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
class TransformerReader(Reader):
    """Texts to hidden states [b, n, l, m] and mask [b, n]. The transformer is opened when it is first needed."""

    reads: ClassVar[str] = "text"
    name: str
    device: torch.device

    def save(self, folder: Path) -> dict[str, str]:
        return {"backbone": self.name}

    @classmethod
    def load(cls, folder: Path, config: Mapping[str, Any], device: torch.device) -> "TransformerReader":
        return cls(_entry(folder, config, "backbone"), device)

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
class ImageReader(Reader):
    """Pairs of grey pictures, left and right, to numbers from 0 to 1."""

    reads: ClassVar[str] = "pictures"

    def save(self, folder: Path) -> dict[str, str]:
        return {}

    @classmethod
    def load(cls, folder: Path, config: Mapping[str, Any], device: torch.device) -> "ImageReader":
        return cls()

    def encode(self, images: ndarray | Tensor) -> dict[str, Float[Tensor, "b 2 y x"]]:
        """Bytes [b, 2, y, x]; ValueError where they are not."""
        dtype = str(images.dtype).removeprefix("torch.")
        if dtype != "uint8" or images.ndim != 4 or images.shape[1] != 2:
            raise ValueError(f"images is {list(images.shape)} of {dtype}, wanted [b, 2, y, x] of uint8")
        pixels = torch.from_numpy(np.array(images)) if isinstance(images, ndarray) else images  # torch wants its own
        return {"images": pixels.float() / 255}
