"""All windows of a disconnected recurrent layer in one pass, compared with the largest one and with separate runs."""

import torch
from torch import nn

from core.layers import DisconnectedRNN
from tests.benchmarks.figure import Figure, median_seconds

N_WORDS, MAX_WINDOW, D = 60, 40, 300
N_TEXTS, WINDOW = 32, 15  # texts and window of a training step


def windows(device: str) -> list[Figure]:
    """The time of windows 1 to 40 of one text of 60 words, and of a training step with one window."""
    torch.manual_seed(0)
    x = torch.randn(1, N_WORDS, D, device=device)
    layers = [DisconnectedRNN(D, D, window).to(device).eval() for window in range(1, MAX_WINDOW + 1)]
    largest = layers[-1]

    @torch.inference_mode()
    def together() -> None:
        largest.all_windows(x, MAX_WINDOW)

    @torch.inference_mode()
    def only_largest() -> None:
        largest(x)

    @torch.inference_mode()
    def separately() -> None:
        for layer in layers:
            layer(x)

    fused = nn.GRU(D, D, batch_first=True).to(device)
    disconnected = DisconnectedRNN(D, D, WINDOW).to(device)
    texts = torch.randn(N_TEXTS, N_WORDS, D, device=device)
    our_step = median_seconds(lambda: disconnected(texts).sum().backward(), device)
    fused_step = median_seconds(lambda: fused(texts)[0].sum().backward(), device)
    one_pass, one_window, all_runs = (median_seconds(run, device) for run in (together, only_largest, separately))
    return [
        Figure("DRNN, windows 1 to 40 in one pass / window 40 alone", one_pass / one_window, 1.3, "times"),
        Figure(
            f"disconnected GRU of window {WINDOW} / PyTorch's GRU, a training step of {N_TEXTS} texts",
            our_step / fused_step,
            2 if device == "cuda" else None,
            "times",
        ),
        Figure("DRNN, 40 separate runs / one pass", all_runs / one_pass, 10, "times", at_least=True),
    ]
