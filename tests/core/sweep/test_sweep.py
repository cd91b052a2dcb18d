"""The sweep of attention, and a trial of the sweep of composition."""

import dataclasses
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from core import engines
from core.measured import store
from core.sweep import attention, composition
from core.sweep.__main__ import main
from core.sweep.attention import AttentionCase
from core.sweep.table import train_case
from core.training.schedules import Schedule


@pytest.fixture
def small(reviews, monkeypatch):
    """The sweep's training for two epochs and a few reviews."""
    quick = dataclasses.replace(attention.BASE, schedule=Schedule(epochs=2, lr=1e-3), d_cooccurrence=3)
    monkeypatch.setattr(attention, "BASE", quick)


def test_every_network_and_seed_is_trained_on_labels_only():
    cases = list(attention.cases(3))
    assert sorted((case.attending, case.seed) for case in cases) == [(a, s) for a in (1, 3, 15) for s in range(3)]
    assert attention.ATTENTION_ACCURACY == {15: 0.505, 3: 0.49, 1: 0.485}
    training = attention.training(AttentionCase(3, 2))
    assert (training.n_attending, training.seed, training.teachers) == (3, 2, ())


def test_a_sweep_writes_one_table_and_trains_nothing_twice(small, trees, tmp_path, monkeypatch):
    out = tmp_path / "t.parquet"
    command = ["attention", "--data", str(trees), "--scratch", str(tmp_path / "scratch"), "--seeds", "1"]
    command += ["--workers", "1", "--device", "cpu", "--out", str(out)]
    assert main(command) == 0
    table = pd.read_parquet(out)
    assert table["attending"].tolist() == [15, 3, 1]
    assert table["paper"].tolist() == [0.505, 0.49, 0.485]
    assert table["test"].between(0, 1).all()
    assert table["parameters"].is_monotonic_decreasing
    right = [np.unpackbits(np.frombuffer(bits, np.uint8), count=4).mean() for bits in table["answers"]]
    assert right == table["test"].tolist()
    monkeypatch.setattr(engines, "local", lambda *given, **named: pytest.fail("trained again"))
    assert main(command) == 0


def test_a_repeated_training_continues_from_its_scratch_file(small, trees, tmp_path):
    """The scratch file is the state of the run, and the repeated run writes the same row."""
    first = train_case(AttentionCase(1, 0), attention.SWEEP, trees, scratch=tmp_path / "scratch")
    assert [path.name for path in (tmp_path / "scratch").glob("*.pt")] == ["attention-1-0.pt"]
    repeated = train_case(AttentionCase(1, 0), attention.SWEEP, trees, scratch=tmp_path / "scratch")
    assert repeated | {"minutes": 0} == first | {"minutes": 0}


def test_bad_requests_end_with_one_line_and_exit_code_2(tmp_path, capsys):
    command = ["attention", "--out", str(tmp_path / "t.parquet"), "--workers", "1"]
    assert main([*command, "--data", str(tmp_path), "--scratch", str(tmp_path / "s")]) == 2
    assert "holds no trees/train.txt" in capsys.readouterr().err
    assert main([*command, "--seeds", "0"]) == 2
    assert capsys.readouterr().err == "core.sweep: --seeds is 0, wanted at least 1\n"


def test_a_missing_table_is_none(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "SWEEPS", tmp_path)
    assert store.read_sweep("attention") is None


def test_a_trial_of_composition_counts_the_selected_words(tiny_agt, trees):
    """The word with the largest weight is always selected."""
    row = composition.measure(None, SimpleNamespace(checkpoint=tiny_agt), trees)
    assert len(row["lengths"]) == len(row["selected"]) == 3
    assert min(row["lengths"]) >= 1
    assert min(row["selected"]) >= 1
    assert row["phrases"] >= 0
    assert row["low"] <= row["constituents"] - row["by_chance"] <= row["high"]
