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


def xavier(module: nn.Module) -> None:
    """Draw the weights of every linear layer and of every gate of an LSTM anew, Xavier normal; biases are set to 0.

    Source: Gong et al. 2018, section 5.2, which does not speak of biases.
    """
    for layer in module.modules():
        if isinstance(layer, nn.Linear | nn.LSTM):
            for name, parameter in layer.named_parameters(recurse=False):
                if "bias" in name:
                    nn.init.zeros_(parameter)
                    continue
                for matrix in parameter.data.chunk(4 if isinstance(layer, nn.LSTM) else 1):
                    nn.init.xavier_normal_(matrix)
