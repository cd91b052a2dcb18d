"""python -m core.zoo import-heinsen --download, from a server on this machine."""

import socket

import numpy as np
import pytest

from core import explain, zoo
from core.zoo import heinsen
from core.zoo.__main__ import main
from tests.published import publish, serve_folder


@pytest.fixture
def release(tmp_path, monkeypatch):
    """The file on the server, from which the command downloads."""
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path / "models"))
    file = publish(tmp_path / "release", monkeypatch)
    with serve_folder(file.parent) as url:
        monkeypatch.setattr(heinsen, "URL", url)
        yield file


def download(*arguments):
    """Run the command for the smallNORB network, and return its exit code."""
    return main(["import-heinsen", "--download", "smallnorb", *arguments])


def download_error(capsys, *arguments):
    """The one line that says why nothing was downloaded."""
    assert download(*arguments) == 2
    line = capsys.readouterr().err.splitlines()[-1]
    assert line.startswith("core.zoo: ")
    return line


def test_a_downloaded_network_is_a_checkpoint(release, tmp_path):
    assert download() == 0
    checkpoint = zoo.load("heinsen-smallnorb", "cpu")
    trace = explain(checkpoint, np.zeros((2, 96, 96), np.uint8))
    assert trace.classes == list(checkpoint.classes)
    about = zoo.describe("heinsen-smallnorb")
    assert about.metrics.training["data"] == "smallNORB's photographs, by the paper's author"
    assert [path.name for path in (tmp_path / "models").iterdir()] == ["heinsen-smallnorb"]


@pytest.mark.parametrize(("key", "n_classes"), [("sst5", 5), ("sst2", 2)])
def test_networks_of_sentiment_are_downloaded_too(tmp_path, monkeypatch, key, n_classes):
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path / "models"))
    with serve_folder(publish(tmp_path / "release", monkeypatch, key).parent) as url:
        monkeypatch.setattr(heinsen, "URL", url)
        assert main(["import-heinsen", "--download", key]) == 0
    about = zoo.describe(f"heinsen-{key}")
    assert about.kind == "em-sst"
    assert len(about.classes) == n_classes


def test_the_name_and_the_folder_can_be_chosen(release, tmp_path):
    assert download("--name", "theirs", "--out", str(tmp_path / "here")) == 0
    assert zoo.describe_folder(tmp_path / "here" / "theirs").kind == "em-smallnorb"


def test_the_user_s_cache_is_the_default_folder(release, tmp_path, monkeypatch):
    monkeypatch.delenv("ROUTESCOPE_MODELS")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert download() == 0
    assert zoo.folders()["heinsen-smallnorb"] == tmp_path / "cache" / "routescope" / "models" / "heinsen-smallnorb"


def test_a_second_download_is_refused_in_one_line(release, capsys):
    assert download() == 0
    release.unlink()  # the server is not asked again
    assert "heinsen-smallnorb exists already" in download_error(capsys)


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (lambda content: content[:-1] + bytes([content[-1] ^ 1]), "is not the released file"),
        (lambda content: content + b"more", "is not the released file"),
        (lambda content: content[:-1], "was cut off at"),
        (lambda content: None, "cannot be fetched: File not found"),
    ],
)
def test_a_file_that_was_not_published_leaves_nothing_behind(release, tmp_path, capsys, content, line):
    changed = content(release.read_bytes())
    release.unlink()
    if changed is not None:
        release.write_bytes(changed)
    assert line in download_error(capsys)
    assert not (tmp_path / "models").exists()


def test_an_unreachable_server_is_reported_in_one_line(release, monkeypatch, capsys):
    with socket.socket() as free:
        free.bind(("localhost", 0))
        monkeypatch.setattr(heinsen, "URL", f"http://localhost:{free.getsockname()[1]}/")
        assert "cannot be fetched: [Errno" in download_error(capsys)


def test_the_command_needs_a_file_or_a_download(tmp_path, capsys):
    assert main(["import-heinsen", "--name", "x"]) == 2
    assert "needs either FILE.pt or --download" in capsys.readouterr().err
    assert main(["import-heinsen", "file.pt"]) == 2
    assert "needs --name" in capsys.readouterr().err


def test_the_published_files_have_their_known_sizes():
    assert {key: published.file.size for key, published in heinsen.PUBLISHED.items()} == {
        "smallnorb": 1_101_095,
        "sst5": 564_410,
        "sst2": 558_254,
    }
    assert heinsen.URL.startswith("https://raw.githubusercontent.com/glassroom/heinsen_routing_2019_paper/")
