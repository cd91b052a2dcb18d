import dataclasses
import json

import pytest

from core.measured import store
from core.sweep import attention
from core.sweep.__main__ import main
from core.training.loop import Schedule


@pytest.fixture
def small(reviews, monkeypatch, tmp_path):
    """The sweep's recipe for two epochs and a few reviews, its table in a folder of its own."""
    quick = dataclasses.replace(attention.BASE, schedule=Schedule(epochs=2, lr=1e-3), d_company=3)
    monkeypatch.setattr(attention, "BASE", quick)
    monkeypatch.setattr(store, "SWEEPS", tmp_path / "tables")


def test_every_network_and_seed_has_a_recipe_and_learns_from_labels_alone():
    recipes = list(attention.recipes(3))
    assert not any(r.teachers for r in recipes)
    assert len({r.name for r in recipes}) == 9
    assert sorted((r.n_attending, r.seed) for r in recipes) == [(a, s) for a in (1, 3, 15) for s in range(3)]
    assert {r.n_attending: r.paper for r in recipes} == {15: 0.505, 3: 0.49, 1: 0.485}


def test_a_sweep_is_one_table_and_trains_nothing_twice(small, trees, tmp_path, capsys, monkeypatch):
    asked = ["attention", "--data", str(trees), "--scratch", str(tmp_path / "scratch"), "--seeds", "1"]
    assert main([*asked, "--device", "cpu"]) == 0
    table = store.read_sweep("attention")
    assert table["attending"].tolist() == [15, 3, 1]
    metrics = json.loads((tmp_path / "scratch" / "agt-sst5-3-0" / "metrics.json").read_text())
    assert table["test"][1] == metrics["test"]["accuracy"]
    assert table["paper"].tolist() == [0.505, 0.49, 0.485]
    with monkeypatch.context() as patched:
        patched.setattr(attention, "train", lambda *given, **named: pytest.fail("trained again"))
        assert main([*asked, "--device", "cpu"]) == 0
    monkeypatch.setattr(attention, "BASE", dataclasses.replace(attention.BASE, schedule=Schedule(epochs=1, lr=1e-3)))
    trained = []
    monkeypatch.setattr(attention, "train", lambda recipe, *given, **named: trained.append(recipe.name))
    attention.sweep(trees, tmp_path / "scratch", seeds=1)
    assert trained == ["agt-sst5-15-0", "agt-sst5-3-0", "agt-sst5-1-0"]  # by another recipe


def test_bad_requests_are_one_line_and_exit_code_2(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(store, "SWEEPS", tmp_path / "tables")
    assert main(["attention", "--data", str(tmp_path), "--scratch", str(tmp_path / "s")]) == 2
    assert "holds no trees/train.txt" in capsys.readouterr().err
    assert main(["attention", "--seeds", "0"]) == 2
    assert capsys.readouterr().err == "core.sweep: --seeds is 0, wanted at least 1\n"


def test_there_may_be_no_table(small):
    assert store.read_sweep("attention") is None
