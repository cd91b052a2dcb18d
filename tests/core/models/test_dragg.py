"""DR-AGG on sentences: its sizes, batches, gradients, and refused arguments."""

import pytest
import torch

from core.models import DRAgg, DRAggConfig
from tests.core.models.sizes import SMALL


@pytest.fixture(params=["output", "input"])
def model(request):
    torch.manual_seed(0)
    return DRAgg(DRAggConfig(**SMALL, normalize=request.param)).double().eval()


def test_default_sizes_are_the_paper_s():
    c = DRAggConfig(n_words=16_579, n_classes=5)
    assert (c.d_word, c.d_hidden, c.n_capsules, c.d_capsule, c.n_iters) == (300, 200, 5, 200, 3)
    model = DRAgg(c)
    # LSTM 2 * 4 * 200 * (300 + 200 + 2), votes 400 * 1000 + 1000
    assert sum(p.numel() for p in model.encoder.parameters()) == 803_200
    assert sum(p.numel() for p in model.vote.parameters()) == 401_000


def test_a_padded_batch_equals_its_samples_alone(model):
    words = torch.tensor([[1, 2, 3, 4], [5, 6, 0, 0], [7, 0, 0, 0]])
    lengths = (4, 2, 1)
    mask = torch.arange(4) < torch.tensor(lengths)[:, None]
    together = model(words, mask)
    for row, n in enumerate(lengths):
        torch.testing.assert_close(together[row : row + 1], model(words[row : row + 1, :n]))


def test_forward_is_the_last_step(model):
    words = torch.tensor([[1, 2, 3]])
    steps = list(model.steps(words, n_iters=6))
    assert len(steps) == 6
    assert torch.equal(model(words), model.classify(steps[model.config.n_iters - 1].capsules))


def test_unknown_words_use_the_vectors_given_with_the_ids(model):
    pieces = torch.randn(2, 7, dtype=torch.float64)
    x = model.embed(torch.tensor([[1, 11, 10, 11]]), pieces)
    projected = model.from_pieces(pieces)
    assert torch.equal(x[0, 0], model.embedding.weight[1])
    assert torch.equal(x[0, 1], projected[1])
    assert torch.equal(x[0, 2], projected[0])
    assert torch.equal(x[0, 3], projected[1])


@pytest.mark.wrong_arguments
def test_sizes_that_do_not_fit_are_refused(model):
    for words, unknown in (([[1, 10]], None), ([[1, -1]], None), ([[1, 12]], torch.zeros(2, 7).double())):
        with pytest.raises(ValueError, match="words has ids from"):
            model(torch.tensor(words), unknown=unknown)
    for mask in ([[False, True]], [[True]]):
        with pytest.raises(ValueError, match="mask has shape"):
            model(torch.tensor([[1, 2]]), torch.tensor(mask))
    with pytest.raises(ValueError, match=r"unknown has shape \[1, 3\], wanted \[u, 7\]"):
        model(torch.tensor([[1, 10]]), unknown=torch.zeros(1, 3))
    with pytest.raises(ValueError, match="n_iters is 0"):
        model.steps(torch.tensor([[1, 2]]), n_iters=0)
    with pytest.raises(ValueError, match=r"words has shape \[1, 0\]"):
        model(torch.zeros(1, 0, dtype=torch.long))


def test_every_trained_parameter_gets_a_finite_gradient(model):
    model.train()
    torch.nn.functional.cross_entropy(model(torch.tensor([[1, 2, 3]])), torch.tensor([0])).backward()
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            assert parameter.grad.isfinite().all(), name
            assert parameter.grad.abs().sum() > 0, name
    assert not model.from_pieces.weight.requires_grad


def test_a_row_of_only_padding_has_zero_capsules(model):
    mask = torch.tensor([[True, True], [False, False]])
    *_, last = model.steps(torch.tensor([[1, 2], [0, 0]]), mask)
    assert last.capsules[1].abs().sum() == 0


@pytest.mark.wrong_arguments
@pytest.mark.parametrize(("name", "value"), [("n_words", -1), ("n_words", 10**12), ("n_iters", "3"), ("d_word", 2.5)])
def test_impossible_sizes_are_refused(name, value):
    with pytest.raises(ValueError, match=f"{name} is {value!r}"):
        DRAggConfig(**(SMALL | {name: value}))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_runs_in_every_dtype(dtype):
    model = DRAgg(DRAggConfig(**SMALL)).to(dtype).eval()
    logits = model(torch.tensor([[1, 2, 3]]))
    assert logits.dtype == dtype
    assert logits.isfinite().all()
