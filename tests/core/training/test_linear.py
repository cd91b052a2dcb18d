"""The linear model that every network over texts should beat."""

import pytest

from core.datasets import Split
from core.training.linear import answers_right, main


def test_each_task_has_an_accuracy_with_words_and_with_pairs(trees, monkeypatch, capsys):
    monkeypatch.setenv("ROUTESCOPE_DATA", str(trees.parent))
    assert main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "SST-5, 4 texts, words: 100.0% (51.0% to 100.0%) of 4"
    assert [line.partition(":")[0] for line in lines[2:4]] == [
        "SST-5, 16 phrases, words",
        "SST-5, 16 phrases, words and pairs",
    ]
    assert len(lines) == 8


@pytest.mark.parametrize(("features", "right"), [("words", False), ("words and pairs", True)])
def test_pairs_tell_what_words_cannot(features, right):
    texts, labels = [["not", "good"], ["good", "not"]] * 4, [0, 1] * 4
    split = Split(texts, labels, ("bad", "good"))
    assert answers_right(split, split, features).all() == right


def test_a_corpus_of_pictures_or_no_corpus_is_refused_in_one_line(capsys):
    for name in ("smallnorb", "nothing"):
        assert main([name]) == 2
        assert f"There is no corpus '{name}' of texts, only sst" in capsys.readouterr().err
