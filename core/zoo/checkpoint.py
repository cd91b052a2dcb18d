"""A model with all that belongs to it, in memory."""

from dataclasses import dataclass

import torch
from jaxtyping import UInt8
from numpy import ndarray
from torch import Tensor

from core.readers import ImageReader, Reader


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """A loaded model with what is needed to feed it and to read it."""

    name: str
    kind: str  # which network, a key of KINDS
    corpus: str  # which dataset, a key of core.datasets.CORPORA
    task: str
    classes: tuple[str, ...]
    model: torch.nn.Module
    reader: Reader
    device: torch.device
    sha256: str = ""  # of the weights' file

    def encode(
        self, samples: list[list[str]] | list[list[list[str]]] | UInt8[ndarray, "b 2 y x"]
    ) -> dict[str, Tensor | None]:
        """Words, or pairs of pictures, to the arguments of ``model.forward``.

        Raises:
            ValueError: words for a network that reads pictures, or the other way round, or not pairs of bytes.
        """
        self.check(samples)
        encoded = self.reader.encode(samples)
        return {name: None if tensor is None else tensor.to(self.device) for name, tensor in encoded.items()}

    def check(self, samples: object) -> None:
        """Raise ValueError where these are texts and the network reads pictures, or the other way round."""
        pictures = isinstance(self.reader, ImageReader)
        if pictures == isinstance(samples, str | list):
            raise ValueError(f"{self.name} reads {'pictures, not text' if pictures else 'text, not pictures'}.")
