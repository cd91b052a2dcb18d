import dataclasses

import pandas as pd

from core.sweep import capsules, papers
from core.sweep.__main__ import main
from core.training.loop import Schedule
from core.training.recipes import RECIPES


def test_every_row_of_the_paper_s_tables_4_to_6_is_there_once():
    cases = set(capsules.cases(3))
    assert len(cases) == 3 * (7 + 6)  # plain vectors under a linear layer stand in both
    assert {case.seed for case in cases} == {0, 1, 2}
    assert {case.loss for case in cases if (case.embedding, case.routing) == capsules.PLAIN} == set(capsules.LOSSES)
    assert {case.loss for case in cases if (case.embedding, case.routing) != capsules.PLAIN} == {"margin+focal"}


def test_the_first_training_is_that_of_the_shipped_network():
    first = next(c for c in capsules.cases(1) if (c.embedding, c.routing) == ("cwc", "kmeans"))
    assert capsules.training(first) == capsules.BASE == RECIPES["cccaps-ag"].full


def test_a_row_is_a_training(tmp_path, monkeypatch):
    folder = tmp_path / "ag_news"
    folder.mkdir()
    rows = "".join(f'"{1 + n % 4}","","item {n} of kind k{n % 4}"\n' for n in range(80))
    for name in ("train.sample.csv", "test.csv"):
        (folder / name).write_text(rows)
    quick = dataclasses.replace(
        capsules.BASE, schedule=Schedule(epochs=1, lr=1e-2), d_cooccurrence=2, cooccurrence_in=(("ag_news", "train"),)
    )
    monkeypatch.setattr(capsules, "BASE", quick)
    for module in (capsules, papers):
        monkeypatch.setattr(module, "NETWORKS", {("cwc", "kmeans"): 0.9, ("cc", "dynamic"): 0.7})
        monkeypatch.setattr(module, "LOSSES", {"margin": 0.6})
    out = tmp_path / "t.parquet"
    asked = ["capsules", "--data", str(tmp_path), "--seeds", "1", "--workers", "1", "--device", "cpu"]
    assert main([*asked, "--out", str(out)]) == 0
    table = pd.read_parquet(out)
    assert table["paper"].tolist() == [0.9, 0.7, 0.6]
    assert table["loss"].tolist() == ["margin+focal", "margin+focal", "margin"]
    assert table["test"].between(0, 1).all()
