"""Rankings of the places of pictures, and answers to pictures without some of them."""

import numpy as np
import pytest

from core import zoo
from core.measured.evidence.probes import probe
from core.models.em_smallnorb import FIELD, STEP
from core.networks.em_pictures import nearest_place
from core.networks.run import explain
from tests.conftest import save_tiny

SIDE = FIELD + 2 * STEP  # of a picture with 3 x 3 places


@pytest.fixture
def checkpoint(tmp_path):
    return zoo.load_folder(save_tiny(tmp_path, "em-smallnorb"), "cpu")


@pytest.fixture
def pair():
    return np.random.default_rng(0).integers(0, 256, (2, SIDE, SIDE), np.uint8)


def test_a_probe_with_all_places_answers_as_explain_does(checkpoint, pair):
    probed = probe(checkpoint, pair)
    assert len(probed.parts) == 9
    assert set(probed.rankings) == {"credit", "integrated gradients"}
    all_places = np.ones((1, 9), bool)
    p = explain(checkpoint, pair).probabilities[-1]
    for answer in (probed.p, probed.masked(all_places)[0], probed.removed(all_places)[0]):
        assert answer == pytest.approx(p, abs=1e-5)


def test_the_pixels_of_a_removed_place_become_grey(checkpoint, pair):
    probed, mask = probe(checkpoint, pair), np.ones((1, 9), bool)
    mask[0, 4] = False
    covered = pair.astype(np.float32)
    middle = nearest_place(pair.shape[1:], (3, 3)) == 4
    covered[:, middle] = pair.mean((1, 2))[:, None]
    other = probe(checkpoint, np.rint(covered).astype(np.uint8))
    assert probed.removed(mask)[0] == pytest.approx(other.p, abs=1e-2)


def test_credit_of_places_adds_up_to_the_score(checkpoint, pair):
    trace = explain(checkpoint, pair)
    probed = probe(checkpoint, pair)
    assert probed.rankings["credit"].sum() == pytest.approx(trace.credit[-1][:, probed.answer].sum(), abs=1e-4)


def test_every_pixel_belongs_to_the_nearest_place():
    places = nearest_place((SIDE, SIDE), (3, 3))
    assert places[0, 0] == 0
    assert places[-1, -1] == 8
    assert places[SIDE // 2, SIDE // 2] == 4
    assert (np.bincount(places.ravel()) > 0).all()
    assert (places == 4).sum() == STEP**2
