"""Weight initializations that a paper prescribes instead of PyTorch's."""

from torch import nn


def kaiming(module: nn.Module) -> None:
    """Initialize every convolution and linear layer: Kaiming normal weights, zero biases.

    Source: Heinsen 2019, sections 4.2 and 5.2.
    """
    for layer in module.modules():
        if isinstance(layer, nn.Conv2d | nn.Linear):
            nn.init.kaiming_normal_(layer.weight)
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)


def xavier(module: nn.Module) -> None:
    """Initialize every linear layer and every LSTM gate: Xavier normal weights, zero biases.

    Source: Gong et al. 2018, section 5.2, which does not mention biases.
    """
    for layer in module.modules():
        if isinstance(layer, nn.Linear | nn.LSTM):
            for name, parameter in layer.named_parameters(recurse=False):
                if "bias" in name:
                    nn.init.zeros_(parameter)
                    continue
                for matrix in parameter.data.chunk(4 if isinstance(layer, nn.LSTM) else 1):
                    nn.init.xavier_normal_(matrix)
