"""Skeletons of recipes for new networks: written, trained and explained in a copy of core."""

import dataclasses
import importlib
import json
import os
import shutil
import subprocess
import sys

import pytest

from core.__main__ import main
from core.datasets import trec
from core.training import card
from core.training.__main__ import main as train
from core.training.recipes import RECIPES
from core.training.skeleton import KINDS, write_skeleton
from tests.imports import ROOT


@pytest.fixture
def run(tmp_path):
    """A function that runs a command in a copy of core and returns its output."""
    shutil.copytree(ROOT / "core", tmp_path / "core", ignore=shutil.ignore_patterns("__pycache__"))
    environment = os.environ | {"ROUTESCOPE_MODELS": str(tmp_path / "models"), "OMP_NUM_THREADS": "1"}

    def run(*command):
        finished = subprocess.run(
            [sys.executable, "-m", *command], cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        assert finished.returncode == 0, finished.stderr
        return finished.stdout

    return run


def test_a_new_network_is_written_trained_and_explained(run, tmp_path):
    written = run("core", "models", "--new", "first-of-mine", "--kind", "dragg")
    assert "python -m core.training first-of-mine" in written
    run("core.training", "first-of-mine", "--device", "cpu")
    (row,) = json.loads(run("core", "models", "--json"))
    assert row["name"] == "first-of-mine"
    assert row["accuracy"] > 0.9  # a perfect network has 1, a guess .5
    trace = json.loads(run("core", "explain", "first-of-mine", "we saw the key by the lock", "--json"))
    assert trace["classes"] == ["key first", "lock first"]
    assert not (tmp_path / "pretrained").exists()  # this folder is only for shipped models
    assert "Word order, dynamic routing" in (tmp_path / "models" / "first-of-mine" / "README.md").read_text()


TRIALS = """
from core.training.__main__ import main
for name in {names}:
    assert main([name, "--device", "cpu", "--limit", "64", "--out", "trials"]) == 0
"""


@pytest.mark.slow  # one of them is trained above
def test_every_other_skeleton_trains(run, tmp_path):
    names = {f"my-{kind}": kind for kind in set(KINDS) - {"dragg"}}
    for name, kind in names.items():
        run("core", "models", "--new", name, "--kind", kind)
    (tmp_path / "trials.py").write_text(TRIALS.format(names=sorted(names)))
    run("trials")
    (tmp_path / "trials").rename(tmp_path / "models")
    listed = run("core", "models")
    assert all(name in listed for name in names)


@pytest.mark.parametrize("name", ["mine", "a-network-with-a-name-of-45-characters-in-all-2"])
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_written_recipe_passes_the_linter(tmp_path, kind, name):
    recipe, _ = write_skeleton(name, kind, tmp_path, tmp_path)
    for check in (["check"], ["format", "--check"]):
        command = ["ruff", *check, "--no-cache", "--config", ROOT / "pyproject.toml", recipe]
        finished = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True)
        assert finished.returncode == 0, finished.stdout


def test_a_card_describes_the_data_as_its_corpus_does(tmp_path, monkeypatch):
    recipe, _ = write_skeleton("mine", "dragg", tmp_path, tmp_path)
    monkeypatch.setattr(card, "CARDS", tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    mine = importlib.import_module(recipe.stem).RECIPE
    assert mine.card(tmp_path).data == "made texts"
    on_questions = dataclasses.replace(mine, full=dataclasses.replace(mine.full, corpus="trec")).card(tmp_path)
    assert (on_questions.task, on_questions.data) == (f"{trec.CORPUS.subject}, dynamic routing", trec.CORPUS.title)
    assert "key" not in on_questions.text


def test_a_trial_overwrites_no_trained_model(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path))
    monkeypatch.setitem(RECIPES, "mine", dataclasses.replace(RECIPES["dragg-sst2"], name="mine"))
    for recipe in ("dragg-sst2", "mine"):
        assert train([recipe, "--limit", "8"]) == 2
        assert "a trial must not overwrite a trained model" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["", "My", "../x", "a_b", "a-", "é", "1", "a\n"])
def test_a_name_that_cannot_name_a_module_is_refused(tmp_path, name):
    with pytest.raises(ValueError, match="wanted small letters"):
        write_skeleton(name, "dragg", tmp_path, tmp_path)
    assert not list(tmp_path.iterdir())


def test_nothing_is_overwritten_and_other_kinds_are_refused(tmp_path, capsys):
    write_skeleton("mine", "drnn", tmp_path, tmp_path)
    with pytest.raises(ValueError, match=r"mine\.py exists already"):
        write_skeleton("mine", "drnn", tmp_path, tmp_path)
    assert main(["models", "--new", "mine", "--kind", "agt"]) == 2
    assert "wanted one with a skeleton: cccaps, dragg, drnn" in capsys.readouterr().err
    assert main(["models", "--new", "mine"]) == 2
    assert "both --new NAME and --kind KIND" in capsys.readouterr().err
