"""The test samples that a checkpoint answers correctly, kept next to its weights."""

import json

import numpy as np
import pytest

from core.__main__ import main
from core.datasets import read_split, smallnorb
from core.manifest import PRETRAINED, describe
from core.measured import answers, store


@pytest.fixture
def evaluate(tiny_folder, trees, capsys):
    """A function that runs ``evaluate --keep`` and returns its exit code and what it printed."""

    def run(*options):
        code = main(["evaluate", "tiny", "--data", str(trees), "--json", "--keep", *options])
        return code, capsys.readouterr()

    return run


def test_evaluate_keeps_the_answers_in_the_order_of_the_split(evaluate, tiny, trees):
    code, printed = evaluate()
    right, data = answers.read("tiny")
    split = read_split(tiny.corpus, trees, "test", len(tiny.classes))
    assert code == 0
    assert right.mean() == json.loads(printed.out)["accuracy"]
    assert data == "the test split of SST-5"
    predicted = [int(tiny.model(**tiny.inputs([words])).argmax()) for words in split.words]
    assert right.tolist() == [k == label for k, label in zip(predicted, split.labels, strict=True)]


def test_answers_of_other_weights_or_of_a_wrong_length_are_not_read(evaluate, tiny_folder):
    evaluate()
    arrays = store.read("answers", "tiny")
    store.save_in(tiny_folder, "answers", arrays, "0" * 64)
    assert answers.read("tiny") is None
    store.save_in(tiny_folder, "answers", arrays | {"n": np.array([100])}, str(arrays["sha256"]))
    assert answers.read("tiny") is None


@pytest.mark.parametrize(
    "options", [("--limit", "2"), ("--iterations", "1"), ("--edit", "capsule:1"), ("--split", "dev")]
)
def test_only_answers_to_the_whole_test_split_are_kept(evaluate, tiny_folder, options):
    code, printed = evaluate(*options)
    assert code == 2
    assert "--keep needs the whole test split" in printed.err
    assert not (tiny_folder / "answers.npz").exists()


@pytest.mark.parametrize("earlier", ["answers", "metrics"])
def test_answers_to_more_samples_are_not_replaced(evaluate, tiny_folder, tiny, earlier):
    if earlier == "metrics":
        measured = {"parameters": 1, "test": {"accuracy": 0.5, "n": 2210}, "paper": {"accuracy": None}}
        (tiny_folder / "metrics.json").write_text(json.dumps(measured))
    else:
        arrays = answers.arrays_of(np.ones(2210, bool), tiny.corpus, len(tiny.classes), tiny_folder)
        store.save("answers", "tiny", arrays, tiny.sha256)
    code, printed = evaluate()
    assert (code, printed.err.count("\n")) == (2, 1)
    assert "tiny was measured on 2,210 test samples, and only 4 are here" in printed.err
    kept = answers.read("tiny")
    if earlier == "answers":
        assert len(kept[0]) == 2210
    else:
        assert kept is None


def test_shipped_answers_have_the_shipped_accuracy():
    kept = {path.parent.name for path in PRETRAINED.glob("*/answers.npz")}
    assert kept
    for name in kept:
        right, _ = answers.read(name)
        test = describe(name).metrics.test
        assert (right.mean(), len(right)) == (test.accuracy, test.n)


def test_answers_to_rendered_pictures_name_the_renderer(tmp_path):
    (tmp_path / smallnorb.RENDERED).write_text('{"source": "rendered by a program", "seed": 3}')
    data = answers.arrays_of(np.ones(3, bool), "smallnorb", 5, tmp_path)["data"]
    assert str(data) == "the test split of smallNORB, rendered by a program, seed 3"
