"""DRNN: windows, pooling, padding, and refused arguments."""

import pytest
import torch

from core.models.drnn import DRNN, DRNNConfig

SMALL = {"n_words": 10, "n_classes": 3, "window": 2, "d_word": 5, "d_hidden": 4, "d_mlp": 6, "d_piece": 7}
UNITS = ("gru", "lstm", "rnn", "cnn", "whole gru", "whole lstm")
WORDS = torch.tensor([[1, 2, 3, 4], [5, 6, 0, 0], [7, 0, 0, 0]])
LENGTHS = (4, 2, 1)
MASK = torch.arange(4) < torch.tensor(LENGTHS)[:, None]


def small(unit="gru", pooling="max", **more):
    """A small network whose norm has random running means."""
    torch.manual_seed(0)
    model = DRNN(DRNNConfig(**SMALL | more, unit=unit, pooling=pooling)).double().eval()
    torch.nn.init.normal_(model.norm.running_mean)
    return model


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("pooling", ["max", "mean", "attentive"])
def test_a_padded_batch_equals_its_samples_alone(unit, pooling):
    model = small(unit, pooling)
    together = model(WORDS, MASK)
    for row, n in enumerate(LENGTHS):
        torch.testing.assert_close(together[row : row + 1], model(WORDS[row : row + 1, :n]))


@pytest.mark.parametrize("unit", ["gru", "lstm", "rnn"])
@pytest.mark.parametrize("pooling", ["max", "mean", "attentive"])
def test_each_window_equals_a_network_of_that_window(unit, pooling):
    model = small(unit, pooling)
    windows = model.windows(WORDS, 5, MASK)
    for k in range(1, 6):
        model.encoder.window = k
        torch.testing.assert_close(windows.logits[:, k - 1], model(WORDS, MASK))


@pytest.mark.parametrize("pooling", ["max", "mean", "attentive"])
def test_positions_add_up_to_the_pooled_vector_and_the_logits(pooling):
    model = small(pooling=pooling)
    windows = model.windows(WORDS, 3, MASK)
    assert windows.contributions.shape == (3, 3, 4, 6)
    pooled = windows.contributions.sum(2)
    torch.testing.assert_close(model.after(pooled), windows.logits)
    padding = ~MASK[:, None].expand(3, 3, 4)
    assert not windows.contributions[padding].any()
    # The evidence leaves out the biases. Those of hidden units reach the logits where the unit is positive.
    hidden_units = model.after[0](pooled)
    biases = torch.einsum("ck,bwk,k->bwc", model.after[-1].weight, (hidden_units > 0).double(), model.after[0].bias)
    torch.testing.assert_close(windows.evidence.sum(2) + biases + model.after[-1].bias, windows.logits)
    if pooling == "max":
        assert ((windows.contributions != 0).sum(2) <= 1).all()  # one position takes a component, or none


def test_a_state_depends_only_on_the_words_in_its_window():
    words = torch.tensor([[1, 2, 3, 4]])
    for unit in ("gru", "lstm", "rnn", "cnn"):
        model = small(unit)
        changed = words.clone()
        changed[0, 0] = 9
        moved = (model.states(model.embed(words)) - model.states(model.embed(changed))).abs().sum(-1)[0] > 0
        assert moved.tolist() == [True, True, False, False]


def test_padding_does_not_change_the_norm():
    model = small(dropout=0.0, dropout_hidden=0.0).train()
    model.norm.momentum = 1.0
    model(WORDS, MASK)
    states = model.states(model.embed(WORDS))[MASK]
    torch.testing.assert_close(model.norm.running_mean, states.mean(0))


def test_training_reaches_every_weight():
    for pooling in ("max", "mean", "attentive"):
        model = small(pooling=pooling, dropout=0.0, dropout_hidden=0.0).train()
        torch.nn.functional.cross_entropy(model(WORDS, MASK), torch.tensor([0, 1, 2])).backward()
        trained = {name: p.grad for name, p in model.named_parameters() if p.requires_grad}
        assert all(grad is not None for grad in trained.values())


@pytest.mark.wrong_arguments
def test_sizes_that_do_not_fit_are_refused():
    model = small()
    for mask in (~MASK, MASK.double(), MASK[:2], torch.zeros_like(MASK)):
        with pytest.raises(ValueError, match=r"mask has shape .*, wanted \[3, 4\] of torch.bool"):
            model(WORDS, mask)
    with pytest.raises(ValueError, match="has at most one window"):
        small("cnn").windows(WORDS, 2)
    with pytest.raises(ValueError, match="unit is 'tcn', wanted one of gru"):
        small("tcn")
    with pytest.raises(ValueError, match="pooling is 'min', wanted one of max"):
        small(pooling="min")
