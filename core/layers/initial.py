"""Initial weights, where a paper asks for others than PyTorch's."""

from torch import nn


def kaiming(module: nn.Module) -> None:
    """Draw the weights of every convolution and linear layer anew, Kaiming normal, and set their biases to 0.

    Source: Heinsen 2019, sections 4.2 and 5.2.
    """
    for layer in module.modules():
        if isinstance(layer, nn.Conv2d | nn.Linear):
            nn.init.kaiming_normal_(layer.weight)
            nn.init.zeros_(layer.bias)
