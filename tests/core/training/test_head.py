"""The command that trains a head over any transformer, in one epoch."""

import json

import pytest

from core import explain, zoo
from core.training.head import main


@pytest.mark.parametrize("n_classes", [2, 5])
def test_a_head_is_trained_over_a_transformer_in_a_folder(trees, tmp_path, tiny_gpt2, n_classes):
    options = ["--name", "mine", "--classes", str(n_classes), "--data", str(trees), "--out", str(tmp_path)]
    assert main([str(tiny_gpt2), *options, "--device", "cpu", "--epochs", "1"]) == 0
    folder = tmp_path / "mine"
    card = (folder / "README.md").read_text()
    assert f"EM routing over {tiny_gpt2.name}" in card
    assert str(tiny_gpt2.parent) not in card
    training = json.loads((folder / "metrics.json").read_text())["training"]
    assert training["history"][-1]["step"] == training["steps"]
    assert training["command"].endswith(" --data DIR --epochs 1")
    assert "for 1 epochs" in card
    assert len(explain(zoo.load_folder(folder, "cpu"), "a good film").classes) == n_classes


def test_other_data_than_the_treebank_is_refused(tmp_path, tiny_gpt2, capsys):
    (tmp_path / "train.csv").write_text("text,label\ngood,1\n")
    assert main([str(tiny_gpt2), "--name", "mine", "--data", str(tmp_path), "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err.endswith("holds no trees/train.txt of the Stanford Sentiment Treebank\n")
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "It cannot be trained on other data." in " ".join(capsys.readouterr().out.split())


def test_a_missing_transformer_is_refused_in_one_line(trees, tmp_path, capsys):
    assert main([str(tmp_path / "nothing"), "--name", "mine", "--data", str(trees), "--out", str(tmp_path)]) == 2
    assert "cannot be loaded from this machine" in capsys.readouterr().err
    assert not (tmp_path / "mine").exists()
