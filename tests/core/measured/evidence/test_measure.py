"""Evidence over a split: accuracies under changed routing, the file, and how a stopped measurement continues."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from core import zoo
from core.__main__ import main
from core.datasets import Split
from core.edits import Couplings, DropCapsule, GivenCouplings
from core.measured.evidence import measure as module
from core.measured.evidence import routings
from core.measured.evidence.measure import MeasuredCheckpoint, measure
from core.measured.evidence.record import EVIDENCE_FILE
from core.measured.evidence.routings import (
    _accuracy,
    _batches,
    _last,
    couplings_of_another,
    measure_capsules,
    measure_couplings,
    measure_iterations,
)
from core.training.metrics import accuracy
from tests.conftest import save_tiny

KINDS = ["dragg", "cccaps", "em-sst"]
ROWS = "evidence.rows.jsonl"


def one_by_one(call, tasks):
    """An engine that runs all tasks in this process."""
    return map(call, tasks)


@pytest.mark.parametrize("kind", KINDS)
def test_accuracies_equal_those_of_evaluate(kind, tmp_path):
    checkpoint = zoo.load_folder(save_tiny(tmp_path, kind), "cpu")
    words = [["a", "film"], ["bad", "and", "dull"], ["good"], ["the", "warm", "end", "."]]
    split = Split(words, [0, 1, 2, 0], checkpoint.classes)
    iterations = measure_iterations(checkpoint, split)
    trained = checkpoint.model.config.n_iters
    assert iterations[trained - 1]["accuracy"] == accuracy(checkpoint, split)
    couplings = measure_couplings(checkpoint, split)
    assert couplings["trained"]["accuracy"] == accuracy(checkpoint, split)
    assert couplings["uniform"]["accuracy"] == accuracy(checkpoint, split, edits=[Couplings("uniform")])
    capsules = measure_capsules(checkpoint, split)
    assert capsules[1]["accuracy"] == accuracy(checkpoint, split, edits=[DropCapsule(1)])
    assert sum(row["share"]["mean"] for row in capsules) == pytest.approx(1, abs=1e-3)
    for row in capsules:
        assert -1 <= row["nearest"]["mean"] <= 1
        assert 0 <= row["dead"]["mean"] <= 1
        for name in ("share", "active", "dead", "nearest"):
            low, high = row[name]["interval"]
            assert low <= row[name]["mean"] <= high


def test_at_most_six_iterations_are_measured(tmp_path):
    checkpoint = zoo.load_folder(save_tiny(tmp_path, "dragg", n_iters=8), "cpu")
    split = Split([["a", "film"], ["bad"]], [0, 1], checkpoint.classes)
    assert len(measure_iterations(checkpoint, split)) == 6


@pytest.mark.parametrize("kind", KINDS)
def test_a_text_keeps_its_answer_under_its_own_couplings(kind, tmp_path):
    checkpoint = zoo.load_folder(save_tiny(tmp_path, kind), "cpu")
    inputs = checkpoint.inputs([["a", "warm", "film"], ["bad"]])
    with torch.inference_mode():
        trained = _last(checkpoint, inputs, [])
        again = _last(checkpoint, inputs, [GivenCouplings(trained.coupling)])
    torch.testing.assert_close(again.scores, trained.scores, atol=1e-5, rtol=1e-4)


def test_another_text_lends_its_couplings():
    coupling = torch.arange(12.0).reshape(2, 3, 2)
    real = torch.tensor([[True, True, True], [True, True, False]])
    lent = couplings_of_another(coupling, real)
    assert lent[0, :, 0].tolist() == [6, 8, 6]  # the shorter text's weights, repeated from its first word
    assert lent[1, :, 0].tolist() == [0, 2, 4]


def test_batches_mix_samples_that_are_sorted_by_class(tmp_path):
    checkpoint = zoo.load_folder(save_tiny(tmp_path, "dragg"), "cpu")
    split = Split([["a"]] * 100 + [["bad"]] * 100, [0] * 100 + [1] * 100, checkpoint.classes)
    labels = [labels for _, labels in _batches(checkpoint, split, "couplings")]
    assert len(labels) > 1
    assert all(0.2 < batch_labels.mean() < 0.8 for batch_labels in labels)


def test_each_batch_has_other_random_couplings(tmp_path, monkeypatch):
    seeds = []
    monkeypatch.setattr(routings, "Couplings", lambda how, seed: seeds.append((how, seed)) or Couplings(how, seed))
    checkpoint = zoo.load_folder(save_tiny(tmp_path, "dragg"), "cpu")
    measure_couplings(checkpoint, Split([["a", "film"]] * 130, [0] * 130, checkpoint.classes))
    assert [seed for how, seed in seeds if how == "random"] == [0, 1, 2]


def test_changes_of_accuracy_are_paired_by_text():
    right, trained = np.array([True] * 8 + [False] * 2), np.array([True] * 7 + [False] * 3)
    figures = _accuracy(right, trained)
    assert (figures["accuracy"], figures["change"]["mean"], figures["n"]) == (0.8, 0.1, 10)
    low, high = figures["change"]["interval"]
    assert low == 0 < high  # the interval contains 0: within chance
    assert _accuracy(trained, trained)["change"]["interval"] == [0, 0]


class Stopped(Exception):
    """The stop of a measurement."""


def test_a_stopped_measurement_continues_to_the_same_file(tiny_folder, trees, monkeypatch):
    monkeypatch.setattr(module, "MAX_TEXTS", 1)
    module._load.cache_clear()

    def stopping_engine(call, tasks):
        for k, task in enumerate(tasks):
            if k == 2:
                raise Stopped
            yield call(task)

    with pytest.raises(Stopped):
        measure("tiny", trees, 4, "cpu", stopping_engine, progress=False)
    rows = (tiny_folder / ROWS).read_text().splitlines()
    assert len(rows) == 1 + 2
    (tiny_folder / ROWS).write_text("\n".join([*rows, '{"text": 2, "ran']))  # cut off in the middle of a line
    tasks_left = []

    def counting_engine(call, tasks):
        tasks_left.extend(tasks)
        return map(call, tasks)

    path = measure("tiny", trees, 4, "cpu", counting_engine, progress=False)
    assert len(tasks_left) == 2
    continued = path.read_bytes()
    assert measure("tiny", trees, 4, "cpu", one_by_one, progress=False).read_bytes() == continued
    assert not (tiny_folder / ROWS).exists()


def test_the_command_writes_the_file(tiny_folder, trees, capsys):
    module._load.cache_clear()
    assert main(["evidence", "tiny", "--data", str(trees), "--limit", "3", "--workers", "1", "--device", "cpu"]) == 0
    evidence = json.loads((tiny_folder / EVIDENCE_FILE).read_text())
    assert str(tiny_folder / EVIDENCE_FILE) in capsys.readouterr().out
    assert evidence["n"] == 3
    assert evidence["weights"] == zoo.load("tiny", "cpu").sha256
    assert {"iterations", "couplings", "capsules", "rankings", "phrases"} < set(evidence)
    assert evidence["sample"] == "3 of the 4 texts of the official test split, evenly spaced"
    assert set(evidence["couplings"]) == {"trained", "uniform", "first", "shuffled", "random", "another text's"}
    assert evidence["rankings"]["masked"]["random"]["over_random"]["mean"] == 0
    assert 0 <= evidence["phrases"]["rankings"]["coupling"]["average_precision"]["mean"] <= 1
    assert evidence["rankings"]["masked"]["coupling"]["n"] == 3
    low, high = evidence["rankings"]["masked"]["coupling"]["aopc"]["interval"]
    assert low <= evidence["rankings"]["masked"]["coupling"]["aopc"]["mean"] <= high


def test_a_trial_does_not_overwrite_a_larger_measurement(tiny_folder, trees, tmp_path, capsys):
    command = ["evidence", "tiny", "--data", str(trees), "--workers", "1", "--device", "cpu", "--limit"]
    assert main([*command, "4"]) == 0
    before = (tiny_folder / EVIDENCE_FILE).read_bytes()
    assert capsys.readouterr().err == "Its picture: no better than random words.\n"
    assert main([*command, "3"]) == 2
    message = f"core: {tiny_folder / EVIDENCE_FILE} has 4 texts, more than 3: name another file with --out\n"
    assert capsys.readouterr().err == message
    assert main([*command, "3", "--out", str(tmp_path / "trial.json")]) == 0
    assert json.loads((tmp_path / "trial.json").read_text())["n"] == 3
    assert (tiny_folder / EVIDENCE_FILE).read_bytes() == before
    assert main([*command, "4"]) == 0  # the same number of texts may be measured again


def test_a_trial_keeps_the_rows_of_a_stopped_measurement(tiny_folder, trees, monkeypatch):
    monkeypatch.setattr(module, "MAX_TEXTS", 1)

    def stopping_engine(call, tasks):
        yield from map(call, tasks[:3])
        raise Stopped

    with pytest.raises(Stopped):
        measure("tiny", trees, 4, "cpu", stopping_engine, progress=False)
    measure("tiny", trees, 2, "cpu", one_by_one, progress=False)
    assert len((tiny_folder / ROWS).read_text().splitlines()) == 1 + 3


def test_a_measurement_stopped_before_its_first_text_continues(tiny_folder, trees):
    def stopping_engine(call, tasks):
        raise Stopped

    for _ in range(2):
        with pytest.raises(Stopped):
            measure("tiny", trees, 4, "cpu", stopping_engine, progress=False)
    assert measure("tiny", trees, 4, "cpu", one_by_one, progress=False).is_file()


def test_the_sample_states_how_texts_are_cut_for_rankings():
    split = Split([["a"] * 3, ["b"] * (module.MAX_RANKED + 1)], [0, 1], ("no", "yes"))
    subject = MeasuredCheckpoint(SimpleNamespace(kind="cccaps"), split, None)
    assert [len(subject.sample(number)) for number in (0, 1)] == [3, module.MAX_RANKED]
    assert "cut" not in subject.describe([0])
    described = "all 2 texts of the official test split; for the rankings, longer texts are cut after 400 words"
    assert subject.describe([0, 1]) == described
    pairs = MeasuredCheckpoint(SimpleNamespace(kind="em-smallnorb"), range(300), None)
    assert pairs.describe(range(300)).endswith("; rankings are of 200 of them")
    assert "rankings" not in pairs.describe(range(100))
    for kind in ("dragg-documents", "drnn"):
        assert len(MeasuredCheckpoint(SimpleNamespace(kind=kind), split, None).sample(1)) == module.MAX_RANKED + 1


def test_marks_are_cut_to_the_length_of_the_text(tiny_folder, trees, monkeypatch):
    monkeypatch.setattr(module, "MAX_RANKED", 2)
    module._load.cache_clear()
    path = measure("tiny", trees, 4, "cpu", one_by_one, progress=False)
    assert json.loads(path.read_text())["sample"].endswith("longer texts are cut after 2 words")


def test_bad_input_gets_one_sentence(tiny_folder, trees, capsys):
    assert main(["evidence", "nothing", "--data", str(trees)]) == 2
    assert main(["evidence", "tiny", "--data", str(trees / "nowhere")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 2


def test_an_output_file_in_a_missing_folder_is_refused_at_once(tmp_path):
    out = tmp_path / "nowhere" / "evidence.json"
    with pytest.raises(ValueError, match=r"nowhere/evidence\.json cannot be written: there is no folder"):
        measure("tiny", tmp_path, 4, "cpu", map, progress=False, out=out)
