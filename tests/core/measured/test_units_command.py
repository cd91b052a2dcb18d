"""The command that says what units take and do."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core import cli, manifest
from core.__main__ import main
from core.commands import units as units_command
from core.measured import own_units, store
from tests.conftest import save_tiny
from tests.core.fit.files import reviews, write_rows
from tests.imports import ROOT
from tests.processes import hear_signals


def test_units_are_measured_once_and_printed_from_then_on(tmp_path, monkeypatch, trees, capsys):
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path / "models"))
    save_tiny(tmp_path / "models", "dragg", "tiny")
    assert main(["units", "tiny", "--device", "cpu"]) == 2
    assert "the units of tiny are not measured; --data PATH or --texts FILE measures them" in capsys.readouterr().err
    assert main(["units", "tiny", "--data", str(trees), "--device", "cpu"]) == 0
    first = capsys.readouterr().out
    assert first.startswith("tiny, 3 capsules, 4 of the 4 texts of the test split\n\nCapsule ")
    assert main(["units", "tiny"]) == 0
    assert capsys.readouterr().out == first


def test_units_as_json_have_a_record_each(capsys):
    assert main(["units", "dragg-reversed-sst5", "--json"]) == 0
    records = json.loads(capsys.readouterr().out)
    assert [record["number"] for record in records] == [1, 2, 3, 4, 5]
    assert set(records[0]["effect"]) == {"very negative", "negative", "neutral", "positive", "very positive"}
    assert len(records[0]["words"]) == 8


@pytest.fixture
def tiny_units(tmp_path, monkeypatch):
    """The command on a tiny network, with further arguments."""
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path / "models"))
    save_tiny(tmp_path / "models", "dragg", "tiny")
    return lambda *arguments: main(["units", "tiny", "--device", "cpu", "--workers", "1", *map(str, arguments)])


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "parquet", "txt"])
def test_units_on_own_texts_are_printed_and_not_saved(tmp_path, tiny_units, capsys, kind):
    texts = [text for text, _ in reviews(20)]
    path = tmp_path / f"films.{kind}"
    write = {
        "csv": lambda: write_rows(path, reviews(20)),
        "tsv": lambda: path.write_text("n\treview\n" + "".join(f"{k}\t{text}\n" for k, text in enumerate(texts))),
        "jsonl": lambda: path.write_text("".join(json.dumps({"n": 1, "review": text}) + "\n" for text in texts)),
        "parquet": lambda: pq.write_table(pa.table({"n": range(20), "review": texts}), path),
        "txt": lambda: path.write_text("\n".join(texts)),
    }
    write[kind]()
    assert tiny_units("--texts", path) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith(f"tiny, 3 capsules, the 20 texts of films.{kind}\n\nCapsule ")
    assert ("Texts are in the column review (guessed)." in printed.err) == (kind != "txt")
    assert store.read("units", "tiny") is None


def test_units_on_own_texts_are_saved_where_one_asks(tmp_path, tiny_units, capsys):
    path = write_rows(tmp_path / "films.csv", reviews(30))
    out = tmp_path / "new" / "folder"
    assert tiny_units("--texts", path, "--text", "review", "--limit", 20, "--out", out, "--json") == 0
    assert len(json.loads(capsys.readouterr().out)) == 3
    sha256 = manifest.describe("tiny").sha256
    kept, shown = (store.read_in(out, quantity, sha256) for quantity in ("units", "shown"))
    assert str(kept["data"]) == str(shown["data"]) == "20 of the 30 texts of films.csv"
    assert shown["texts"][shown["numbers"] == 1] == [reviews(30)[0][0]]
    assert not (tmp_path / "models" / "tiny" / "units.npz").exists()


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["--texts", "no.csv"], "There is no file no.csv."),
        (["--texts", "films.csv", "--text", "stars "], "films.csv has no column 'stars ': name one of review, stars"),
        (["--texts", "films.csv", "--data", "."], "--data and --texts are two sources of texts: give one"),
        (["--texts", "films.csv", "--limit", "3"], "--limit is 3, wanted at least 10"),
        (["--limit", "30"], "--text, --out and --limit work only with --texts"),
        (["--texts", "films.csv", "--out", "films.csv"], "films.csv: File exists"),
        (["--text", "review"], "--text, --out and --limit work only with --texts"),
        (["--texts", "few.csv"], "few.csv has 9 texts, wanted at least 10"),
        (["--texts", "empty.csv"], ""),
        (["--texts", "blank.csv"], "blank.csv has 0 texts, wanted at least 10"),
        (["--texts", "bytes.csv"], ""),
        (["--texts", "bytes.parquet"], ""),
        (["--texts", "bytes.jsonl"], ""),
        (["--texts", "picture.png"], ""),
        (["--texts", "."], ""),
    ],
)
def test_a_bad_file_of_texts_is_refused_in_a_sentence(tmp_path, tiny_units, monkeypatch, capsys, arguments, error):
    monkeypatch.chdir(tmp_path)
    write_rows(Path("films.csv"), reviews(30))
    write_rows(Path("few.csv"), reviews(9))
    write_rows(Path("blank.csv"), [("", "good")] * 30)
    Path("empty.csv").write_bytes(b"")
    for name in ("bytes.csv", "bytes.parquet", "bytes.jsonl", "picture.png"):
        Path(name).write_bytes(bytes(range(256)) * 40)
    assert tiny_units(*arguments) == 2
    printed = capsys.readouterr()
    last = printed.err.strip().splitlines()[-1]
    assert last.startswith("core: ")
    assert error in last
    assert not printed.out


def test_the_help_names_the_least_number_of_texts():
    assert units_command.MIN_TEXTS == own_units.MIN_TEXTS


def test_a_network_of_pictures_has_no_units_on_texts(tmp_path, tiny_units, capsys):
    save_tiny(tmp_path / "models", "em-smallnorb", "toys")
    path = write_rows(tmp_path / "films.csv", reviews(30))
    assert main(["units", "toys", "--texts", str(path), "--device", "cpu"]) == 2
    assert "toys reads pictures, not text." in capsys.readouterr().err


def test_an_interrupt_ends_the_measurement_with_one_sentence(tmp_path, tiny_units):
    path = write_rows(tmp_path / "films.csv", reviews(20_000))
    command = [sys.executable, "-m", "core", "units", "tiny", "--texts", str(path), "--limit", "20000"]
    process = subprocess.Popen(
        [*command, "--workers", "2", "--device", "cpu", "--out", str(tmp_path / "out")],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=hear_signals,
    )
    said = b""
    while b"256/20000" not in said:  # the bar after the first texts
        said += process.stderr.read1()
    os.killpg(process.pid, signal.SIGINT)  # a terminal also signals the workers
    last = (said + process.communicate()[1]).decode().splitlines()[-1]
    assert (process.returncode, last) == (cli.INTERRUPTED, f"core: {cli.STOPPED}")
    assert not list((tmp_path / "out").iterdir())
