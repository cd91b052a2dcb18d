"""Disconnected recurrent layer: the state at each position depends only on the last k words (Wang 2018, ACL).

The state of window s at position t is one step of the unit from the state of window s - 1 at position t - 1:

    H_s[t] = unit(x_t, H_{s-1}[t-1]),    H_0 = 0

so k steps, each over all positions at once, give window k and all shorter windows. The text is padded on the left
with zero vectors. A state that has read only zero vectors is the same at every position, so one padding column is
enough.
"""

from collections.abc import Iterator

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

UNITS = {"gru": 3, "lstm": 4, "rnn": 1}  # gates per unit


class DisconnectedRNN(nn.Module):
    """Maps word vectors [b, n, d] to states [b, n, h], each computed from the k words that end at its position."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        window: int,
        unit: str = "gru",
        dropout: float = 0.0,
    ):
        """Make the weights of the unit.

        Args:
            input_size: components of a word vector, d.
            hidden_size: components of a state, h.
            window: window k, in words.
            unit: "gru", "lstm" or "rnn".
            dropout: dropout of hidden states between steps, with a new mask per step (section 3.4).

        Raises:
            ValueError: an unknown unit, or a size below 1.
        """
        super().__init__()
        if unit not in UNITS:
            raise ValueError(f"unit is {unit!r}, wanted one of {', '.join(UNITS)}")
        for name, size in (("input_size", input_size), ("hidden_size", hidden_size), ("window", window)):
            if size < 1:
                raise ValueError(f"{name} is {size}, wanted at least 1")
        self.input_size, self.hidden_size, self.window, self.unit = input_size, hidden_size, window, unit
        self.project = nn.Linear(input_size, UNITS[unit] * hidden_size)  # W and b of all gates
        self.recur = nn.Linear(hidden_size, UNITS[unit] * hidden_size, bias=False)  # U of all gates
        self.dropout = nn.Dropout(dropout)
        for gate in self.recur.weight.chunk(UNITS[unit]):
            nn.init.orthogonal_(gate)

    def forward(self, x: Float[Tensor, "b n d"]) -> Float[Tensor, "b n h"]:
        """The states with window ``self.window``.

        Raises:
            ValueError: x has another shape.
        """
        *_, last = self._steps(x, self.window)
        return last

    def all_windows(self, x: Float[Tensor, "b n d"], max_window: int) -> Float[Tensor, "b w n h"]:
        """The states with every window from 1 to max_window, at the cost of the largest.

        Raises:
            ValueError: x has another shape, or max_window is below 1.
        """
        if max_window < 1:
            raise ValueError(f"max_window is {max_window}, wanted at least 1")
        return torch.stack(list(self._steps(x, max_window)), 1)

    def states_of(self, x: Float[Tensor, "n d"], windows: Int[Tensor, "m k"]) -> Float[Tensor, "m h"]:
        """The state after each window is read from a zero state, without dropout. A window is a list of rows of x.

        Raises:
            ValueError: x has another shape, or there is no window.
        """
        if x.ndim != 2 or x.shape[1] != self.input_size or windows.ndim != 2 or 0 in (*x.shape, *windows.shape):
            raise ValueError(
                f"x has shape {list(x.shape)} and windows {list(windows.shape)}, wanted [n, {self.input_size}] and "
                "[m, k], none of them zero"
            )
        inputs = self.project(x)
        h = cell = inputs.new_zeros(len(windows), 1, self.hidden_size)
        for rows in windows.T:  # the next row of every window
            h, cell = self._step(inputs[rows, None], h, cell)
        return h[:, 0]

    def _steps(self, x: Tensor, n_steps: int) -> Iterator[Float[Tensor, "b n h"]]:
        """Yield the states with window 1, 2, .., n_steps."""
        if x.ndim != 3 or x.shape[2] != self.input_size or 0 in x.shape:
            raise ValueError(f"x has shape {list(x.shape)}, wanted [b, n, {self.input_size}], none of them zero")
        if not x.is_floating_point():
            raise ValueError(f"x has dtype {x.dtype}, wanted a floating-point one")
        inputs = self.project(nn.functional.pad(x, (0, 0, 1, 0)))  # a column of zero vectors, then the text
        h = cell = inputs.new_zeros(*inputs.shape[:2], self.hidden_size)
        for step in range(n_steps):
            before = self.dropout(h) if step else h
            h, cell = self._step(inputs, _one_back(before), _one_back(cell))
            yield h[:, 1:]

    def _step(self, inputs: Tensor, h: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
        """The next states and the next cells; only an LSTM has cells."""
        return {"gru": self._gru, "lstm": self._lstm, "rnn": self._rnn}[self.unit](inputs, h, cell)

    def _gru(self, inputs: Tensor, h: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
        """Eq. 1-4. The reset gate acts before the product with U."""
        d = self.hidden_size
        gates = torch.addmm(inputs[..., : 2 * d].flatten(0, 1), h.flatten(0, 1), self.recur.weight[: 2 * d].T).sigmoid()
        z, r = gates.view(*h.shape[:2], 2 * d).chunk(2, -1)
        new = (inputs[..., 2 * d :] + nn.functional.linear(r * h, self.recur.weight[2 * d :])).tanh()
        return torch.lerp(h, new, z), cell

    def _lstm(self, inputs: Tensor, h: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
        i, f, o, new = (inputs + self.recur(h)).chunk(4, -1)  # input, forget and output gates
        cell = f.sigmoid() * cell + i.sigmoid() * new.tanh()
        return o.sigmoid() * cell.tanh(), cell

    def _rnn(self, inputs: Tensor, h: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
        return (inputs + self.recur(h)).tanh(), cell


def _one_back(states: Float[Tensor, "b m h"]) -> Float[Tensor, "b m h"]:
    """Shift the states by one position to the right; the padding column keeps its own state."""
    return torch.cat([states[:, :1], states[:, :-1]], 1)
