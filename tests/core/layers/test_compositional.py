"""The compositional embedding: its vectors, its training and its size."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.layers import CompositionalEmbedding
from core.layers.compositional import least_base, parameter_bill


def layer(n_words=5, d=3, n_books=2, method="cwc", seed=0):
    torch.manual_seed(seed)
    return CompositionalEmbedding(n_words, d, n_books, method).double()


def test_the_vector_of_a_word_by_hand():
    first = layer(n_words=4, d=1)
    assert first.n_codewords == 2
    with torch.no_grad():
        first.codes[3] = torch.tensor([[3.0, 1.0], [1.0, 1.0]]).log()  # shares 3/4, 1/4; 1/2, 1/2
        first.books[:] = torch.tensor([[[1.0], [5.0]], [[10.0], [20.0]]])
    assert first(torch.tensor([3])).item() == pytest.approx(3 / 4 + 5 / 4 + 15)
    second = layer(n_words=4, d=1, method="cc").eval()
    second.load_state_dict(first.state_dict())
    assert second(torch.tensor([3])).item() == pytest.approx(1 + 10)


@pytest.mark.parametrize("method", ["cwc", "cc"])
def test_a_vector_is_the_sum_over_books_of_shares_of_codewords(method):
    module = layer(method=method).eval()
    words = torch.tensor([[0, 4], [2, 2]])
    shares = module.shares(words)
    torch.testing.assert_close(shares.sum(-1), torch.ones(2, 2, 2, dtype=torch.float64))
    expected = torch.stack(
        [
            sum(shares[b, n, q, e] * module.books[q, e] for q in range(2) for e in range(3))
            for b in range(2)
            for n in range(2)
        ]
    ).view(2, 2, 3)
    torch.testing.assert_close(module(words), expected)
    torch.testing.assert_close(module.weight[words], module(words))
    assert module.exported()[4] == pytest.approx(shares[0, 1].numpy(force=True), rel=1e-6)


def test_cc_draws_one_codeword_per_book_in_training_and_learns():
    module = layer(method="cc")
    words = torch.zeros(200, dtype=torch.long)
    drawn = module.shares(words)
    assert set(drawn.unique().tolist()) == {0.0, 1.0}
    assert (drawn.sum(-1) == 1).all()
    drawn_first = drawn[:, 0].mean(0)
    assert ((drawn_first - module.codes[0, 0].softmax(-1)).abs() < 0.15).all()
    module(words).sum().backward()
    assert module.codes.grad[0].abs().sum() > 0
    module.eval()
    assert torch.equal(module.shares(words[:1]), module.shares(words[:1]))


@given(n=st.integers(1, 10**6), books=st.integers(1, 16))
def test_the_least_base_gives_every_word_its_own_code(n, books):
    base = least_base(n, books)
    assert base**books >= n
    assert base == 1 or (base - 1) ** books < n


def test_the_number_of_parameters_agrees_with_the_paper():
    """In table 7, for AG's News, the embedding has 2.0 million numbers less than a conventional one."""
    composed, table, base = parameter_bill(62_535, 64, 8)
    assert base == least_base(62_535, 8) == 4
    assert composed == 8 * 4 * (62_535 + 64)
    assert table == 62_535 * 64
    module = CompositionalEmbedding(1000, 64, 8)
    assert sum(p.numel() for p in module.parameters()) == parameter_bill(1000, 64, 8)[0]


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_gradients_reach_codes_and_books(dtype):
    module = layer().to(dtype)
    module(torch.tensor([1, 2])).square().sum().backward()
    assert module.codes.grad[1].abs().sum() > 0
    assert module.codes.grad[0].abs().sum() == 0
    assert module.books.grad.isfinite().all()


@pytest.mark.wrong_arguments
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"method": "plain"}, "method is 'plain', wanted one of cwc, cc"),
        ({"n_words": 0}, "n_words is 0"),
        ({"n_books": 0}, "n_books is 0"),
    ],
)
def test_settings_that_cannot_be_composed_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        CompositionalEmbedding(**({"n_words": 4, "d": 2} | arguments))


def test_an_id_without_a_code_is_named():
    with pytest.raises(ValueError, match="ids from 0 to 5, wanted 0 to 4"):
        layer()(torch.tensor([0, 5]))
