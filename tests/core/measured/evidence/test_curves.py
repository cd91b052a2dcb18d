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
    """An exception like the one by which Streamlit stops a run that reports its progress."""


def linear_probe():
    """A probe that answers with the sum of the weights of the words left, and a list of the masks that it has run.

    It runs three masks at a time.
    """
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
            # Curves run for four rankings, with drop-one, and for half of the random orders: the rest are reverses.
            assert amount.groups * n + amount.points * n * (4 + amount.draws // 2) <= most


def test_curves_by_hand():
    probed, _ = linear_probe()
    found = curves_of(probed, "masked", "word")
    assert found.curves["own"].deletion == pytest.approx([1, 0.9, 0.5, 0.5, 0.3, 0])
    assert found.curves["own"].insertion == pytest.approx([0.1, 0.5, 0.5, 0.7, 1, 1])
    assert found.scores["drop-one"] == pytest.approx(WEIGHTS)
    assert found.curves["drop-one"].deletion == pytest.approx([1, 0.6, 0.3, 0.1, 0, 0])
    assert (found.is_thinned, found.is_grouped, found.deletion.shape) == (False, False, (20, 6))


def test_groups_of_neighbours_are_deleted_together_by_hand():
    probed, _ = linear_probe()
    found = curves_of(probed, "masked", "word", Amount(2, 3, 4))
    assert found.scores["drop-one"] == pytest.approx([0.5, 0.5, 0.2, 0.2, 0.3, 0.3])
    assert found.curves["own"].counts.tolist() == [0, 3]
    assert found.curves["own"].deletion == pytest.approx([1, 0.5])
    assert found.curves["own"].insertion == pytest.approx([0.5, 1])
    assert (found.is_thinned, found.is_grouped, found.deletion.shape) == (True, True, (4, 2))


@pytest.mark.parametrize("kind", ["dragg", "cccaps", "em-sst", "agt", "drnn"])
@pytest.mark.parametrize("way", ["masked", "removed"])
def test_thinned_curves_are_exact_at_the_points_that_they_have(kind, way, tmp_path):
    probed = probe(zoo.load_folder(save_tiny(tmp_path, kind), "cpu"), WORDS)
    n = len(probed.parts)
    exact, thinned = curves_of(probed, way, "word"), curves_of(probed, way, "word", Amount(3, n))
    counts = thinned.curves["drop-one"].counts
    assert len(counts) == 3 < n
    # A deletion curve starts with all words, an insertion curve with one: index i has i + 1 words.
    for name, curve in thinned.curves.items():
        assert np.allclose(curve.deletion, exact.curves[name].deletion[counts], atol=1e-5)
        assert np.allclose(curve.insertion, exact.curves[name].insertion[[*(counts[1:] - 1), n - 1]], atol=1e-5)
    assert np.allclose(thinned.deletion, exact.deletion[:, counts], atol=1e-5)


def test_insertion_in_reverse_order_mirrors_deletion():
    probed, _ = linear_probe()
    found = curves_of(probed, "masked", "word")
    assert np.allclose(found.insertion[10:], found.deletion[:10, ::-1])  # the last ten orders reverse the first ten


def test_a_stopped_run_continues_and_no_mask_runs_twice():
    probed, ran = linear_probe()
    shares = []

    def stop(share):
        shares.append(share)
        if len(shares) == 3:
            raise Stopped

    with pytest.raises(Stopped):
        curves_of(probed, "masked", "word", tell=stop)
    assert len(ran) == 1 + 3 * 3  # the whole text, and three times three masks
    found = curves_of(probed, "masked", "word", tell=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] <= 1
    assert len(ran) == len(set(ran))
    at_once = curves_of(linear_probe()[0], "masked", "word")
    assert np.allclose(found.curves["own"].deletion, at_once.curves["own"].deletion)
