"""The sweep of windows: its cases, table and command, and the made texts."""

from pathlib import Path

import pandas as pd
import pytest
import torch

from core.datasets import made, read_split
from core.sweep import table, windows
from core.sweep.__main__ import main
from core.sweep.samples import CorpusSample, read_splits
from core.sweep.table import complete
from core.sweep.windows import WindowCase


def test_the_cases_are_the_paper_s_variations_once_per_seed():
    cases = list(windows.cases(3))
    assert len(cases) == len(set(cases)) == 3 * (9 * 4 + 2 + 6 * (2 + 5 + 2))
    assert [case.seed for case in cases] == sorted(case.seed for case in cases)
    ag_news = [c for c in cases if (c.corpus, c.unit, c.pooling, c.size, c.seed) == ("ag_news", "gru", "max", 0, 0)]
    assert [c.window for c in ag_news] == list(windows.WINDOWS)
    assert {c.size for c in cases if c.corpus != "ag_news"} == {windows.EQUAL_SIZE}


def test_a_layer_over_whole_texts_is_trained_for_one_window():
    cases = set(windows.grid(1, corpora=("made",), units=("whole gru", "gru"), windows=(2, 5)))
    assert {(c.unit, c.window) for c in cases} == {("whole gru", windows.WHOLE_TEXT), ("gru", 2), ("gru", 5)}
    whole = next(c for c in cases if c.unit == "whole gru")
    assert isinstance(windows.training(whole).network(10).encoder, torch.nn.GRU)


def test_a_grid_has_every_combination_once():
    cases = list(windows.grid(2, corpora=("made",), units=("gru", "cnn"), windows=(1, 4)))
    assert len(set(cases)) == 2 * 2 * 2
    assert {c.corpus for c in cases} == {"made"}


def test_a_sweep_adds_only_the_missing_rows(tmp_path):
    file = tmp_path / "t.parquet"
    wanted = list(windows.grid(1, corpora=("made",), windows=(1, 2, 3)))
    ran = []

    def run(cases):
        for case in cases:
            if len(ran) == 2:
                raise RuntimeError("killed")
            ran.append(case)
            yield vars(case) | {"test": 0.5}

    with pytest.raises(RuntimeError):
        complete(WindowCase, wanted, run, file, progress=False)
    assert len(pd.read_parquet(file)) == 2
    del ran[0]  # so that the next run is not stopped
    complete(WindowCase, wanted + wanted, run, file, progress=False)
    assert sorted(pd.read_parquet(file)["window"]) == [1, 2, 3]


def test_the_command_writes_one_row_per_training(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(made.N_TEXTS, "train", 60)
    monkeypatch.setitem(windows.SAMPLES, "made", CorpusSample("made", 2, epochs=1))
    read_splits.cache_clear()
    file = tmp_path / "t.parquet"
    command = ["windows", "--corpora", "made", "--windows", "1", "3", "--seeds", "1", "--workers", "1"]
    assert main([*command, "--device", "cpu", "--out", str(file)]) == 0
    rows = pd.read_parquet(file)
    assert rows["window"].tolist() == [1, 3]
    assert rows["trained_on"].tolist() == [54, 54]
    assert rows["tested_on"].tolist() == [500, 500]
    assert rows["test"].between(0, 1).all()
    read_splits.cache_clear()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--units", "none"], "--units has none, wanted some of gru, lstm, rnn, cnn"),
        (["--corpora", "nowhere"], "--corpora has nowhere"),
        (["--windows", "0", "--corpora", "made", "--workers", "1"], "window is 0"),
        (["--corpora", "trec", "--data", "nowhere", "--workers", "1"], "nowhere/trec"),
        (["--seeds", "0"], "--seeds is 0, wanted at least 1"),
    ],
)
def test_bad_requests_end_with_one_line_and_exit_code_2(arguments, message, tmp_path, capsys):
    assert main(["windows", *arguments, "--out", str(tmp_path / "t.parquet")]) == 2
    (line,) = [line for line in capsys.readouterr().err.splitlines() if "core.sweep:" in line]
    assert message in line


def test_a_table_of_another_sweep_is_refused(tmp_path):
    pd.DataFrame({"attending": [1]}).to_parquet(tmp_path / "t.parquet")
    with pytest.raises(ValueError, match="has no column"):
        table.read(WindowCase, tmp_path / "t.parquet")


def test_a_corpus_without_a_test_split_holds_out_texts(tmp_path):
    folder = tmp_path / "dbpedia"
    folder.mkdir()
    (folder / "train.csv").write_text("".join(f'{1 + n % 14},"","text number {n}"\n' for n in range(100)))
    training = windows.training(WindowCase("dbpedia", "gru", "max", 40, 2, 0))
    train, dev, test = training.splits(folder)
    assert (len(train), len(dev), len(test)) == (40, 9, 10)
    texts = [{tuple(words) for words in split.words} for split in (train, dev, test)]
    assert len(texts[0] | texts[1] | texts[2]) == 40 + 9 + 10


@pytest.mark.parametrize("split", ["train", "test"])
def test_only_the_order_of_two_words_decides_a_made_label(split):
    texts = read_split("made", Path(), split, 2)
    assert len(texts) == made.N_TEXTS[split]
    for words, label in zip(texts.words, texts.labels, strict=True):
        key, lock = words.index("key"), words.index("lock")
        assert words.count("key") == words.count("lock") == 1
        assert (lock < key) == bool(label)
        assert abs(lock - key) <= made.MAX_DISTANCE
        assert made.MAX_DISTANCE <= min(key, lock) < max(key, lock) < len(words) - made.MAX_DISTANCE
    assert abs(sum(texts.labels) / len(texts) - 0.5) < 0.05


def test_the_best_accuracy_is_known_for_every_window():
    assert [made.best_accuracy(k) for k in (1, 4, 7, 40)] == [0.5, 0.75, 1.0, 1.0]
