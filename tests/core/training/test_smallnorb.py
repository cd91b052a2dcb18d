"""The recipe em-smallnorb: its settings, its run from data to checkpoint, its resumption, and what its card says."""

import dataclasses
import json
from pathlib import Path

import pytest
import torch

import core.__main__
from core import zoo
from core.models import EMSmallNORBConfig
from core.training import loop
from core.training.__main__ import main
from core.training.metrics import accuracy
from core.training.recipes import RECIPES, Form, Recipe
from core.training.recipes.batches import shuffled_batches
from core.training.run import train_network
from tests.conftest import TINY

RECIPE = RECIPES["em-smallnorb"]


@pytest.fixture
def tiny_recipe(monkeypatch):
    """The recipe for a tiny network, in batches of six, two epochs in its short form."""
    network = EMSmallNORBConfig(**TINY["em-smallnorb"].sizes)
    schedule = dataclasses.replace(RECIPE.full.schedule, epochs=2)
    small_too = {"network": network, "batch": 6, "schedule": schedule}
    last = dataclasses.replace(RECIPE.short.further.further, **small_too)
    further = dataclasses.replace(RECIPE.short.further, **small_too, further=last)
    small = dataclasses.replace(RECIPE.short, network=network, batch=6, schedule=schedule, further=further)
    recipe = Recipe(RECIPE.name, full=dataclasses.replace(RECIPE.full, network=network), short=small)
    monkeypatch.setitem(RECIPES, recipe.name, recipe)
    return recipe


def run(data: Path, out: Path, *more: str) -> int:
    return main(["em-smallnorb", "--data", str(data), "--out", str(out), "--device", "cpu", "--short", *more])


def test_the_full_form_has_the_paper_s_settings(tmp_path):
    full = RECIPE.full.schedule
    assert (full.epochs, full.lr, full.lr_least, full.rise, RECIPE.full.batch) == (50, 5e-4, 1e-5, 0.1, 20)
    assert (RECIPE.full.mixup, RECIPE.full.shift) == (0.2, 16)
    assert isinstance(full.optimizer(list(torch.nn.Linear(1, 1).parameters())), torch.optim.RAdam)
    assert "instead of 50" not in RECIPE.card(tmp_path).text
    assert "10 epochs instead of 50" in RECIPE.card(tmp_path, Form(short=True)).text


def test_the_recipe_end_to_end(tiny_recipe, norb, tmp_path, monkeypatch, capsys):
    """Train, describe, evaluate."""
    assert run(norb, tmp_path / "out") == 0
    folder = tmp_path / "out" / "em-smallnorb"
    files = {"config.json", "weights.safetensors", "metrics.json", "README.md", "answers.npz"}
    assert {p.name for p in folder.iterdir()} == files
    metrics, card = json.loads((folder / "metrics.json").read_text()), (folder / "README.md").read_text()
    saved = zoo.load_folder(folder, "cpu")
    train, dev, test = tiny_recipe.short.splits(norb)
    for part, split in (("test", test), ("dev", dev)):
        low, high = metrics[part].pop("interval")
        assert low <= accuracy(saved, split) <= high
        assert metrics[part] == {"accuracy": accuracy(saved, split), "n": len(split), "over": "toys"}
    assert "| 95% interval over toys |" in card
    assert len(set(test.toys.tolist())) == 10
    differs = {"differs": "half the epochs, in three trainings"}
    assert metrics["paper"] == {"accuracy": 0.991, "source": "Heinsen 2019, table 2", "n": 24_300} | differs
    training = metrics["training"]
    assert (training["form"], training["schedule"]["epochs"], training["steps"]) == ("short", 2, 8)
    assert training["command"].endswith("em-smallnorb --data DIR --short")
    assert "smallNORB's training pairs as found, without instance 9" in training["data"]
    assert "(the recipe's short form, seed 0)" in card
    assert "99.1% | other conditions: half the epochs, in three trainings | 24,300" in card
    assert "rendered" not in card
    assert len(train) == 20
    assert set(train.views.info[train.numbers, 0]) == {4, 6, 7, 8}
    folder.rename(tmp_path / "out" / "own")  # because the shipped network answers to the name em-smallnorb
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path / "out"))
    capsys.readouterr()
    assert core.__main__.main(["evaluate", "own", "--data", str(norb), "--json"]) == 0
    assert json.loads(capsys.readouterr().out).items() >= metrics["test"].items()


def test_a_killed_run_resumes_to_the_same_weights(tiny_recipe, norb, tmp_path, monkeypatch):
    """The resumed run draws the same places, tones, noise and mixtures."""
    assert run(norb, tmp_path / "whole") == 0
    save_state = loop._State.save_state

    def save_state_and_die(self, *arguments):
        save_state(self, *arguments)
        raise RuntimeError("killed")

    with monkeypatch.context() as killed:
        killed.setattr(loop._State, "save_state", save_state_and_die)
        assert run(norb, tmp_path / "killed") == 2
    torch.rand(99)  # the resumed run starts with another state of the random generator
    assert run(norb, tmp_path / "killed", "--resume") == 0
    states = [torch.load(tmp_path / name / ".training" / "em-smallnorb.pt", weights_only=True)
              for name in ("whole", "killed")]  # fmt: skip
    for part in ("model", "average", "best_weights"):
        assert all(torch.equal(a, b) for a, b in zip(*(s[part].values() for s in states), strict=True))
    full, killed = ((tmp_path / name / "em-smallnorb" / "weights.safetensors") for name in ("whole", "killed"))
    assert full.read_bytes() == killed.read_bytes()


def test_trainings_go_on_from_each_other(tiny_recipe, norb, tmp_path):
    assert run(norb, tmp_path / "all") == 0
    first, second, third = tiny_recipe.short, tiny_recipe.short.further, tiny_recipe.short.further.further
    weights = None
    for training in (first, second, third):
        alone = dataclasses.replace(training, further=None)
        trained = train_network(alone, norb, tmp_path / str(training.far), training.corpus, "cpu", initial=weights)
        weights = {key: value.clone() for key, value in trained.checkpoint.model.state_dict().items()}
    saved = zoo.load_folder(tmp_path / "all" / "em-smallnorb", "cpu").model.state_dict()
    for key, value in saved.items():
        if value.is_floating_point():  # counters are not saved
            torch.testing.assert_close(value, weights[key], rtol=0, atol=2e-3)  # weights are rounded
    record = json.loads((tmp_path / "all" / "em-smallnorb" / "metrics.json").read_text())["training"]
    assert [before["steps"] for before in record["before"]] == [8, 8]
    assert record["steps"] == 8


def test_what_goes_on_gets_the_same_seed_and_epochs_in_proportion():
    training = RECIPE.training(Form(short=True, epochs=5, seed=3))
    assert (training.schedule.epochs, training.further.schedule.epochs) == (5, 4)
    assert training.further.further.schedule.epochs == 3
    assert (training.seed, training.further.seed) == (3, 3)


def test_rendered_pictures_are_named_as_such(tiny_recipe, norb, tmp_path):
    (norb / "toyrig.json").write_text('{"source": "rendered by core.datasets.toyrig", "seed": 7}')
    assert run(norb, tmp_path) == 0
    metrics = json.loads((tmp_path / "em-smallnorb" / "metrics.json").read_text())
    assert "rendered by core.datasets.toyrig, seed 7, without instance 9" in metrics["training"]["data"]
    card = (tmp_path / "em-smallnorb" / "README.md").read_text()
    assert "not on smallNORB's photographs" in card
    assert "Heinsen 2019, table 2, on photographs" in card


@pytest.mark.parametrize("content", ["", "[]", '{"source": "x"}'])
def test_a_damaged_toyrig_json_is_refused(norb, content, tmp_path, capsys):
    (norb / "toyrig.json").write_text(content)
    assert run(norb, tmp_path) == 2
    assert "does not name the renderer" in capsys.readouterr().err


def test_the_schedule_is_fitted_to_other_epochs(tiny_recipe, norb, tmp_path, capsys):
    assert run(norb, tmp_path, "--epochs", "1") == 0
    training = json.loads((tmp_path / "em-smallnorb" / "metrics.json").read_text())["training"]
    assert (training["form"], training["schedule"]["epochs"], training["steps"]) == ("short 1-epoch", 1, 4)
    assert "fitted: 1 instead of 2" in (tmp_path / "em-smallnorb" / "README.md").read_text()
    assert training["command"].endswith("em-smallnorb --data DIR --short --epochs 1")
    states = {folder.name for folder in (tmp_path / ".training").glob("em-smallnorb-*") if folder.is_dir()}
    assert states == {
        "em-smallnorb-short-1-epochs-1"
    }  # the only evaluation is the first one after every requested share
    assert run(norb, tmp_path, "--epochs", "0") == 2
    assert "epochs is 0, wanted at least 1" in capsys.readouterr().err


def test_bad_requests_give_one_line_and_exit_code_2(tiny_recipe, norb, tmp_path, capsys, monkeypatch):
    assert run(tmp_path, tmp_path) == 2
    assert "holds no smallnorb-5x46789" in capsys.readouterr().err
    assert main(["dragg-sst5", "--data", str(tmp_path), "--short"]) == 2
    assert capsys.readouterr().err == "core.training: dragg-sst5 has no short form\n"
    monkeypatch.setitem(
        RECIPES, "em-smallnorb", Recipe("em-smallnorb", None, dataclasses.replace(tiny_recipe.short, held_out=3))
    )
    assert run(norb, tmp_path) == 2
    assert "wanted instance 3, on which weights are chosen, and others" in capsys.readouterr().err


def test_an_epoch_holds_every_pair_once():
    batches = shuffled_batches(10, 4, seed=1)
    assert [len(batch) for batch in batches] == [4, 4, 2]
    assert torch.cat(batches).sort().values.tolist() == list(range(10))
    assert torch.equal(batches[0], shuffled_batches(10, 4, seed=1)[0])
    assert not torch.equal(batches[0], shuffled_batches(10, 4, seed=2)[0])


def test_convolutions_are_channels_last(tiny_recipe, norb, tmp_path):
    training = tiny_recipe.short
    job = training.start(training.splits(norb)[0], torch.device("cpu"), norb, tmp_path / "cache")
    assert job.model.convolve[1].weight.is_contiguous(memory_format=torch.channels_last)
    inputs, targets = job.prepare(job.epoch_batches(0)[0])
    assert inputs["images"].shape == (6, 2, 40, 40)
    assert inputs["images"].dtype == torch.float32
    torch.testing.assert_close(targets.sum(1), torch.ones(6))
