"""The words that an AGT network selects, measured over a split."""

import json

import numpy as np
import pytest
import torch

from core.analysis import phrases
from core.datasets import sst
from core.measured import selections, store
from core.measured.__main__ import main


def test_the_command_measures_a_split_for_the_current_weights(tiny_agt, trees, tmp_path, capsys):
    name = tiny_agt.name
    metrics = {"parameters": 1, "test": {"accuracy": None}, "paper": {"accuracy": 0.5}}
    (tmp_path / "models" / name / "metrics.json").write_text(json.dumps(metrics))
    assert main(["selections", name, "--data", str(trees), "--device", "cpu"]) == 0
    measured = store.read("selections", name)
    assert str(measured["data"]) == "the test split, 4 sentences of 12 words"
    assert measured["attention"].sum(1).tolist() == [12] * 3
    assert measured["gates"].sum(1).tolist() == [4 * 4] * 2  # four sentences, four components
    expected = []
    for words in sst.sentences(trees, "test").words:
        with torch.inference_mode():
            attention = tiny_agt.model.layers(**tiny_agt.inputs([words])).attention[0].numpy()
        expected.append(phrases.selected(attention))
    assert measured["lengths"].tolist() == sum(phrases.count_lengths(chosen, 8) for chosen in expected).tolist()
    assert measured["top_counts"].sum(1).tolist() == sum(chosen.sum(1) for chosen in expected).tolist()
    assert "" in measured["top_words"]  # there are fewer than ten different words
    with pytest.raises(ValueError, match="has been retrained in the meantime"):
        store.save("selections", name, measured, "0" * 64)
    assert main(["selections", name, "--data", str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith("core.measured: ")


def test_a_network_that_selects_no_words_is_refused(tiny, trees):
    with pytest.raises(ValueError, match="tiny is not an AGT network"):
        selections.measure(tiny, sst.sentences(trees, "test"))


def test_a_value_of_one_falls_into_the_last_bin():
    counts = selections.histogram(np.array([[0.0, 0.049, 0.05, 1.0]]))
    assert counts[0, :2].tolist() == [2, 1]
    assert counts[0, -1] == 1
