"""The curves of one text: the number of their runs, and correct values at the thinned counts."""

import numpy as np
import pytest

from core import zoo
from core.measured.evidence.curves import MAX_READ, Amount, curves_of
from core.measured.evidence.probes import probe
from core.networks.probe import Answer, Probe
from tests.conftest import save_tiny

WORDS = ["a", "warm", "and", "funny", "film", "."]
WEIGHTS = np.array([0.1, 0.4, 0.0, 0.2, 0.3, 0.0])


class Stopped(BaseException):
    """An error like Streamlit's own, which it raises when a run reports its progress."""


def linear():
    """A network that answers with the weight of the words left, three masks at a time, and the list of its runs."""
    ran = []

    def run(masks):
        for start in range(0, len(masks), 3):
            rows = np.arange(start, min(start + 3, len(masks)))
            ran.extend(map(tuple, masks[rows].tolist()))
            p = masks[rows] @ WEIGHTS
            yield rows, np.stack([p, 1 - p], 1)

    answer = Answer(run)
    p = answer(np.ones((1, 6), bool))[0]
    return Probe(WORDS, p, {"own": np.array([6.0, 5, 4, 3, 2, 1])}, answer, answer), ran


def test_short_texts_run_in_full_and_long_ones_within_a_limit():
    assert Amount.within(25, 3, "masked") == Amount.within(25, 3, "removed") == Amount(25, 25)
    assert Amount.within(342, 3, "masked") == Amount(18, 87)
    assert Amount.within(342, 3, "removed") == Amount(4, 21)
    for n in (50, 100, 200, 400):
        for way, most in MAX_READ.items():
            amount = Amount.within(n, 3, way)
            assert amount.groups * n + amount.points * n * (4 + amount.draws // 2) <= most


def test_curves_by_hand():
    read, _ = linear()
    found = curves_of(read, "masked", "word")
    assert found.curves["own"].deletion == pytest.approx([1, 0.9, 0.5, 0.5, 0.3, 0])
    assert found.curves["own"].insertion == pytest.approx([0.1, 0.5, 0.5, 0.7, 1, 1])
    assert found.scores["drop-one"] == pytest.approx(WEIGHTS)
    assert found.curves["drop-one"].deletion == pytest.approx([1, 0.6, 0.3, 0.1, 0, 0])
    assert (found.is_thinned, found.is_grouped, found.deletion.shape) == (False, False, (20, 6))


def test_groups_of_neighbours_are_deleted_together_by_hand():
    read, _ = linear()
    found = curves_of(read, "masked", "word", Amount(2, 3, 4))
    assert found.scores["drop-one"] == pytest.approx([0.5, 0.5, 0.2, 0.2, 0.3, 0.3])
    assert found.curves["own"].counts.tolist() == [0, 3]
    assert found.curves["own"].deletion == pytest.approx([1, 0.5])
    assert found.curves["own"].insertion == pytest.approx([0.5, 1])
    assert (found.is_thinned, found.is_grouped, found.deletion.shape) == (True, True, (4, 2))


@pytest.mark.parametrize("kind", ["dragg", "cccaps", "em-sst", "agt", "drnn"])
@pytest.mark.parametrize("way", ["masked", "removed"])
def test_thinned_curves_are_exact_at_the_points_that_they_have(kind, way, tmp_path):
    read = probe(zoo.load_folder(save_tiny(tmp_path, kind), "cpu"), WORDS)
    n = len(read.parts)
    exact, thinned = curves_of(read, way, "word"), curves_of(read, way, "word", Amount(3, n))
    at = thinned.curves["drop-one"].counts
    assert len(at) == 3 < n
    for name, path in thinned.curves.items():
        assert np.allclose(path.deletion, exact.curves[name].deletion[at], atol=1e-5)
        assert np.allclose(path.insertion, exact.curves[name].insertion[[*(at[1:] - 1), n - 1]], atol=1e-5)
    assert np.allclose(thinned.deletion, exact.deletion[:, at], atol=1e-5)


def test_the_reverse_of_a_random_order_gives_what_the_order_deletes():
    read, _ = linear()
    found = curves_of(read, "masked", "word")
    assert np.allclose(found.insertion[10:], found.deletion[:10, ::-1])


def test_each_mask_is_run_once_and_a_stopped_run_goes_on_where_it_was():
    read, ran = linear()
    shares = []

    def stop(share):
        shares.append(share)
        if len(shares) == 3:
            raise Stopped

    with pytest.raises(Stopped):
        curves_of(read, "masked", "word", tell=stop)
    assert len(ran) == 1 + 3 * 3
    found = curves_of(read, "masked", "word", tell=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] <= 1
    assert len(ran) == len(set(ran))
    assert np.allclose(found.curves["own"].deletion, curves_of(linear()[0], "masked", "word").curves["own"].deletion)
