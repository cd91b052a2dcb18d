"""The command that measures how many selected phrases are constituents."""

import json

import numpy as np
import pytest
import torch

from core.analysis import phrases
from core.datasets import sst
from core.measured import constituents, store
from core.measured.__main__ import main


def test_the_command_compares_the_test_split_and_prints_the_dev_split(tiny_agt, trees, tmp_path, capsys):
    name = tiny_agt.name
    metrics = {"parameters": 1, "test": {"accuracy": None}, "paper": {"accuracy": 0.5}}
    (tmp_path / "models" / name / "metrics.json").write_text(json.dumps(metrics))
    command = ["constituents", name, "--data", str(trees), "--device", "cpu"]
    assert main([*command, "--split", "dev"]) == 0
    assert "all layers" in capsys.readouterr().out
    assert store.read("constituents", name) is None
    assert main(command) == 0
    measured = store.read("constituents", name)
    assert str(measured["data"]) == "the test split, 4 sentences of 12 words"
    chosen = []
    for words in sst.sentences(trees, "test").words:
        with torch.inference_mode():
            chosen.append(phrases.selected(tiny_agt.model.layers(**tiny_agt.inputs([words])).attention[0].numpy()))
    long_phrases = [[sum(b - a > 1 for a, b in phrases.phrases(row)) for row in layers] for layers in chosen]
    assert measured["n"].tolist() == [*np.sum(long_phrases, 0).tolist(), np.sum(long_phrases)]
    np.testing.assert_allclose(measured["selected"], np.sum([layers.sum(1) for layers in chosen], 0) / 4)
    assert main(["selections", name, "--data", str(trees), "--split", "dev"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == "core.measured: --split works only with constituents and harder"


def test_a_network_that_selects_no_words_is_refused(tiny, trees):
    with pytest.raises(ValueError, match="tiny is not an AGT network"):
        constituents.measure_split(tiny, trees, "test")
