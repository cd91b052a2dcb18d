"""Other trainings of a network: what is kept of them, and what is refused."""

import json

import numpy as np
import pytest

import core.__main__
from core import explain, manifest, zoo
from core.datasets import CORPORA, smallnorb
from core.json_files import read_json
from core.measured import store, trainings
from core.measured.__main__ import main
from core.measured.evidence.measure import _load
from core.measured.evidence.record import EVIDENCE_FILE, Evidence
from core.measured.trainings import find_trainings, keep_trainings, read_poses, read_runs
from tests.conftest import save_tiny


def measure_evidence(name, trees):
    _load.cache_clear()
    command = ["evidence", name, "--data", str(trees), "--limit", "3", "--workers", "1", "--device", "cpu"]
    assert core.__main__.main(command) == 0


@pytest.fixture
def two_trainings(tiny_folder, trees):
    """A tiny network with another training, whose evidence was measured."""
    other = save_tiny(tiny_folder.parent, name="tiny-seed-1")
    for folder, accuracy in ((tiny_folder, 0.5), (other, 0.25)):
        scores = {"accuracy": accuracy, "n": 4}
        about = {"parameters": 10, "dev": scores, "test": scores, "paper": {"accuracy": None}, "training": {"seed": 0}}
        (folder / "metrics.json").write_text(json.dumps(about))
        measure_evidence(folder.name, trees)
    return tiny_folder, other


def test_accuracies_rankings_and_runs_of_other_trainings_are_kept(two_trainings, trees):
    folder, other = two_trainings
    save_tiny(folder.parent, name="tiny-seed-1-longer")  # somebody's own checkpoint
    assert find_trainings("tiny") == {1: "tiny-seed-1"}
    assert main(["trainings", "tiny"]) == 0
    assert read_json(folder / "metrics.json")["seeds"] == [0.5, 0.25]
    evidence = Evidence.read(read_json(folder / EVIDENCE_FILE))
    (training,) = evidence.trainings
    assert (training.seed, training.dev, training.test) == (1, 0.25, 0.25)
    theirs = Evidence.read(read_json(other / EVIDENCE_FILE))
    for way, of_way in training.over_random.items():
        assert of_way.keys() == {evidence.main_ranking(), "integrated gradients", "drop-one"}
        assert all(theirs.rankings[way][name].over_random == kept for name, kept in of_way.items())
    runs = read_runs("tiny")[1]
    texts = list(CORPORA["sst"].examples.values())
    assert len(runs) == len(texts)
    run = explain(zoo.load("tiny-seed-1", "cpu"), texts[0])
    assert runs[0].tokens == run.tokens
    np.testing.assert_array_equal(runs[0].probabilities, run.probabilities)
    measure_evidence("tiny", trees)  # again: what is said of other trainings stays
    assert Evidence.read(read_json(folder / EVIDENCE_FILE)).trainings == evidence.trainings


def test_poses_of_toys_are_kept_if_they_were_measured(two_trainings):
    folder, other = two_trainings
    arrays = {"toys": np.zeros((50, 2), int), "views": np.ones((50, 27, 4, 4)), "data": np.array("toys")}
    store.save("built_in", other.name, arrays, zoo.describe(other.name).sha256)
    assert main(["trainings", "tiny"]) == 0
    (kept,) = read_poses("tiny").values()
    np.testing.assert_array_equal(kept["views"], arrays["views"])
    (folder / "trainings" / "1.built_in.npz").write_bytes(b"damaged")
    assert read_poses("tiny") == {}
    (other / "built_in.npz").unlink()
    assert main(["trainings", "tiny"]) == 0
    assert not (folder / "trainings" / "1.built_in.npz").exists()  # what is not measured any more is not kept
    (folder / EVIDENCE_FILE).unlink()
    assert read_poses("tiny") == {}


def test_the_card_of_a_network_of_rendered_toys_needs_them(tmp_path, monkeypatch):
    about = manifest.describe("em-smallnorb-views")
    monkeypatch.setattr(trainings, "find_trainings", lambda name: {1: "em-smallnorb"})
    said = "the card of em-smallnorb-views says that it learned from rendered toys: --data names their folder"
    with pytest.raises(ValueError, match=said):
        keep_trainings(about.name, tmp_path)
    (tmp_path / smallnorb.RENDERED).write_text('{"source": "a rig", "seed": 0}')
    trainings._check_card(about, tmp_path)


def test_damaged_and_foreign_runs_are_left_out(two_trainings):
    folder, _ = two_trainings
    assert main(["trainings", "tiny"]) == 0
    kept = folder / "trainings"
    (kept / "1-0.npz").write_bytes(b"damaged")
    (kept / "1-1.npz").rename(kept / "2-1.npz")  # of another seed than its name says
    assert len(read_runs("tiny")[1]) == len(CORPORA["sst"].examples) - 2


def test_missing_trainings_and_evidence_give_one_line(tiny_folder, trees, capsys):
    assert main(["trainings", "tiny"]) == 2
    assert "there is no other training of tiny: make one by `python -m core.training tiny --seed 1`" in (
        capsys.readouterr().err
    )
    save_tiny(tiny_folder.parent, name="tiny-seed-1")
    assert main(["trainings", "tiny"]) == 2
    assert "tiny has no evidence: measure it by `python -m core evidence tiny`" in capsys.readouterr().err
