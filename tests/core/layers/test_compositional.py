import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.layers import CompositionalEmbedding
from core.layers.compositional import least_base, parameter_bill


def layer(n_words=5, d=3, n_books=2, method="cwc", seed=0):
    torch.manual_seed(seed)
    return CompositionalEmbedding(n_words, d, n_books, method).double()


def test_one_word_of_two_books_by_hand():
    one = layer(n_words=4, d=1)
    assert one.n_codewords == 2
    with torch.no_grad():
        one.codes[3] = torch.tensor([[3.0, 1.0], [1.0, 1.0]]).log()  # shares 3/4, 1/4; 1/2, 1/2
        one.books[:] = torch.tensor([[[1.0], [5.0]], [[10.0], [20.0]]])
    assert one(torch.tensor([3])).item() == pytest.approx(3 / 4 + 5 / 4 + 15)
    other = layer(n_words=4, d=1, method="cc").eval()
    other.load_state_dict(one.state_dict())
    assert other(torch.tensor([3])).item() == pytest.approx(1 + 10)


@pytest.mark.parametrize("method", ["cwc", "cc"])
def test_a_vector_is_the_sum_over_books_of_shares_of_codewords(method):
    one = layer(method=method).eval()
    words = torch.tensor([[0, 4], [2, 2]])
    shares = one.shares(words)
    torch.testing.assert_close(shares.sum(-1), torch.ones(2, 2, 2, dtype=torch.float64))
    wanted = torch.stack(
        [
            sum(shares[b, n, q, e] * one.books[q, e] for q in range(2) for e in range(3))
            for b in range(2)
            for n in range(2)
        ]
    ).view(2, 2, 3)
    torch.testing.assert_close(one(words), wanted)
    torch.testing.assert_close(one.weight[words], one(words))
    assert one.exported()[4] == pytest.approx(shares[0, 1].numpy(force=True), rel=1e-6)


def test_cc_draws_one_codeword_a_book_in_training_and_learns_by_it():
    one = layer(method="cc")
    words = torch.zeros(200, dtype=torch.long)
    drawn = one.shares(words)
    assert set(drawn.unique().tolist()) == {0.0, 1.0}
    assert (drawn.sum(-1) == 1).all()
    drawn_first = drawn[:, 0].mean(0)
    assert ((drawn_first - one.codes[0, 0].softmax(-1)).abs() < 0.15).all()
    one(words).sum().backward()
    assert one.codes.grad[0].abs().sum() > 0
    one.eval()
    assert torch.equal(one.shares(words[:1]), one.shares(words[:1]))


@given(n=st.integers(1, 10**6), books=st.integers(1, 16))
def test_k_is_the_least_that_tells_all_words_apart(n, books):
    base = least_base(n, books)
    assert base**books >= n
    assert base == 1 or (base - 1) ** books < n


def test_the_paper_s_bill_for_ag_s_news():
    """Table 7: 2.0 million numbers less than the conventional embedding."""
    composed, table, base = parameter_bill(62_535, 64, 8)
    assert base == least_base(62_535, 8) == 4
    assert composed == 8 * 4 * (62_535 + 64)
    assert table == 62_535 * 64
    one = CompositionalEmbedding(1000, 64, 8)
    assert sum(p.numel() for p in one.parameters()) == parameter_bill(1000, 64, 8)[0]


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_gradients_reach_codes_and_books(dtype):
    one = layer().to(dtype)
    one(torch.tensor([1, 2])).square().sum().backward()
    assert one.codes.grad[1].abs().sum() > 0
    assert one.codes.grad[0].abs().sum() == 0
    assert one.books.grad.isfinite().all()


@pytest.mark.wrong_arguments
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"method": "plain"}, "method is 'plain', wanted one of cwc, cc"),
        ({"n_words": 0}, "n_words is 0"),
        ({"n_books": 0}, "n_books is 0"),
    ],
)
def test_what_cannot_be_composed_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        CompositionalEmbedding(**({"n_words": 4, "d": 2} | arguments))


def test_an_id_without_a_code_is_named():
    with pytest.raises(ValueError, match="ids from 0 to 5, wanted 0 to 4"):
        layer()(torch.tensor([0, 5]))
