"""The commands of ``python -m core``: what they print, and errors in one line."""

import io
import json
import os
import re
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from PIL import Image

import core
from core import cli
from core.__main__ import main
from core.datasets import smallnorb
from core.ledger import CLAIMS
from core.ledger.claim import FINDING
from tests.imports import ROOT


def test_class_capsules_are_printed_with_their_features(tiny_cccaps, capsys):
    assert main(["explain", "tiny-cccaps", "good film"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3 + 5 + 5
    assert "takes most of: feature " in lines[-1]


def test_capsules_that_take_nothing_are_counted(capsys):
    text = "The acting is superb, but the plot never earns its two long hours."
    assert main(["explain", "dragg-sst5", text, "--edit", "capsule:0"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(",")[0] for line in lines[-5:-1]] == ["capsule 2", "capsule 3", "capsule 4", "capsule 5"]
    assert lines[-1] == "1 of 5 capsules takes nothing"


def test_models_are_listed(capsys):
    assert main(["models", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["dragg-sst5"]["paper"] == 0.505
    assert {"task", "parameters", "accuracy"} <= rows["dragg-sst5"].keys()
    assert main(["models"]) == 0
    assert "dragg-reversed-sst5" in capsys.readouterr().out


def test_a_list_of_models_needs_no_pytorch():
    """The command answers at once, because it does not import PyTorch, which is slow to import."""
    script = "import sys; from core.__main__ import main; main(['models']); print('torch' in sys.modules)"
    process = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert process.stdout.splitlines()[-1] == "False"


def test_explain_prints_and_writes(tiny_folder, tmp_path, capsys, monkeypatch):
    assert main(["explain", "tiny", "good film", "--iterations", "2"]) == 0
    assert "very negative" in capsys.readouterr().out
    for name in ("trace.json", "trace.npz"):
        assert main(["explain", "tiny", "good film", "--out", str(tmp_path / name)]) == 0
    assert json.loads((tmp_path / "trace.json").read_text())["tokens"] == ["good", "film"]
    assert np.load(tmp_path / "trace.npz")["probabilities"].shape == (3, 5)
    assert main(["explain", "tiny", "good film", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads((tmp_path / "trace.json").read_text())
    assert main(["explain", "tiny", "good film", "--json", "--out", str(tmp_path / "again.json")]) == 0
    assert capsys.readouterr().out.rstrip() == (tmp_path / "again.json").read_text()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"bad film")))
    assert main(["explain", "tiny", "-"]) == 0
    assert "bad" in capsys.readouterr().out


def test_explain_prints_layers(tiny_agt, capsys):
    assert main(["explain", "tiny-agt", "good film"]) == 0
    output = capsys.readouterr().out
    assert "read off layer" in output
    assert "layer 3 selects: " in output
    assert main(["explain", "tiny-agt", "good film", "--iterations", "2"]) == 2
    assert "has layers, not iterations" in capsys.readouterr().err


def test_explain_prints_windows(tiny_drnn, capsys):
    assert main(["explain", "tiny-drnn", "a good film is n't bad"]) == 0
    output = capsys.readouterr().out
    assert "with a window, in words, of" in output
    assert "it was trained with a window of 2; the words that carry its decision there: " in output


def test_explain_prints_sentences_of_documents(tiny_documents, capsys):
    assert main(["explain", "tiny-documents", "A good film. It isn't bad."]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3 + 5 + 3 + 1
    assert "takes most of: sentence " in lines[-2]
    assert lines[-1].startswith("how far the log-odds of ")
    assert " fall without: sentence " in lines[-1]


def test_evaluate_prints_the_accuracy(tiny_folder, trees, capsys):
    assert main(["evaluate", "tiny", "--data", str(trees), "--limit", "3", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["n"] == 3
    assert 0 <= result["accuracy"] <= 1


def test_evaluate_takes_other_iterations(tiny_folder, trees, capsys):
    evaluate = ["evaluate", "tiny", "--data", str(trees), "--iterations"]
    assert main([*evaluate, "1"]) == 0
    assert main([*evaluate, "0"]) == 2
    assert "n_iters is 0" in capsys.readouterr().err


def test_a_network_without_routing_has_no_iterations(tiny_agt):
    with pytest.raises(ValueError, match="has no routing"):
        tiny_agt.with_iterations(2)


def test_other_iterations_change_nothing_else_in_a_network(tiny_cccaps):
    words = tiny_cccaps.inputs([["a", "film"]])
    wanted = [step.activation for step in tiny_cccaps.model.route(tiny_cccaps.model.contributions(**words).sum(1), 2)]
    torch.testing.assert_close(tiny_cccaps.with_iterations(2).model(**words), wanted[-1])


@pytest.fixture
def find_pairs(monkeypatch):
    """A function that makes ``core.pictures.read`` return this many random pairs."""

    def read_pairs(n):
        images = np.random.default_rng(0).integers(0, 256, (n, 2, 40, 48), np.uint8)
        stand_in = SimpleNamespace(read=lambda files: SimpleNamespace(images=images, notices=[f"read {files[0][0]}"]))
        monkeypatch.setattr(core, "pictures", stand_in, raising=False)

    return read_pairs


def test_explain_prints_places_of_pictures(tiny_em_smallnorb, find_pairs, tmp_path, capsys):
    find_pairs(1)
    left = tmp_path / "left.png"
    left.write_bytes(b"")
    assert main(["explain", "tiny-em-smallnorb", "--image", str(left), str(left), "--iterations", "2"]) == 0
    printed = capsys.readouterr()
    assert printed.err == "read left.png\n"
    assert "6 places" in printed.out
    assert printed.out.count(", is made of: place ") == 5
    assert main(["explain", "tiny-em-smallnorb", "--image", str(left), "--out", str(tmp_path / "trace.json")]) == 0
    assert json.loads((tmp_path / "trace.json").read_text())["extra"]["grid"] == [2, 3]
    find_pairs(3)
    assert main(["explain", "tiny-em-smallnorb", "--image", str(left)]) == 2
    assert capsys.readouterr().err.endswith("core: explain takes one pair of pictures, and there are 3 here\n")
    find_pairs(1)
    assert main(["explain", "tiny", "--image", str(left)]) == 2
    assert "core: tiny reads text, not pictures." in capsys.readouterr().err


def test_evaluate_counts_correct_answers_to_pictures(tiny_em_smallnorb, norb, capsys):
    """The command's accuracy equals a plain count."""
    views = smallnorb.load(norb, "train")
    predicted = tiny_em_smallnorb.model(**tiny_em_smallnorb.inputs(views.images)).argmax(1).numpy()
    arguments = ["evaluate", "tiny-em-smallnorb", "--data", str(norb), "--split", "train", "--json"]
    assert main(arguments) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["accuracy"], result["n"]) == ((predicted == views.categories).mean(), 25)
    shares = [(predicted == k)[views.categories == k].mean() for k in range(5)]
    assert result["by_class"] == pytest.approx(dict(zip(smallnorb.CLASSES, shares, strict=True)))
    assert result["interval"][0] < result["accuracy"] < result["interval"][1]
    assert main([*arguments, "--limit", "3"]) == 0
    assert json.loads(capsys.readouterr().out)["n"] == 3


def test_evaluate_reads_a_folder_of_labelled_pictures(tiny_em_smallnorb, tmp_path, capsys):
    """Names make two pictures a pair; a single picture is for both eyes. The mean is over the classes that occur."""
    shades = np.random.default_rng(0).integers(0, 256, (3, 96, 96), np.uint8)
    names = ("1_car_left.png", "1_car_right.png", "2_animal.png")
    for name, shade in zip(names, shades, strict=True):
        Image.fromarray(shade).save(tmp_path / name)
    views = np.stack([shades[:2], shades[[2, 2]]])
    predicted = tiny_em_smallnorb.model(**tiny_em_smallnorb.inputs(views)).argmax(1).tolist()
    assert main(["evaluate", "tiny-em-smallnorb", "--pictures", str(tmp_path), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    car, animal = float(predicted[0] == 4), float(predicted[1] == 0)
    assert result["by_class"] == {"animal": animal, "car": car}
    assert (result["n"], result["mean_over_classes"]) == (2, (car + animal) / 2)
    Image.fromarray(shades[0]).save(tmp_path / "3_boat.png")
    assert main(["evaluate", "tiny-em-smallnorb", "--pictures", str(tmp_path)]) == 2
    assert '"3_boat" must hold one of animal, human' in capsys.readouterr().err
    assert main(["evaluate", "tiny-em-smallnorb", "--pictures", str(tmp_path), "--data", str(tmp_path)]) == 2
    assert "takes --data or --pictures, not both" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["explain", "nope", "good"],
        ["explain", "tiny"],
        ["explain", "tiny", "good", "--image", "left.png"],
        ["explain", "tiny-em-smallnorb", "--image", "no/such/left.png"],
        ["explain", "tiny-em-smallnorb", "good"],
        ["evaluate", "tiny-em-smallnorb", "--data", "."],
        ["evaluate", "tiny-em-smallnorb", "--data", ".", "--split", "dev"],
        ["explain", "tiny", ""],
        ["explain", "tiny", "good", "--iterations", "0"],
        ["explain", "tiny", "good", "--out", "trace.txt"],
        ["explain", "tiny", "good", "--out", "no/such/folder/trace.json"],
        ["evaluate", "tiny", "--data", "no/such/folder"],
        ["evaluate", "tiny", "--data", ".", "--split", "all"],
        ["evaluate", "dragg-sst5", "--data", ".", "--limit", "-1"],
    ],
)
def test_bad_input_ends_with_one_line_and_exit_code_2(tiny_em_smallnorb, find_pairs, capsys, arguments):
    find_pairs(1)
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith("core: ")
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [(["explian", "tiny"], "there is no 'explian'. Did you mean explain?"),
     (["explain", "tiny", "good", "--device", "cpux"], "there is no 'cpux'. Did you mean cpu?"),
     (["list"], "there is no 'list'. Choose from: models, explain, ")],
)  # fmt: skip
def test_a_misspelt_choice_is_answered_with_the_nearest(capsys, arguments, sentence):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    assert sentence in capsys.readouterr().err


def test_a_misspelt_checkpoint_is_answered_with_the_nearest(capsys):
    assert main(["explain", "drag-sst5", "good"]) == 2
    assert capsys.readouterr().err.startswith("core: There is no model named 'drag-sst5'. Did you mean dragg-sst5")


def test_version_and_help_are_printed(capsys):
    for option, text in (("--version", f"Routescope {core.__version__}, PyTorch {torch.__version__}, Python "),
                         ("--help", "python -m core.sweep")):  # fmt: skip
        with pytest.raises(SystemExit) as stop:
            main([option])
        assert stop.value.code == 0
        assert text in capsys.readouterr().out


def test_an_unknown_device_ends_with_exit_code_2(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["explain", "tiny", "good", "--device", "tpu"])
    assert stop.value.code == 2


def test_explain_and_evaluate_take_edits(tiny_folder, trees, capsys):
    assert main(["explain", "tiny", "a good film", "--edit", "drop:1", "--edit", "capsule:0"]) == 0
    in_words = "edited: without “good” (drop:1); without capsule 1 (capsule:0)"
    assert capsys.readouterr().out.startswith(f"tiny on cpu, 3 words\n{in_words}\n")
    assert main(["explain", "tiny", "a good film", "--edit", "drop:1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["edits"] == ["drop:1"]
    for edit in ("capsule:1", "couplings:random,3", "freeze:1"):
        assert main(["evaluate", "tiny", "--data", str(trees), "--edit", edit, "--json"]) == 0
        result = json.loads(capsys.readouterr().out)
        assert (result["n"], result["edits"]) == (4, [edit])
    assert main(["evaluate", "tiny", "--data", str(trees), "--edit", "capsule:capsule 2"]) == 0
    assert capsys.readouterr().out.endswith(" of 4 right, edited: without capsule 2 (capsule:1)\n")


@pytest.mark.parametrize(
    ("command", "edit", "line"),
    [
        ("explain", "paint:1", "the edit is 'paint:1', wanted one of drop:I, "),
        ("explain", "dorp:1", "the edit is 'dorp:1'. Did you mean drop?"),
        ("explain", "drop:filn", "There is no word 'filn'. Did you mean film?"),
        ("explain", "capsule:capsule 4", "There is no capsule 4, but capsule 1 to capsule 3."),
        ("evaluate", "drop:film", "drop:film names an input of one sample, and a split has many: leave it out."),
        ("explain", "drop:9", "i is 9 in drop:I, wanted 0 to 1"),
        ("evaluate", "drop:0", "drop:0 names an input of one sample, and a split has many: leave it out."),
        ("evaluate", "replace:0=x", "replace:0=x names an input of one sample"),
        ("evaluate", "gate:1=0", "gate:1=0 is not an edit of tiny, which has drop:I, "),
        ("evaluate", "capsule:3", "j is 3 in capsule:J, wanted 0 to 2"),
    ],
)
def test_an_edit_that_does_not_fit_is_refused_in_one_line(tiny_folder, trees, capsys, command, edit, line):
    arguments = ["a film"] if command == "explain" else ["--data", str(trees)]
    assert main([command, "tiny", *arguments, "--edit", edit]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"core: {line}")
    assert error.count("\n") == 1


def test_a_pipe_that_nobody_reads_ends_a_command_quietly():
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.run([sys.executable, "-m", "core", "models"], stdout=writing, stderr=subprocess.PIPE, cwd=ROOT)
    os.close(writing)
    assert (process.returncode, process.stderr) == (cli.CUT, b"")


def test_the_ledger_is_printed_as_on_its_page(capsys):
    assert main(["ledger"]) == 0
    printed = capsys.readouterr().out
    n_findings = sum(claim.kind == FINDING for claim in CLAIMS)
    assert re.match(rf"We tested \d+ of {n_findings} published findings: ", printed)
    assert printed.count("\n- ") == len(CLAIMS)
    assert main(["ledger", "--paper", "AGT", "--verdict", "does not hold", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {(row["paper"], row["verdict"]) for row in rows} == {("AGT", "does not hold")}
    assert rows[0]["from"] is None
    assert main(["ledger", "--paper", "AGTs"]) == 2
    assert "there is no paper 'AGTs'. Did you mean AGT" in capsys.readouterr().err


def test_an_interrupt_during_imports_ends_with_one_line(capsys):
    with pytest.raises(SystemExit) as stop, cli.importing():
        raise KeyboardInterrupt
    assert stop.value.code == cli.INTERRUPTED
    assert capsys.readouterr().err == "stopped\n"
