"""One iteration of a routing of votes, worked out: every number is the routing's own."""

import numpy as np
import pytest

from core import lab
from core.analysis import scenes

VOTES = scenes.directions(scenes.house_or_boat(scenes.parts_of("house"), noise=0.4, seed=3))
SETTINGS = {"sharpness": 2.0, "beta_use": 1.2, "beta_ign": 0.4}
COUPLING, ACTIVATION = {"c_{ij}", "R_{ij}"}, {"|v_j|", "f(a_j)"}


@pytest.mark.parametrize("name", lab.names())
@pytest.mark.parametrize("step", [1, 2, 4])
def test_share_and_activation_are_those_of_the_run(name, step):
    (run,) = (run for run in lab.compare(VOTES, step, *SETTINGS.values()) if run.name == name)
    for i, j in np.ndindex(run.coupling.shape[1:]):
        steps = lab.work(VOTES, name, (i, j), step, **SETTINGS)
        (share,) = (worked for worked in steps if worked.is_share)
        assert share.symbol in COUPLING
        assert share.value == pytest.approx(run.coupling[-1, i, j], abs=1e-6)
        assert steps[-1].symbol in ACTIVATION
        assert steps[-1].value == pytest.approx(run.activation[-1, j], abs=1e-6)
        for worked in steps:
            assert worked.stored is None or worked.value == pytest.approx(worked.stored, abs=1e-5)
            assert worked.latex.count("{") == worked.latex.count("}")
            assert not worked.path


def test_the_whole_moves_at_the_end():
    steps = lab.work(VOTES, "standard", (0, 0), 3)
    assert [worked.symbol for worked in steps] == [
        "|u_{ij}|", r"v_j \cdot u_{ij}", "b_{ij}", "c_{ij}", "|s_j|", "|v_j|",
    ]  # fmt: skip
    assert "has turned by" in steps[-1].says


def test_an_unknown_formula_has_no_steps(monkeypatch):
    monkeypatch.setitem(lab.ROUTINGS, "cosine", lab.kmeans_routing)
    assert lab.work(VOTES, "cosine", (0, 0), 2) == []


def test_bad_votes_are_refused():
    with pytest.raises(ValueError, match="finite numbers"):
        lab.work(VOTES[0], "EM", (0, 0), 1)
