"""A file is written whole or not at all, and an error names the requested file."""

import errno
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.__main__ import main
from core.batch.folder import SCHEMA, Folder
from core.batch.table import write_table
from core.files import part_of, write
from core.measured import store
from core.measured.__main__ import main as measured
from core.sweep.__main__ import main as sweep
from tests.core.training.runs import small_run

FULL = Path("/dev/full")  # accepts no bytes, like a disk without space


def error_of_explain(path: Path, capsys) -> str:
    """The error of a command that cannot write to this path."""
    assert main(["explain", "tiny", "good film", "--out", str(path)]) == 2
    return capsys.readouterr().err


def test_an_error_names_the_requested_file(tiny_folder, tmp_path, capsys):
    path = tmp_path / "nowhere" / "x.json"
    assert error_of_explain(path, capsys) == f"core: {path}: No such file or directory\n"


@pytest.mark.skipif(not FULL.exists(), reason="this system has no device that takes nothing")
def test_a_full_disk_gives_one_sentence_and_leaves_nothing_behind(tiny_folder, tmp_path, capsys):
    def fill(name: str) -> Path:
        part_of(tmp_path / name).symlink_to(FULL)
        return tmp_path / name

    for name in ("x.json", "x.npz"):
        assert error_of_explain(fill(name), capsys) == f"core: {tmp_path / name}: No space left on device\n"
    with pytest.raises(OSError, match=r"No space left on device: '.*run.pt'"):
        small_run(fill("run.pt"))
    folder = Folder(tmp_path)
    folder.make(traces=False)
    folder.write_shard(0, SCHEMA.empty_table())
    fill(folder.table.name)
    texts = tmp_path / "texts.txt"
    texts.touch()
    with pytest.raises(OSError, match=r"No space left on device: '.*table.parquet'"):
        write_table(folder, 1, ["no", "yes"], texts, "text")
    assert not list(tmp_path.glob("*.part"))
    assert folder.shard(0).is_file()


def test_threads_that_write_the_same_file_do_not_disturb_each_other(tmp_path):
    """A reader finds one of the contents, whole, and no writer finds its own part missing."""
    path, contents = tmp_path / "table", [bytes([k]) * 100_000 for k in range(4)]

    def repeat(content: bytes) -> set[bytes]:
        seen = set()
        for _ in range(50):
            write(path, content)
            seen.add(path.read_bytes())
        return seen

    with ThreadPoolExecutor(4) as pool:
        seen = set().union(*pool.map(repeat, contents))
    assert seen <= set(contents)
    assert list(tmp_path.iterdir()) == [path]


def test_nothing_is_measured_that_cannot_be_stored(tiny_folder, tiny_agt, trees, tmp_path, monkeypatch, capsys):
    def refuse_to_write(path: Path, content: bytes) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    def refuse_to_delete(path: Path, missing_ok: bool) -> None:
        refuse_to_write(path, b"")

    def measure(*arguments, **options):
        raise AssertionError("hours of work would be lost")

    monkeypatch.setattr(Path, "write_bytes", refuse_to_write)
    monkeypatch.setattr(Path, "unlink", refuse_to_delete)
    for module, name in (("core.training.metrics", "answers"), ("core.sweep.__main__", "train_case")):
        monkeypatch.setattr(f"{module}.{name}", measure)
    monkeypatch.setattr("core.measured.__main__.MEASURES", {"selections": measure})
    monkeypatch.setattr(store, "SWEEPS", tmp_path / "sweeps")
    windows = ["windows", "--corpora", "made", "--units", "gru", "--windows", "1", "--seeds", "1", "--workers", "1"]
    commands = {
        store.SWEEPS / "windows.parquet": lambda: sweep([*windows, "--device", "cpu"]),
        tiny_folder / "answers.npz": lambda: main(["evaluate", "tiny", "--data", str(trees), "--keep"]),
        tiny_folder.parent / "tiny-agt" / "selections.npz": lambda: measured(["selections", "tiny-agt"]),
    }
    for file, command in commands.items():
        assert command() == 2
        assert capsys.readouterr().err.splitlines()[-1].endswith(f"{file}: Read-only file system")
