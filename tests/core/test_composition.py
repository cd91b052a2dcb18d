import json

import numpy as np
import pytest
import torch

from core import composition
from core.analysis import phrases
from core.datasets import sst
from core.measured import keep_measured, read_measured


def test_the_command_measures_the_test_split_and_binds_it_to_the_weights(tiny_agt, trees, tmp_path, capsys):
    name = tiny_agt.name
    metrics = {"parameters": 1, "test": {"accuracy": None}, "paper": {"accuracy": 0.5}}
    (tmp_path / "models" / name / "metrics.json").write_text(json.dumps(metrics))
    assert composition.main([name, "--data", str(trees), "--device", "cpu"]) == 0
    found = read_measured("composition", name)
    assert str(found["data"]) == "the test split, 4 sentences of 12 words"
    assert found["attention"].sum(1).tolist() == [12] * 3
    assert found["gates"].sum(1).tolist() == [4 * 4] * 2  # four sentences, four components
    selections = []
    for words in sst.sentences(trees, "test").words:
        with torch.inference_mode():
            attention = tiny_agt.model.layers(**tiny_agt.encode([words])).attention[0].numpy()
        selections.append(phrases.selected(attention))
    assert found["lengths"].tolist() == sum(phrases.lengths(chosen, 8) for chosen in selections).tolist()
    assert found["top_counts"].sum(1).tolist() == sum(chosen.sum(1) for chosen in selections).tolist()
    assert "" in found["top_words"]  # there are fewer than ten different words
    with pytest.raises(ValueError, match="was trained anew"):
        keep_measured("composition", name, found, "0" * 64)
    assert composition.main([name, "--data", str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith("core.composition: ")


def test_a_network_that_selects_no_words_is_refused(tiny, trees):
    with pytest.raises(ValueError, match="tiny is no AGT"):
        composition.measure(tiny, sst.sentences(trees, "test"))


def test_arrays_that_disagree_on_their_layers_are_not_shown(tiny_agt, tmp_path):
    name, sizes = tiny_agt.name, {"attention": (3, 20), "gates": (2, 20), "lengths": (3, 8)}
    (tmp_path / "models" / name / "metrics.json").write_text(
        '{"parameters": 1, "test": {"accuracy": null}, "paper": {"accuracy": 0.5}}'
    )
    arrays = {array: np.zeros(size) for array, size in sizes.items()}
    arrays |= {"top_words": np.full((3, 10), "a"), "top_counts": np.zeros((3, 10)), "data": np.array("a test")}
    sha256 = json.loads((tmp_path / "models" / name / "config.json").read_text())["sha256"]
    keep_measured("composition", name, arrays, sha256)
    assert read_measured("composition", name) is not None
    keep_measured("composition", name, arrays | {"lengths": np.zeros((4, 8))}, sha256)
    assert read_measured("composition", name) is None


def test_a_value_of_one_falls_into_the_last_bin():
    found = composition.histogram(np.array([[0.0, 0.049, 0.05, 1.0]]))
    assert found[0, :2].tolist() == [2, 1]
    assert found[0, -1] == 1
