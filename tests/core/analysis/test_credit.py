"""Credit that is passed from the parts of an EM network to its inputs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.analysis.credit import by_token, end_to_end, leading_part, leading_used_part

shares = st.floats(0, 1, width=32).map(float)


def test_end_to_end_credit_by_hand():
    # Part 1 takes three quarters of its data from input 1; part 2 takes all of its data from input 2.
    use = np.array([[[0.75, 0.0], [0.25, 0.5]]])
    effect = np.array([[[4.0, -8.0], [1.0, 2.0]]])
    assert end_to_end(use, effect).tolist() == [[[3.0, -6.0], [2.0, 0.0]]]


@given(use=arrays(float, (2, 4, 3), elements=shares), effect=arrays(float, (2, 3, 5), elements=st.floats(-9, 9)))
def test_credit_keeps_its_sum(use, effect):
    np.testing.assert_allclose(end_to_end(use, effect).sum(1), effect.sum(1), atol=1e-9)


def test_the_leading_used_part_is_one_that_the_winner_uses():
    use, effect = np.array([[[0.0, 1.0], [0.8, 0.2]]]), np.array([[[0.9, 0.0], [0.3, 0.0]]])
    assert leading_part(effect, np.array([[0.9, 0.1]])) == 0  # class 0 scores most by ignoring part 0
    assert leading_used_part(use, effect, np.array([[0.9, 0.1]])) == 1


def test_a_part_without_data_shares_its_credit_equally():
    assert end_to_end(np.zeros((1, 4, 1)), np.array([[[2.0]]])).ravel().tolist() == [0.5] * 4


@pytest.mark.parametrize("rest", [(), (2,)])
def test_pieces_of_a_token_are_summed_in_each_layer(rest):
    values = np.random.default_rng(0).random((2, 3 * 2, *rest))  # three pieces, two layers
    sums = by_token(values, [0, 1, 1], n_layers=2)
    assert sums.shape == (2, 2, 2, *rest)
    np.testing.assert_allclose(sums[:, 0], values[:, :2])
    np.testing.assert_allclose(sums[:, 1, 1], values[:, 3] + values[:, 5])
