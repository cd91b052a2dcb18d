"""The plan of a network: the contents of config.json, checked before any weights are read."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from core.json_files import read_json
from core.networks import NETWORKS, Network


class _NoInitialWeights(TorchFunctionMode):
    """Draws no initial weights: on the "meta" device PyTorch would load its compiler for that, which takes a second."""

    SKIPPED = (Tensor.normal_, Tensor.uniform_, Tensor.div, Tensor.__truediv__)  # none changes a shape

    def __torch_function__(self, function, types, args=(), kwargs=None):
        if function in self.SKIPPED or getattr(function, "__module__", None) == "torch.nn.init":
            return args[0] if args else kwargs["tensor"]
        return function(*args, **kwargs or {})


@dataclass(frozen=True)
class Plan:
    """A network that config.json describes.

    Args:
        config: contents of config.json.
        kind: kind of the network.
        sizes: sizes of the network, as the configuration of its kind.
        model: network on PyTorch's "meta" device, where tensors have shapes but no values.
        about: fields of ``core.checkpoint.Checkpoint`` that config.json holds.
    """

    config: dict[str, Any]
    kind: Network
    sizes: Any
    model: torch.nn.Module
    about: dict[str, Any]

    @classmethod
    def read(cls, folder: Path) -> "Plan":
        """Read a checkpoint's config.json, without memory for the network; ValueError if it describes none."""
        config = read_json(folder / "config.json")
        try:
            kind = NETWORKS[config["kind"]]
            sizes = kind.config(**config["model"])
            with torch.device("meta"), _NoInitialWeights():
                model = kind.model(sizes)
            if len(config["classes"]) != sizes.n_classes:
                raise ValueError(f"it names {len(config['classes'])} classes, and its model has {sizes.n_classes}")
            about = {key: config[key] for key in ("kind", "corpus", "task", "sha256")}
            about["classes"] = tuple(config["classes"])
        except (KeyError, TypeError, ValueError, ArithmeticError, RuntimeError) as error:
            raise ValueError(f"{folder / 'config.json'} does not describe a known model: {error}") from None
        return cls(config, kind, sizes, model, about)

    @property
    def n_parameters(self) -> int:
        """The number of the network's parameters."""
        return sum(parameter.numel() for parameter in self.model.parameters())

    @property
    def stored(self) -> dict[str, Tensor]:
        """The tensors in the weights file by name."""
        return {name: tensor for name, tensor in self.model.state_dict().items() if tensor.is_floating_point()}

    def fill(self, weights: dict[str, Tensor]) -> torch.nn.Module:
        """The network with these weights. Batch counts of batch norm, which files do not store, are 0."""
        counts = {name: tensor for name, tensor in self.model.state_dict().items() if name not in weights}
        zeros = {name: torch.zeros_like(count, device="cpu") for name, count in counts.items()}
        self.model.load_state_dict(weights | zeros, assign=True)
        return self.model
