"""The disconnected recurrent layer, compared with the equations of its paper."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.layers import UNITS, DisconnectedRNN

D, H = 3, 4


def layer(unit="gru", window=3, **options):
    torch.manual_seed(0)
    module = DisconnectedRNN(D, H, window, unit, **options).double().eval()
    torch.nn.init.normal_(module.recur.weight, std=0.6)
    return module


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def one_step(module, x, h, cell):
    """The state and cell of a unit after one word, by its equations (1 to 4 for the GRU)."""
    inner = module.project.weight.detach().numpy() @ x + module.project.bias.detach().numpy()
    u = module.recur.weight.detach().numpy()
    if module.unit == "rnn":
        return np.tanh(inner + u @ h), cell
    if module.unit == "lstm":
        i, f, o, g = np.split(inner + u @ h, 4)
        cell = sigmoid(f) * cell + sigmoid(i) * np.tanh(g)
        return sigmoid(o) * np.tanh(cell), cell
    (wz, wr, wh), (uz, ur, uh) = np.split(inner, 3), np.split(u, 3)
    z, r = sigmoid(wz + uz @ h), sigmoid(wr + ur @ h)
    return (1 - z) * h + z * np.tanh(wh + uh @ (r * h)), cell


def states_by_equations(module, x, window):
    """The states of a text: at each position the unit runs over one window, with zero vectors before the text."""
    padded = np.concatenate([np.zeros((window - 1, D)), x])
    states = []
    for t in range(len(x)):
        h = cell = np.zeros(H)
        for word in padded[t : t + window]:
            h, cell = one_step(module, word, h, cell)
        states.append(h)
    return np.stack(states)


@pytest.mark.parametrize("window", [1, 2, 3, 7])
@pytest.mark.parametrize("unit", UNITS)
def test_states_agree_with_the_equations(unit, window):
    module, x = layer(unit, window), torch.randn(2, 5, D, dtype=torch.float64)
    for row, states in zip(x, module(x), strict=True):
        np.testing.assert_allclose(states.detach(), states_by_equations(module, row.numpy(), window), atol=1e-12)


@pytest.mark.parametrize("unit", UNITS)
def test_all_windows_at_once_agree_with_separate_runs(unit):
    module, x = layer(unit), torch.randn(2, 6, D, dtype=torch.float64)
    together = module.all_windows(x, 9)
    assert together.shape == (2, 9, 6, H)
    for k in range(1, 10):
        module.window = k
        torch.testing.assert_close(together[:, k - 1], module(x), rtol=0, atol=1e-9)


@pytest.mark.parametrize("unit", UNITS)
def test_the_same_words_give_the_same_state_anywhere(unit):
    module, x = layer(unit), torch.randn(1, 9, D, dtype=torch.float64)
    x[0, 6:9] = x[0, 2:5]
    states = module(x)[0]
    torch.testing.assert_close(states[4], states[8])


@settings(max_examples=30)
@given(n=st.integers(1, 8), window=st.integers(1, 10), after=st.integers(1, 4))
def test_later_words_change_nothing(n, window, after):
    module, x = layer(window=window), torch.randn(1, n + after, D, dtype=torch.float64)
    torch.testing.assert_close(module(x)[:, :n], module(x[:, :n]))


@pytest.mark.parametrize("unit", UNITS)
def test_gradients_are_exact(unit):
    module = layer(unit, window=2)
    x = torch.randn(1, 3, D, dtype=torch.float64, requires_grad=True)
    weights = [p.detach().clone().requires_grad_() for p in module.parameters()]
    names = [name for name, _ in module.named_parameters()]

    def run(x, *weights):
        return torch.func.functional_call(module, dict(zip(names, weights, strict=True)), (x,))

    assert torch.autograd.gradcheck(run, (x, *weights))


def test_dropout_changes_hidden_states_in_training_only():
    module, x = layer(dropout=0.5), torch.randn(1, 4, D, dtype=torch.float64)
    assert torch.equal(module(x), module(x))
    module.train()
    assert not torch.equal(module(x), module(x))
    module.window = 1
    assert torch.equal(module(x), module(x))  # a window of one word starts without a state


def test_the_layer_runs_in_bfloat16():
    assert layer().bfloat16()(torch.randn(1, 4, D).bfloat16()).dtype == torch.bfloat16


@pytest.mark.wrong_arguments
def test_sizes_that_do_not_fit_are_refused():
    for shape in ((2, 3), (1, 2, D + 1), (0, 2, D), (1, 0, D)):
        with pytest.raises(ValueError, match=r"x has shape .*, wanted \[b, n, 3\]"):
            layer()(torch.zeros(shape, dtype=torch.float64))
    with pytest.raises(ValueError, match="max_window is 0, wanted at least 1"):
        layer().all_windows(torch.zeros(1, 1, D), 0)
    with pytest.raises(ValueError, match="unit is 'tcn', wanted one of gru, lstm, rnn"):
        DisconnectedRNN(D, H, 2, "tcn")
    with pytest.raises(ValueError, match="window is 0, wanted at least 1"):
        DisconnectedRNN(D, H, 0)


@pytest.mark.parametrize("unit", UNITS)
def test_windows_of_chosen_rows_agree_with_separate_texts(unit):
    layer, x = DisconnectedRNN(3, 4, 3, unit), torch.randn(6, 3)
    windows = torch.tensor([[0, 1, 2], [5, 0, 3], [2, 2, 2]])
    assert torch.allclose(layer.states_of(x, windows), layer(x[windows])[:, -1], atol=1e-6)


@pytest.mark.wrong_arguments
@pytest.mark.parametrize(("x", "windows"), [((6, 2), (1, 3)), ((6, 3), (0, 3)), ((3,), (1, 3))])
def test_windows_of_other_shapes_are_refused(x, windows):
    with pytest.raises(ValueError, match="wanted"):
        DisconnectedRNN(3, 4, 3).states_of(torch.zeros(x), torch.zeros(windows, dtype=torch.long))
