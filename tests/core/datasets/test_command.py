"""python -m core.datasets, with an archive from disk in place of the network."""

import dataclasses
import hashlib
import io
import zipfile

import pytest

from core.datasets import CORPORA, data_root, sst
from core.datasets import __main__ as command
from core.datasets.corpus import File

FILES = {"trees/train.txt": b"(3 good)\n", "trees/dev.txt": b"(1 bad)\n"}


def archive(files) -> bytes:
    """A zip archive with these files."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as z:
        for name, text in files.items():
            z.writestr(name, text)
    return content.getvalue()


@pytest.fixture(autouse=True)
def small_release(monkeypatch, tmp_path):
    """The path of an archive that takes the place of the released treebank, with a file that nobody wants."""
    path = tmp_path / "release.zip"
    path.write_bytes(archive(FILES | {"../outside.txt": b"no"}))
    files = {name: File(len(text), hashlib.sha256(text).hexdigest()) for name, text in FILES.items()}
    monkeypatch.setitem(CORPORA, "sst", dataclasses.replace(sst.CORPUS, files=files, url=path.as_uri()))
    return path


def test_download_writes_the_wanted_files_and_no_other(tmp_path, capsys):
    assert command.main(["sst", "--root", str(tmp_path / "data")]) == 2
    assert "train.txt is missing" in capsys.readouterr().err
    assert command.main(["sst", "--root", str(tmp_path / "data"), "--download"]) == 0
    written = {str(p.relative_to(tmp_path / "data")) for p in (tmp_path / "data").rglob("*") if p.is_file()}
    assert written == {"sst/trees/train.txt", "sst/trees/dev.txt"}
    assert not (tmp_path / "outside.txt").exists()
    assert command.main(["sst", "--root", str(tmp_path / "data")]) == 0


@pytest.mark.parametrize(
    "content", [archive({"trees/train.txt": b"(0 changed)\n", "trees/dev.txt": b""}), archive({}), b"no zip"]
)
def test_a_wrong_archive_writes_nothing(small_release, tmp_path, capsys, content):
    small_release.write_bytes(content)
    assert command.main(["sst", "--root", str(tmp_path / "data"), "--download"]) == 2
    assert capsys.readouterr().err.count("core.datasets:") == 1
    assert not list((tmp_path / "data").rglob("*.txt"))


def test_a_corpus_without_released_files_has_nothing_to_check(capsys):
    assert command.main(["made"]) == 0
    assert "made texts: no released files are listed" in capsys.readouterr().out


def test_files_without_an_address_are_checked_and_asked_for(tmp_path, capsys):
    assert command.main(["dbpedia", "--root", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith(f"core.datasets: {tmp_path / 'dbpedia'}: train.sample.csv.gz is missing")
    assert command.main(["dbpedia", "--root", str(tmp_path), "--download"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    expected = f"no address is known to download DBpedia from: put train.sample.csv.gz into {tmp_path / 'dbpedia'}"
    assert line == f"core.datasets: {expected}"
    (tmp_path / "dbpedia").mkdir()
    (tmp_path / "dbpedia" / "train.sample.csv.gz").write_bytes(b"another")
    assert command.main(["dbpedia", "--root", str(tmp_path)]) == 2
    assert "train.sample.csv.gz is not the released file" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "n_files"), [("dbpedia", "1 file"), ("trec", "2 files")])
def test_the_real_files_are_as_released(name, n_files, capsys):
    if not (data_root() / name).is_dir():
        pytest.skip(f"no {name} in {data_root()}: set ROUTESCOPE_DATA")
    assert command.main([name]) == 0
    assert capsys.readouterr().out.endswith(f"{n_files} as released\n")
