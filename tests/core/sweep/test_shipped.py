"""The shipped tables: their rows are not trained again."""

import shutil
from dataclasses import asdict, fields

import pandas as pd
import pytest

from core import engines, papers
from core.measured import store
from core.sweep.__main__ import main
from core.sweep.sweeps import SWEEPS
from core.sweep.table import missing

COMPLETE = {"aggregation", "attention", "iterations", "windows"}  # the others lack some rows
PAPER_ACCURACIES = {  # by sweep: the accuracy in the paper that belongs to a row
    "aggregation": lambda row: papers.AGGREGATION_ACCURACY[row.corpus][row.aggregation],
    "iterations": lambda row: papers.AGGREGATION_ACCURACY[row.corpus][row.aggregation],
    "attention": lambda row: papers.ATTENTION_ACCURACY[row.attending],
    "capsules": lambda row: papers.capsules_accuracy(row.corpus, row.embedding, row.routing, row.loss),
}
SHIPPED = sorted(path.stem for path in store.SWEEPS.glob("*.parquet"))


@pytest.mark.parametrize("name", SHIPPED)
def test_no_row_of_a_shipped_table_is_trained_again(name, tmp_path, monkeypatch):
    shipped, copy = store.SWEEPS / f"{name}.parquet", tmp_path / "t.parquet"
    shutil.copy(shipped, copy)
    trained = []

    def note_cases(measure, cases, workers, device):
        trained.extend(cases)
        return iter(())

    monkeypatch.setattr(engines, "local", note_cases)
    rows = pd.read_parquet(shipped)
    seeds = int(rows["seed"].max()) + 1
    assert main([name, "--seeds", str(seeds), "--out", str(copy)]) == 0
    sweep = SWEEPS[name]
    keys = {sweep.case(**{f.name: row[f.name] for f in fields(sweep.case)}) for row in rows.to_dict("records")}
    assert len(keys) == len(rows)
    assert keys | set(trained) == set(sweep.cases(seeds))
    assert not keys & set(trained)
    assert name not in COMPLETE or not trained
    assert copy.read_bytes() == shipped.read_bytes()


def test_all_seeds_of_a_shipped_curve_have_the_same_windows():
    """A window that only some seeds have would bend the curve, which is a mean over seeds."""
    rows = pd.read_parquet(store.SWEEPS / "windows.parquet")
    curves = rows.groupby(["corpus", "unit", "pooling", "size", "seed"])["window"].agg(frozenset)
    assert curves.groupby(["corpus", "unit", "pooling", "size"]).nunique().max() == 1


def test_every_sweep_has_a_shipped_table():
    assert set(SHIPPED) == set(SWEEPS)


@pytest.mark.parametrize("name", SHIPPED)
def test_rows_of_a_shipped_table_have_the_fixed_settings(name):
    rows = pd.read_parquet(store.SWEEPS / f"{name}.parquet")
    assert {column: set(rows[column]) for column in SWEEPS[name].fixed} == {
        column: {value} for column, value in SWEEPS[name].fixed.items()
    }


@pytest.mark.parametrize("name", sorted(set(SHIPPED) & set(PAPER_ACCURACIES)))
def test_a_shipped_table_has_the_paper_s_accuracies(name):
    rows = pd.read_parquet(store.SWEEPS / f"{name}.parquet")
    assert rows["paper"].tolist() == [PAPER_ACCURACIES[name](row) for row in rows.itertuples()]


def test_missing_rows_are_added_to_a_shipped_table(tmp_path, monkeypatch):
    name = next(name for name in SHIPPED if name not in COMPLETE)
    sweep, copy = SWEEPS[name], tmp_path / "t.parquet"
    shutil.copy(store.SWEEPS / f"{name}.parquet", copy)
    shipped = pd.read_parquet(copy)
    row = shipped.iloc[0].to_dict()

    def repeat_row(measure, cases, workers, device):
        return (row | asdict(case) for case in cases)

    monkeypatch.setattr(engines, "local", repeat_row)
    assert main([name, "--out", str(copy)]) == 0
    rows = pd.read_parquet(copy)
    pd.testing.assert_frame_equal(rows[: len(shipped)], shipped, check_dtype=False)
    assert missing(sweep.case, sweep.cases(sweep.seeds), rows.to_dict("records")) == []


def test_a_table_with_another_size_is_not_continued(tmp_path, capsys):
    copy = tmp_path / "t.parquet"
    pd.read_parquet(store.SWEEPS / "aggregation.parquet").assign(d=100).to_parquet(copy)
    assert main(["aggregation", "--out", str(copy)]) == 2
    assert capsys.readouterr().err == (
        f"core.sweep: {copy} has rows with d = 100, wanted 200: continue another table with --out\n"
    )
