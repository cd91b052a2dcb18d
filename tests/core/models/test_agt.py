"""AGT: its layers as in the paper, masks, and refused arguments."""

import pytest
import torch

from core.models import AGT, AGTConfig

SMALL = {"n_words": 10, "n_classes": 3, "n_layers": 4, "d_word": 5, "d_hidden": 6, "d_mlp": 4, "d_piece": 7}


def small(n_attending=4):
    """A small network with random weights."""
    torch.manual_seed(0)
    model = AGT(AGTConfig(**SMALL, n_attending=n_attending)).double().eval()
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return model


def by_the_paper(model, words):
    """The attention, gates and features of one sentence, layer by layer and word by word (eq. 2-8)."""
    c, d = model.config, model.config.d_hidden
    b = torch.tanh(model.embedding.weight[words] @ model.project.weight.T + model.project.bias)
    y, gates, attentions = [], [], []
    for layer in range(c.n_layers):
        if layer < c.n_attending:
            w_l = model.attend.weight[layer * d : (layer + 1) * d]
            m = torch.stack([model.score[layer] @ torch.tanh(w_l @ b_n) for b_n in b])
            a = m.exp() / m.exp().sum()
            s = (a[:, None] * b).sum(0)
            attentions.append(a)
            if layer == 0:
                y.append(s)
                continue
        g = layer - 1
        gate_input = s if layer < c.n_attending else y[-1]
        t = torch.sigmoid(gate_input @ model.gate[g] + model.gate_bias[g])
        inner = y[-1] @ model.from_features[g] + model.bias[g]
        if layer < c.n_attending:
            inner = inner + s @ model.from_selection[g]
        y.append(torch.tanh(inner) * t + y[-1] * (1 - t))
        gates.append(t)
    return torch.stack(attentions), torch.stack(gates), torch.stack(y)


@pytest.mark.parametrize("n_attending", [4, 3, 1])
def test_layers_follow_the_paper_s_equations(n_attending):
    model, words = small(n_attending), torch.tensor([3, 1, 4, 1])
    layers = model.layers(words[None])
    attention, gates, features = by_the_paper(model, words)
    torch.testing.assert_close(layers.attention[0], attention)
    torch.testing.assert_close(layers.gates[0], gates)
    torch.testing.assert_close(layers.features[0], features)
    torch.testing.assert_close(model(words[None])[0], model.classify(features[-1]))


def test_default_sizes_are_the_paper_s():
    model = AGT(AGTConfig(n_words=16_579, n_classes=5))
    c = model.config
    assert (c.n_layers, c.n_attending, c.d_word, c.d_hidden, c.dropout) == (15, 15, 300, 200, 0.2)
    assert model.attend.weight.shape == (15 * 200, 200)
    assert model.gate.shape == model.from_features.shape == model.from_selection.shape == (14, 200, 200)
    assert (model.gate_bias == 1).all()
    assert AGT(AGTConfig(n_words=9, n_classes=5, n_attending=1)).from_selection.shape == (0, 200, 200)


def test_aligned_attention_starts_with_equal_rows():
    torch.manual_seed(0)
    usual = AGT(AGTConfig(**SMALL, n_attending=4))
    torch.manual_seed(0)
    model = AGT(AGTConfig(**SMALL, n_attending=4, aligned=10))
    first = usual.attend.weight.view(4, 6, 6)[:, :1]
    torch.testing.assert_close(model.attend.weight.view(4, 6, 6), 10 * first.expand(4, 6, 6))
    torch.testing.assert_close(model.score, usual.score.abs())
    others = [name for name, _ in model.named_parameters() if name not in ("attend.weight", "score")]
    assert all(torch.equal(model.get_parameter(name), usual.get_parameter(name)) for name in others)
    with pytest.raises(ValueError, match="aligned is -1, wanted 0 or more"):
        AGTConfig(**SMALL, aligned=-1)


@pytest.mark.parametrize("n_attending", [4, 1])
def test_a_padded_batch_equals_its_samples_alone(n_attending):
    model = small(n_attending)
    words = torch.tensor([[1, 2, 3, 4], [5, 6, 0, 0], [7, 0, 0, 0]])
    lengths = (4, 2, 1)
    mask = torch.arange(4) < torch.tensor(lengths)[:, None]
    together = model(words, mask)
    for row, n in enumerate(lengths):
        torch.testing.assert_close(together[row : row + 1], model(words[row : row + 1, :n]))


def test_one_text_is_read_once_for_many_masks():
    model, words = small(), torch.tensor([[1, 2, 3, 4]])
    mask = torch.tensor([[True, True, True, True], [False, True, False, True], [True, False, False, False]])
    torch.testing.assert_close(model.layers(words, mask).features, model.layers(words.expand(3, -1), mask).features)


def test_a_network_of_one_layer_has_no_gates():
    model = AGT(AGTConfig(**SMALL | {"n_layers": 1}, n_attending=1)).eval()
    layers = model.layers(torch.tensor([[1, 2]]))
    assert layers.gates.shape == (1, 0, 6)
    assert layers.features.shape == (1, 1, 6)


def test_the_order_of_words_does_not_matter():
    model = small()
    torch.testing.assert_close(model(torch.tensor([[1, 2, 3]])), model(torch.tensor([[3, 1, 2]])))


def test_training_reaches_every_weight():
    model = small().train()
    torch.nn.functional.cross_entropy(model(torch.tensor([[1, 2, 3], [4, 5, 6]])), torch.tensor([0, 2])).backward()
    trained = {name: p.grad for name, p in model.named_parameters() if p.requires_grad}
    assert all(grad is not None and grad.abs().sum() > 0 for grad in trained.values())


def test_bfloat16_runs():
    model = small().bfloat16()
    assert model(torch.tensor([[1, 2]])).dtype == torch.bfloat16


@pytest.mark.wrong_arguments
def test_sizes_that_do_not_fit_are_refused():
    model, words = small(), torch.tensor([[1, 2]])
    for mask in (torch.tensor([[True]]), torch.tensor([[1.0, 1.0]]), torch.tensor([[False, False]])):
        with pytest.raises(ValueError, match=r"mask has shape .*, wanted \[1, 2\] of torch.bool with a real input"):
            model(words, mask)
    with pytest.raises(ValueError, match="words has ids from"):
        model(torch.tensor([[10]]))
    for n_attending in (0, 5):
        with pytest.raises(ValueError, match=f"n_attending is {n_attending}, wanted"):
            AGTConfig(**SMALL, n_attending=n_attending)
