"""A loaded network with its input reader, task and classes."""

from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import torch
from jaxtyping import UInt8
from numpy import ndarray

from core.inputs.readers import Reader

Model_co = TypeVar("Model_co", bound=torch.nn.Module, covariant=True)
Reader_co = TypeVar("Reader_co", bound=Reader, covariant=True)


@dataclass(frozen=True, eq=False)
class Checkpoint(Generic[Model_co, Reader_co]):
    """A loaded network with everything needed to run it and to name its outputs."""

    name: str
    kind: str  # a key of core.networks.NETWORKS
    corpus: str  # name of a corpus, which core.datasets.corpus_of may not know
    task: str
    classes: tuple[str, ...]
    model: Model_co
    reader: Reader_co
    device: torch.device
    sha256: str = ""  # sha256 of the weights file

    def inputs(self, samples: list[Any] | UInt8[ndarray, "b 2 y x"]) -> dict[str, Any]:
        """Convert a batch of samples to the arguments of ``model.forward``, on the checkpoint's device.

        Args:
            samples: texts as lists of words, documents as lists of sentences of words, or grey stereo pairs.

        Raises:
            ValueError: the network reads pictures and the samples are texts, or the reverse; or pairs are not uint8
                [b, 2, y, x].
        """
        self.check(samples)
        arguments = self.reader.read(samples)
        return {name: None if tensor is None else tensor.to(self.device) for name, tensor in arguments.items()}

    def with_iterations(self, n_iters: int) -> "Checkpoint":
        """The same network with another number of routing iterations.

        Raises:
            ValueError: the network has no routing, or n_iters is below 1.
        """
        config: Any = self.model.config
        if not hasattr(config, "n_iters"):
            raise ValueError(f"{self.name} has no routing, so it has no iterations.")
        model = type(self.model)(replace(config, n_iters=n_iters))
        model.load_state_dict(self.model.state_dict())
        return replace(self, model=model.to(self.device).eval().requires_grad_(False))

    def check(self, samples: object) -> None:
        """Raise ValueError if the samples are texts and the network reads pictures, or the reverse."""
        medium = "text" if isinstance(samples, str | list) else "pictures"
        if medium != self.reader.reads:
            raise ValueError(f"{self.name} reads {self.reader.reads}, not {medium}.")
