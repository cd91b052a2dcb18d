"""Evidence over a split: what a routing is worth, and the file, which a stopped measurement goes on with."""

import json

import pytest

from core import zoo
from core.__main__ import main
from core.datasets import Split
from core.edits import Couplings, DropCapsule
from core.evidence import measure as module
from core.evidence.measure import FILE, ROWS, measure
from core.evidence.routings import of_capsules, of_couplings, of_iterations
from core.training.metrics import accuracy
from tests.conftest import save_tiny

KINDS = ["dragg", "cccaps", "em-sst"]


def one_by_one(call, tasks):
    return map(call, tasks)


@pytest.mark.parametrize("kind", KINDS)
def test_accuracies_are_those_of_evaluate(kind, tmp_path):
    checkpoint = zoo.load_folder(save_tiny(tmp_path, kind), "cpu")
    words = [["a", "film"], ["bad", "and", "dull"], ["good"], ["the", "warm", "end", "."]]
    split = Split(words, [0, 1, 2, 0], checkpoint.classes)
    iterations = of_iterations(checkpoint, split)
    trained = checkpoint.model.config.n_iters
    assert iterations[trained - 1]["accuracy"] == accuracy(checkpoint, split)
    couplings = of_couplings(checkpoint, split)
    assert couplings["trained"]["accuracy"] == accuracy(checkpoint, split)
    assert couplings["uniform"]["accuracy"] == accuracy(checkpoint, split, edits=[Couplings("uniform")])
    capsules = of_capsules(checkpoint, split)
    assert capsules[1]["accuracy"] == accuracy(checkpoint, split, edits=[DropCapsule(1)])
    assert sum(row["share"] for row in capsules) == pytest.approx(1, abs=1e-3)
    assert all(-1 <= row["nearest"] <= 1 and 0 <= row["dead"] <= 1 for row in capsules)


class Stopped(Exception):
    pass


def test_a_stopped_measurement_goes_on_and_gives_the_same_file(tiny_folder, trees, monkeypatch):
    monkeypatch.setattr(module, "AT_ONCE", 1)
    module._load.cache_clear()

    def stops(call, tasks):
        for k, task in enumerate(tasks):
            if k == 2:
                raise Stopped
            yield call(task)

    with pytest.raises(Stopped):
        measure("tiny", trees, 4, "cpu", stops, progress=False)
    rows = (tiny_folder / ROWS).read_text().splitlines()
    assert len(rows) == 1 + 2
    (tiny_folder / ROWS).write_text("\n".join([*rows, '{"text": 2, "ran']))  # cut off in the middle of a line
    tasks_left = []

    def counts(call, tasks):
        tasks_left.extend(tasks)
        return map(call, tasks)

    path = measure("tiny", trees, 4, "cpu", counts, progress=False)
    assert len(tasks_left) == 2
    went_on = path.read_bytes()
    assert measure("tiny", trees, 4, "cpu", one_by_one, progress=False).read_bytes() == went_on
    assert not (tiny_folder / ROWS).exists()


def test_the_command_writes_the_file(tiny_folder, trees, capsys):
    module._load.cache_clear()
    assert main(["evidence", "tiny", "--data", str(trees), "--limit", "3", "--workers", "1", "--device", "cpu"]) == 0
    evidence = json.loads((tiny_folder / FILE).read_text())
    assert str(tiny_folder / FILE) in capsys.readouterr().out
    assert evidence["n"] == 3
    assert evidence["weights"] == zoo.load("tiny", "cpu").sha256
    assert {"iterations", "couplings", "capsules", "rankings"} < set(evidence)
    assert evidence["rankings"]["masked"]["coupling"]["n"] == 3
    low, high = evidence["rankings"]["masked"]["coupling"]["aopc"]["interval"]
    assert low <= evidence["rankings"]["masked"]["coupling"]["aopc"]["mean"] <= high


def test_bad_input_gets_one_sentence(tiny_folder, trees, capsys):
    assert main(["evidence", "nothing", "--data", str(trees)]) == 2
    assert main(["evidence", "tiny", "--data", str(trees / "nowhere")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 2
