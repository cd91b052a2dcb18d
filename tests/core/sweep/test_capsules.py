"""The sweep of capsules: its cases, word vectors and rows."""

import dataclasses

import pandas as pd

from core import papers
from core.datasets import CORPORA
from core.sweep import capsules
from core.sweep.__main__ import main
from core.training.schedules import Schedule


def test_the_cases_are_the_rows_of_the_paper_s_tables_4_to_6():
    cases = set(capsules.cases(3))
    assert len(cases) == 3 * (7 + 6 + 2)  # plain vectors under a linear layer are in tables 4 and 6
    assert {case.seed for case in cases} == {0, 1, 2}
    assert {case.loss for case in cases if (case.embedding, case.routing) == capsules.PLAIN} == set(
        capsules.LOSS_ACCURACY
    )
    assert {case.loss for case in cases if (case.embedding, case.routing) != capsules.PLAIN} == {"margin+focal"}


def test_word_vectors_do_not_count_texts_of_a_test_split():
    for case in capsules.cases(1):
        training = capsules.training(case)
        assert CORPORA[case.corpus].has_test or case.corpus not in dict(training.cooccurrence_in)


def test_the_command_writes_one_row_per_training(tmp_path, monkeypatch):
    folder = tmp_path / "ag_news"
    folder.mkdir()
    rows = "".join(f'"{1 + n % 4}","","item {n} of kind k{n % 4}"\n' for n in range(80))
    for name in ("train.sample.csv", "test.csv"):
        (folder / name).write_text(rows)
    quick = dataclasses.replace(capsules.BASE, schedule=Schedule(epochs=1, lr=1e-2), d_cooccurrence=2)
    monkeypatch.setattr(capsules, "BASE", quick)
    monkeypatch.setattr(capsules, "COUNTED", {"ag_news": (("ag_news", "train"),)})
    for module in (capsules, papers):
        monkeypatch.setattr(module, "DBPEDIA_ACCURACY", {})
        monkeypatch.setattr(module, "CAPSULES_ACCURACY", {("cwc", "kmeans"): 0.9, ("cc", "dynamic"): 0.7})
        monkeypatch.setattr(module, "LOSS_ACCURACY", {"margin": 0.6})
    out = tmp_path / "t.parquet"
    command = ["capsules", "--data", str(tmp_path), "--seeds", "1", "--workers", "1", "--device", "cpu"]
    assert main([*command, "--out", str(out)]) == 0
    table = pd.read_parquet(out)
    assert table["paper"].tolist() == [0.9, 0.7, 0.6]
    assert table["loss"].tolist() == ["margin+focal", "margin+focal", "margin"]
    assert table["test"].between(0, 1).all()
