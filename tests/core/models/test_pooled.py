"""Networks that pool the states: formulas, padding, and refused arguments."""

from typing import get_args

import pytest
import torch

from core.models import Pooled, PooledConfig
from core.models.pooled import Pooling
from core.models.words import states

SMALL = {"n_words": 10, "n_classes": 3, "d_word": 5, "d_hidden": 4, "d_mlp": 6, "d_piece": 7}


@pytest.fixture(params=get_args(Pooling))
def model(request):
    torch.manual_seed(0)
    return Pooled(PooledConfig(**SMALL, pooling=request.param)).double().eval()


@torch.no_grad()
def test_states_are_pooled_by_the_paper_s_formulas(model):
    words = torch.tensor([[1, 2, 3]])
    (h,) = states(model.encoder, model.embed(words))
    if model.config.pooling == "max":
        e = torch.stack([max(column) for column in h.T])
    elif model.config.pooling == "mean":
        e = sum(h) / 3
    else:
        u = [float(model.query.weight[0] @ row) for row in h]
        a = torch.tensor(u, dtype=torch.float64).exp()
        e = sum(share * row for share, row in zip(a / a.sum(), h, strict=True))
    torch.testing.assert_close(model(words), model.mlp(e[None]))


def test_a_padded_batch_equals_its_samples_alone(model):
    words = torch.tensor([[1, 2, 3, 4], [5, 6, 0, 0], [7, 0, 0, 0]])
    lengths = (4, 2, 1)
    together = model(words, torch.arange(4) < torch.tensor(lengths)[:, None])
    for row, n in enumerate(lengths):
        torch.testing.assert_close(together[row : row + 1], model(words[row : row + 1, :n]))


def test_a_row_without_a_word_is_refused(model):
    with pytest.raises(ValueError, match="a real input in every row"):
        model(torch.tensor([[1, 2]]), torch.tensor([[False, False]]))


@pytest.mark.wrong_arguments
def test_an_unknown_pooling_is_refused():
    with pytest.raises(ValueError, match="pooling is 'sum', wanted one of max, mean, attentive"):
        PooledConfig(**SMALL, pooling="sum")
