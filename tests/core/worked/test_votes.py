"""One iteration of a routing of votes, worked out: every number is the routing's own."""

import numpy as np
import pytest
import torch

from core import lab
from core.analysis import scenes
from core.routing.em import em_routing
from core.sentences.routing_names import about
from core.worked import Nouns
from core.worked.step import vector

VOTES = scenes.directions(scenes.house_or_boat(scenes.parts_of("house"), noise=0.4, seed=3))
SETTINGS = {"sharpness": 2.0, "beta_use": 1.2, "beta_ign": 0.4}
BETAS = torch.tensor(1.0, dtype=torch.float64), torch.tensor(0.5, dtype=torch.float64)
COUPLING, ACTIVATION = {"c_{ij}", "R_{ij}"}, {"|v_j|", r"|\operatorname{squash} v_j|", "f(a_j)"}


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


def test_k_means_squashes_only_at_the_end():
    *_, loop, end = lab.work(VOTES, "k-means", (0, 0), 3)
    steps = list(lab.kmeans_routing(torch.from_numpy(VOTES)[None], 3))
    assert loop.value == pytest.approx(float(steps[-1].centres[0, 0].norm()))
    assert end.value == pytest.approx(float(steps[-1].capsules[0, 0].norm()))
    assert "not squashed" in loop.says
    assert r"\operatorname{squash} v_j" in about("k-means").formula


def test_em_names_every_term_and_number():
    nouns = Nouns(outputs=("the house", "the boat"), components=("x", "y", "u", "v"))
    steps = {worked.symbol: worked for worked in lab.work(VOTES, "EM", (1, 0), 3, nouns=nouns)}
    assert list(steps) == [
        "V_{ij}", r"\ln P_{ij}", r"\ln f(a_j)", r"\ln P_{ik} + \ln f(a_k)", "R_{ij}",
        "D^{use}_{ij}", "D^{ign}_{ij}", r"\mu_j", r"\sigma^2_j", "a_j", "f(a_j)",
    ]  # fmt: skip
    assert "u_{ij}" not in "".join(worked.latex for worked in steps.values())
    other = steps[r"\ln P_{ik} + \ln f(a_k)"]
    assert "the boat" in other.says
    own = steps[r"\ln P_{ij}"].value + steps[r"\ln f(a_j)"].value
    assert steps["R_{ij}"].value == pytest.approx(1 / (1 + np.exp(other.value - own)))
    (*_, last) = em_routing(torch.full((1, 4), lab.SURE).double(), torch.from_numpy(VOTES)[None, :, :, None], *BETAS, 3)
    assert steps[r"\mu_j"].vector == vector(last.means[0, 0, 0].numpy(), nouns.components)
    assert steps[r"\sigma^2_j"].vector == vector(last.variances[0, 0, 0].numpy(), nouns.components)
    assert steps["D^{use}_{ij}"].value == pytest.approx(float(last.use[0, 1, 0]), abs=1e-6)


def test_of_many_outputs_the_strongest_other_is_written_out():
    votes = scenes.clouds(12, spare=2).votes
    steps = lab.work(votes, "EM", (0, 0), 3)
    (other,) = (worked for worked in steps if "a_k" in worked.symbol)
    assert "the strongest of the others" in other.says
    assert r"\mu_j" not in {worked.symbol for worked in steps}  # numbers without names are not written out


def test_an_unknown_formula_has_no_steps(monkeypatch):
    monkeypatch.setitem(lab.ROUTINGS, "cosine", lab.kmeans_routing)
    assert lab.work(VOTES, "cosine", (0, 0), 2) == []


def test_bad_votes_are_refused():
    with pytest.raises(ValueError, match="finite numbers"):
        lab.work(VOTES[0], "EM", (0, 0), 1)
