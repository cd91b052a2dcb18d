"""The first ten minutes of somebody who adds a network, in a copy of core."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from core.__main__ import main
from core.training.skeleton import NETWORKS, write_skeleton
from tests.imports import ROOT


@pytest.fixture
def run(tmp_path):
    """Runs a command of a copy of core; what it prints."""
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
    written = run("core", "models", "--new", "my-routing", "--kind", "dragg")
    assert "python -m core.training my-routing" in written
    run("core.training", "my-routing", "--device", "cpu")
    (row,) = json.loads(run("core", "models", "--json"))
    assert row["name"] == "my-routing"
    assert row["accuracy"] > 0.9  # 1 is possible, a guess is .5
    trace = json.loads(run("core", "explain", "my-routing", "we saw the key by the lock", "--json"))
    assert trace["classes"] == ["key first", "lock first"]
    assert "100%" in (tmp_path / "pretrained" / "my-routing" / "README.md").read_text()


@pytest.mark.parametrize("kind", sorted(set(NETWORKS) - {"dragg"}))
def test_every_skeleton_trains(run, tmp_path, kind):
    run("core", "models", "--new", f"my-{kind}", "--kind", kind)
    run("core.training", f"my-{kind}", "--device", "cpu", "--limit", "64", "--out", str(tmp_path / "models"))
    assert "my-" + kind in run("core", "models")


@pytest.mark.parametrize("name", ["", "My", "../x", "a_b", "a-", "é", "1", "a\n"])
def test_a_name_that_is_no_name_of_a_module_is_refused(tmp_path, name):
    with pytest.raises(ValueError, match="wanted small letters"):
        write_skeleton(name, "dragg", tmp_path, tmp_path)
    assert not list(tmp_path.iterdir())


def test_nothing_is_overwritten_and_other_kinds_are_refused(tmp_path, capsys):
    write_skeleton("mine", "drnn", tmp_path, tmp_path)
    with pytest.raises(ValueError, match=r"mine\.py exists already"):
        write_skeleton("mine", "drnn", tmp_path, tmp_path)
    assert main(["models", "--new", "mine", "--kind", "agt"]) == 2
    assert "wanted one with a skeleton: dragg, cccaps, drnn" in capsys.readouterr().err
    assert main(["models", "--new", "mine"]) == 2
    assert "both --new NAME and --kind KIND" in capsys.readouterr().err
