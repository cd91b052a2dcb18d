"""A batch from the command line to its table."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import core
from core import Trace, cli
from core.__main__ import main
from core.batch import run as batch_run
from core.batch.folder import SCHEMA, Folder
from core.batch.separated import MISMATCHED
from core.batch.texts import BEGINNING, KEPT, TOO_LONG
from core.batch.work import Work
from core.networks.summary import summarize_trace
from tests.imports import ROOT
from tests.processes import hear_signals

N = 300  # rows of the file


@pytest.fixture
def texts(tmp_path):
    """A file of good and bad rows."""
    lines = [json.dumps({"text": "good film " * (k % 7) + "bad"}) for k in range(N)]
    lines[5], lines[100], lines[200] = '{"text": ""}', "{", '{"text": 1}'
    path = tmp_path / "texts.jsonl"
    path.write_text("\n".join(lines))
    return path


@pytest.fixture
def work(tiny, texts, tmp_path):
    return Work("tiny", tiny.sha256, "cpu", texts, "text", Folder(tmp_path / "work"))


def one_by_one(work, shards):
    """Run the shards in this process."""
    return map(work, shards)


def test_the_table_has_a_row_for_each_text_in_order(tiny, texts, tmp_path, capsys):
    assert main(["batch", "tiny", str(texts), "--out", str(tmp_path / "out"), "--workers", "1"]) == 0
    file = capsys.readouterr().out.strip()
    assert file == str(tmp_path / "out" / "table.parquet")
    by_class = [f"probability of {name}" for name in tiny.classes]
    assert pq.read_schema(file).names == [*SCHEMA.names, *by_class]
    assert json.loads((tmp_path / "out" / "batch.json").read_text())["classes"] == list(tiny.classes)
    rows = pq.read_table(file).to_pylist()
    assert [row["number"] for row in rows] == list(range(1, N + 1))
    bad = {row["number"]: row["error"] for row in rows if row["error"]}
    assert bad == {
        6: "There is no word in this text. Type a sentence.",
        101: "This line is not JSON.",
        201: "This row holds a value of type int, wanted text.",
    }
    for row in (rows[0], rows[1], rows[-1]):
        single = summarize_trace(core.explain(tiny, row["text"]))
        np.testing.assert_allclose(row["probabilities"], single.probabilities, atol=1e-5)
        assert row["class"] == tiny.classes[single.best]
        assert row["certainty"] == max(row["probabilities"])
        assert [row[name] for name in by_class] == row["probabilities"]
        assert (row["entropy"], row["settled_at"]) == (pytest.approx(single.entropy, abs=1e-5), single.settled_at)
    assert rows[5]["class"] is rows[5]["probabilities"] is rows[5]["entropy"] is None
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["batch.json", "table.parquet"]


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_the_input_s_other_columns_are_kept(tiny_folder, tmp_path, suffix):
    n = 1100  # more rows than are read at once
    texts = [f"good film {k}" for k in range(n - 2)] + ["good " * 30_000, None]
    columns = {"id": list(range(n)), "review": texts, "class": ["pos", None] * (n // 2), "text": ["x"] * n}
    path, frame = tmp_path / f"texts{suffix}", pd.DataFrame(columns)
    if suffix == ".parquet":
        frame.to_parquet(path)
    elif suffix == ".csv":
        frame.to_csv(path, index=False)
    else:
        rows = zip(*columns.values(), strict=True)
        path.write_text("".join(json.dumps(dict(zip(columns, row, strict=True))) + "\n" for row in rows))
    command = ["batch", "tiny", str(path), "--text", "review", "--out", str(tmp_path / "out"), "--workers", "1"]
    assert main(command) == 0
    table = pq.read_table(tmp_path / "out" / "table.parquet").to_pydict()
    assert [int(number) for number in table["id"]] == columns["id"]
    assert [value or None for value in table["input class"]] == columns["class"]
    assert set(table["input text"]) == {"x"}
    assert table["text"][:-2] == texts[:-2]
    assert (table["text"][-2], table["class"][-2]) == (texts[-2][:KEPT], None)
    assert table["error"][-2] == f"{TOO_LONG} {BEGINNING}"


def test_a_batch_that_an_earlier_version_began_goes_on(work):
    """The record of an earlier version has no classes; the files of the shards are the same."""

    def killed(work, shards):
        yield work(shards[0])
        raise RuntimeError("killed")

    with pytest.raises(RuntimeError):
        batch_run.run(work, killed, progress=False)
    record = json.loads(work.folder.record.read_text())
    del record["classes"]
    work.folder.record.write_text(json.dumps(record))
    table = pq.read_table(batch_run.run(work, one_by_one, progress=False))
    assert table["probability of very positive"].null_count == 3


def test_a_quote_that_is_never_closed_is_refused_before_any_run(tiny_folder, tmp_path, capsys):
    path = tmp_path / "texts.csv"
    path.write_text("id,text\n" + "1,good\n" * 100 + '2,"bad\n' + "3,good\n" * 299)
    assert main(["batch", "tiny", str(path), "--out", str(tmp_path / "out")]) == 2
    assert capsys.readouterr().err == f"core: texts.csv has a row in line 102 whose {MISMATCHED}\n"
    assert not (tmp_path / "out").exists()


def test_traces_are_written_next_to_the_table_and_agree_with_it(tiny, texts, tmp_path):
    assert main(["batch", "tiny", str(texts), "--out", str(tmp_path / "out"), "--traces", "--workers", "1"]) == 0
    rows = pq.read_table(tmp_path / "out" / "table.parquet").to_pylist()
    files = sorted((tmp_path / "out" / "traces").iterdir())
    assert [int(file.stem) for file in files] == [row["number"] for row in rows if not row["error"]]
    trace = Trace.from_npz(files[1].read_bytes())
    assert trace == list(core.explain_many(tiny, [row["text"] for row in rows if not row["error"]]))[1]
    assert rows[1]["probabilities"] == trace.probabilities[-1].tolist()


@pytest.mark.parametrize("traces", [False, True])
def test_a_batch_that_is_killed_goes_on_to_the_same_bytes(work, tmp_path, traces):
    def killed_after_two(work, shards):
        for shard in shards[1:3]:
            yield work(shard)
        raise RuntimeError("killed")

    work = replace(work, traces=traces)
    whole = batch_run.run(replace(work, folder=Folder(tmp_path / "whole")), one_by_one, progress=False).read_bytes()
    with pytest.raises(RuntimeError):
        batch_run.run(work, killed_after_two, progress=False)
    assert sorted(path.name for path in work.folder.shard(0).parent.iterdir()) == ["000001.parquet", "000002.parquet"]
    asked = []
    table = batch_run.run(work, lambda work, shards: asked.extend(shards) or map(work, shards), progress=False)
    assert asked == [0, 3]
    assert table.read_bytes() == whole
    again = batch_run.run(work, lambda work, shards: pytest.fail("nothing is left to run"), progress=False)
    assert again.read_bytes() == whole


def test_a_batch_interrupted_and_killed_goes_on_to_the_same_bytes(tiny_folder, texts, tmp_path):
    texts.write_text("\n".join([texts.read_text()] * 15))
    command = [sys.executable, "-m", "core", "batch", "tiny", str(texts), "--out"]
    for stop in (signal.SIGINT, signal.SIGKILL):
        process = subprocess.Popen(
            [*command, str(tmp_path / "out"), "--workers", "2"],
            cwd=ROOT,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=hear_signals,
        )
        shards, end = tmp_path / "out" / "shards", time.monotonic() + 120
        wanted = len(list(shards.glob("*.parquet"))) + 2
        while len(list(shards.glob("*.parquet"))) < wanted:
            assert process.poll() is None
            assert time.monotonic() < end
            time.sleep(0.01)
        (os.killpg if stop == signal.SIGINT else os.kill)(process.pid, stop)  # Ctrl-C reaches the workers too
        last = process.communicate()[1].splitlines()[-1]
        if stop == signal.SIGINT:
            assert (process.returncode, last) == (130, f"core: {cli.KEPT}")
        else:
            assert process.returncode == -signal.SIGKILL
        assert not (tmp_path / "out" / "table.parquet").exists()
    assert main([*command[3:], str(tmp_path / "out"), "--workers", "1"]) == 0
    assert main([*command[3:], str(tmp_path / "whole"), "--workers", "1"]) == 0
    tables = [(tmp_path / folder / "table.parquet").read_bytes() for folder in ("out", "whole")]
    assert tables[0] == tables[1]


def test_a_folder_of_another_batch_is_refused(work, texts):
    batch_run.run(work, one_by_one, progress=False)
    texts.write_text('{"text": "another"}')
    with pytest.raises(ValueError, match="holds another batch, with another input: name a new folder"):
        batch_run.run(work, one_by_one, progress=False)


@pytest.mark.parametrize("changed", ["", '{"text": "another", "id": 1}\n' * N])
def test_a_file_that_changes_during_a_batch_is_refused_at_its_end(work, changed):
    work.path.write_text('{"text": "good film", "id": 0}\n' * N)

    def change(work, shards):
        yield from map(work, shards)
        work.path.write_text(changed)

    with pytest.raises(ValueError, match=r"texts.jsonl was changed while the batch ran: run it again"):
        batch_run.run(work, change, progress=False)
    assert not work.folder.table.exists()


@pytest.mark.parametrize("name", ["table.parquet", "shards/mine.bin", "traces/mine.npz"])
def test_files_of_something_else_are_never_touched(work, name):
    mine = work.folder.path / name
    mine.parent.mkdir(parents=True)
    mine.write_bytes(b"mine")
    with pytest.raises(ValueError, match="is there already and is not of a batch: name a new folder"):
        batch_run.run(work, one_by_one, progress=False)
    assert [file for file in work.folder.path.rglob("*") if file.is_file()] == [mine]


def test_only_shards_are_deleted_at_the_end(work):
    mine = work.folder.path / "shards" / "mine.bin"

    def add(work, shards):
        yield from map(work, shards)
        mine.write_bytes(b"mine")

    batch_run.run(work, add, progress=False)
    assert list(mine.parent.iterdir()) == [mine]


def test_a_folder_with_another_record_is_refused(work):
    work.folder.record.parent.mkdir(parents=True)
    for content in ("[]", "{}"):
        work.folder.record.write_text(content)
        with pytest.raises(ValueError, match="is not the record of a batch: name a new folder"):
            batch_run.run(work, one_by_one, progress=False)


def test_a_file_without_rows_gives_a_table_without_rows(tiny_folder, tmp_path):
    (tmp_path / "texts.txt").write_text("")
    assert main(["batch", "tiny", str(tmp_path / "texts.txt"), "--out", str(tmp_path / "out")]) == 0
    assert pq.read_table(tmp_path / "out" / "table.parquet").num_rows == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nope", "texts.jsonl"], "There is no model named 'nope'"),
        (["tiny", "nowhere.txt"], "There is no file nowhere.txt"),
        (["tiny", "texts.jsonl", "--column", "words"], "has no column 'words'"),
        (["tiny", "texts.jsonl", "--workers", "0"], "--workers is 0, wanted at least 1"),
        (["tiny-em-smallnorb", "texts.jsonl"], "reads pictures, not text"),
    ],
)
def test_bad_input_gives_one_line_and_nothing_is_written(
    tiny_em_smallnorb, texts, tmp_path, monkeypatch, capsys, arguments, message
):
    monkeypatch.chdir(tmp_path)
    assert main(["batch", *arguments, "--out", "out"]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not (tmp_path / "out").exists()
