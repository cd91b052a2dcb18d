"""A network in memory, with all that belongs to it."""

from dataclasses import dataclass

import torch
from jaxtyping import UInt8
from numpy import ndarray
from torch import Tensor

from core.inputs.readers import Reader


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """A loaded network with what is needed to feed it and to read its answers."""

    name: str
    kind: str  # a key of core.kinds.KINDS
    corpus: str  # a key of core.datasets.CORPORA
    task: str
    classes: tuple[str, ...]
    model: torch.nn.Module
    reader: Reader
    device: torch.device
    sha256: str = ""  # of the weights' file

    def encode(
        self, samples: list[list[str]] | list[list[list[str]]] | UInt8[ndarray, "b 2 y x"]
    ) -> dict[str, Tensor | None]:
        """The arguments of ``model.forward`` for words, for the sentences of documents, or for pairs of pictures.

        Raises:
            ValueError: words for a network that reads pictures, or the other way round, or not pairs of bytes.
        """
        self.check(samples)
        encoded = self.reader.encode(samples)
        return {name: None if tensor is None else tensor.to(self.device) for name, tensor in encoded.items()}

    def check(self, samples: object) -> None:
        """Raise ValueError where these are texts and the network reads pictures, or the other way round."""
        given = "text" if isinstance(samples, str | list) else "pictures"
        if given != self.reader.reads:
            raise ValueError(f"{self.name} reads {self.reader.reads}, not {given}.")
