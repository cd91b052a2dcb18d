"""CCCaps: its sizes and votes as in the paper, batches, gradients, and refused arguments."""

from typing import get_args

import pytest
import torch

from core.models import CCCaps, CCCapsConfig
from core.models.cccaps import Embedding
from core.routing import ROUTINGS

SMALL = {"n_words": 10, "n_classes": 3, "n_books": 2, "d_word": 4, "d_hidden": 6, "d_feature": 2, "d_capsule": 3}
SMALL |= {"d_piece": 7}
KINDS = [(embedding, routing) for embedding in get_args(Embedding) for routing in (*ROUTINGS, "none")]


def small(embedding="cwc", routing="kmeans", **settings):
    """A small network with random weights."""
    torch.manual_seed(0)
    return CCCaps(CCCapsConfig(**(SMALL | settings), embedding=embedding, routing=routing)).double().eval()


@pytest.mark.parametrize(
    ("embedding", "routing", "millions"),
    [
        ("plain", "none", 4.45),
        ("cc", "none", 2.45),
        ("cwc", "none", 2.45),
        ("plain", "kmeans", 4.46),
        ("cc", "kmeans", 2.46),
        ("cwc", "kmeans", 2.46),
        ("cwc", "dynamic", 2.46),
    ],
)
def test_parameter_counts_are_those_of_the_paper_s_table_7(embedding, routing, millions):
    model = CCCaps(CCCapsConfig(n_words=62_535, n_classes=4, embedding=embedding, routing=routing))
    trained = sum(p.numel() for p in model.parameters() if p.requires_grad)
    assert round(trained / 1e6, 2) == millions


def test_an_unknown_routing_is_refused():
    with pytest.raises(ValueError, match=rf"routing is 'nonsense', wanted one of {', '.join(ROUTINGS)}, none"):
        small(routing="nonsense")


@pytest.mark.parametrize(("embedding", "routing"), KINDS)
def test_a_padded_batch_equals_its_samples_alone(embedding, routing):
    model = small(embedding, routing)
    words = torch.tensor([[1, 2, 3, 4], [5, 6, 0, 0], [7, 0, 0, 0]])
    lengths = (4, 2, 1)
    mask = torch.arange(4) < torch.tensor(lengths)[:, None]
    together = model(words, mask)
    for row, n in enumerate(lengths):
        torch.testing.assert_close(together[row : row + 1], model(words[row : row + 1, :n]))


@pytest.mark.parametrize("routing", ["kmeans", "dynamic"])
def test_forward_is_the_last_step_s_lengths(routing):
    model = small(routing=routing)
    words = torch.tensor([[1, 2, 3]])
    steps = list(model.route(model.contributions(words).sum(1), 6))
    assert len(steps) == 6
    assert torch.equal(model(words), steps[2].capsules.norm(dim=-1))


def test_contributions_of_words_sum_to_the_encoding():
    """The encoding is the mean over words of the encoder's last states, with both directions summed."""
    model = small()
    words = torch.tensor([[1, 2, 3]])
    states = model.encoder(model.embed(words))[0]
    torch.testing.assert_close(model.contributions(words).sum(1), (states[..., :6] + states[..., 6:]).mean(1))


def test_votes_by_hand():
    model = small()
    encoding = torch.arange(6.0, dtype=torch.float64)[None]
    (step,) = model.route(encoding, 1)
    votes = torch.stack(
        [torch.stack([model.vote[i, j] @ encoding[0, 2 * i : 2 * i + 2] for j in range(3)]) for i in range(3)]
    )
    torch.testing.assert_close(torch.einsum("ij,ijh->jh", step.coupling[0], votes), step.centres[0])


@pytest.mark.parametrize("embedding", get_args(Embedding))
def test_unknown_words_use_the_vectors_given_with_the_ids(embedding):
    model = small(embedding)
    pieces = torch.randn(1, 7, dtype=torch.float64)
    x = model.embed(torch.tensor([[1, 10]]), pieces)
    torch.testing.assert_close(x[0, 0], model.embedding.weight[1])
    assert torch.equal(x[0, 1], model.from_pieces(pieces)[0])


@pytest.mark.parametrize(("embedding", "routing"), KINDS)
def test_every_trained_parameter_gets_a_finite_gradient(embedding, routing):
    model = small(embedding, routing).train()
    torch.nn.functional.cross_entropy(model(torch.tensor([[1, 2, 3]])), torch.tensor([0])).backward()
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            assert parameter.grad.isfinite().all(), name
            assert parameter.grad.abs().sum() > 0, name


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_runs_in_every_dtype(dtype):
    assert small().to(dtype)(torch.tensor([[1, 2]])).dtype == dtype


@pytest.mark.wrong_arguments
@pytest.mark.parametrize(
    ("name", "value", "message"),
    [("embedding", "none", "cwc, cc, plain"), ("routing", "em", "kmeans"), ("n_books", 0, "0"), ("d_feature", 4, "6")],
)
def test_impossible_values_are_refused(name, value, message):
    with pytest.raises(ValueError, match=message):
        CCCapsConfig(**(SMALL | {name: value}))


@pytest.mark.wrong_arguments
@pytest.mark.parametrize("mask", [[[False, False]], [[False, True]], [[True]]])
def test_a_mask_without_a_word_or_with_padding_inside_is_refused(mask):
    with pytest.raises(ValueError, match=r"wanted \[1, 2\] of torch.bool with a real input in every row and padding"):
        small()(torch.tensor([[1, 2]]), torch.tensor(mask))


def test_a_network_without_routing_refuses_to_route():
    with pytest.raises(ValueError, match="has no routing"):
        small(routing="none").route(torch.zeros(1, 6))
