"""The small file that a training on own texts leaves after each evaluation."""

import pytest

from core.datasets import Split
from core.fit import run
from core.fit.columns import Columns
from core.fit.progress import Progress, evenness_of, read_progress
from core.fit.run import FitTask, fit
from tests.core.fit.files import reviews, write_rows

SPLIT = Split([["a", "film"]], [0], ("bad", "good"))


@pytest.fixture
def train(tmp_path, monkeypatch):
    """A function that trains a routing for three epochs, and returns its history and its file of progress."""
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path / "models"))
    file = write_rows(tmp_path / "reviews.csv", reviews())

    def train(routing, encoder):
        task = FitTask(file, Columns("review", "stars"), routing, encoder, "mine", epochs=3)
        fit(task, "cpu")
        metrics = run.zoo.describe_folder(tmp_path / "models" / "mine").metrics
        return metrics.training["history"], tmp_path / "models/.training/mine/mine-seed-0.progress.json"

    return train


@pytest.mark.parametrize(("routing", "encoder"), [("reversed", "bilstm"), ("kmeans", "bilstm"), ("attention", "words")])
def test_progress_has_the_history_and_how_even_the_shares_are(train, routing, encoder):
    history, file = train(routing, encoder)
    entries = read_progress(file)
    assert [{key: value for key, value in e.items() if key != "evenness"} for e in entries] == history
    assert len(entries) == 3
    assert all(0 < entry["evenness"] <= 1 for entry in entries)


def test_windows_have_no_shares(train):
    assert {entry["evenness"] for entry in read_progress(train("windows", "words")[1])} == {None}


def test_looking_at_a_training_does_not_change_it(train, monkeypatch):
    watched, _ = train("reversed", "bilstm")
    monkeypatch.setattr(run, "Progress", lambda file, dev: None)
    assert train("reversed", "bilstm")[0] == watched


def test_a_resumed_training_keeps_what_was_measured(tmp_path, monkeypatch):
    file = tmp_path / "mine.progress.json"
    assert read_progress(file) == []
    measured = iter([0.9, 0.5])
    monkeypatch.setattr("core.fit.progress.explain_many", lambda checkpoint, texts: iter(()))
    monkeypatch.setattr("core.fit.progress.evenness_of", lambda traces: next(measured))
    for n in (1, 2):
        Progress(file, SPLIT)(None, [{"step": k} for k in range(n)])
    assert read_progress(file) == [{"step": 0, "evenness": 0.9}, {"step": 1, "evenness": 0.5}]


def test_runs_that_failed_are_left_out():
    assert evenness_of([ValueError("no word")]) is None
