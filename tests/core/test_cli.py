import io
import json

import numpy as np
import pytest

from core.__main__ import main


def test_models(capsys):
    assert main(["models", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["dragg-sst5"]["paper"] == 0.505
    assert {"task", "parameters", "accuracy"} <= rows["dragg-sst5"].keys()
    assert main(["models"]) == 0
    assert "dragg-reversed-sst5" in capsys.readouterr().out


def test_explain_prints_and_writes(tiny_folder, tmp_path, capsys, monkeypatch):
    assert main(["explain", "tiny", "good film", "--iterations", "2"]) == 0
    assert "very negative" in capsys.readouterr().out
    for name in ("trace.json", "trace.npz"):
        assert main(["explain", "tiny", "good film", "--out", str(tmp_path / name)]) == 0
    assert json.loads((tmp_path / "trace.json").read_text())["tokens"] == ["good", "film"]
    assert np.load(tmp_path / "trace.npz")["probabilities"].shape == (3, 5)
    monkeypatch.setattr("sys.stdin", io.StringIO("bad film"))
    assert main(["explain", "tiny", "-"]) == 0
    assert "bad" in capsys.readouterr().out


def test_evaluate(tiny_folder, trees, capsys):
    assert main(["evaluate", "tiny", "--data", str(trees), "--limit", "3", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["n"] == 3
    assert 0 <= result["accuracy"] <= 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["explain", "nope", "good"],
        ["explain", "tiny", ""],
        ["explain", "tiny", "good", "--iterations", "0"],
        ["explain", "tiny", "good", "--out", "trace.txt"],
        ["explain", "tiny", "good", "--out", "no/such/folder/trace.json"],
        ["evaluate", "tiny", "--data", "no/such/folder"],
        ["evaluate", "tiny", "--data", ".", "--split", "all"],
        ["evaluate", "dragg-sst5", "--data", ".", "--limit", "-1"],
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(tiny_folder, capsys, arguments):
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith("core: ")
    assert error.count("\n") == 1


def test_unknown_words_on_the_command_line_exit_with_2(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["explain", "tiny", "good", "--device", "tpu"])
    assert stop.value.code == 2
