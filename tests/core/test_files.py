"""A file is written whole or not at all, and an error names the file that was asked for."""

from pathlib import Path

import pytest

from core.__main__ import main
from core.batch.folder import SCHEMA, Folder
from core.batch.table import write_table
from tests.core.training.test_loop import small_run

FULL = Path("/dev/full")  # as a disk without space: it takes nothing


def explained(path: Path, capsys) -> str:
    """What the command says that cannot write there."""
    assert main(["explain", "tiny", "good film", "--out", str(path)]) == 2
    return capsys.readouterr().err


def test_an_error_names_the_file_that_was_asked_for(tiny_folder, tmp_path, capsys):
    path = tmp_path / "nowhere" / "x.json"
    assert explained(path, capsys) == f"core: {path}: No such file or directory\n"


@pytest.mark.skipif(not FULL.exists(), reason="this system has no device that takes nothing")
def test_a_full_disk_is_one_sentence_and_leaves_nothing_behind(tiny_folder, tmp_path, capsys):
    def fill(name: str) -> Path:
        (tmp_path / f"{name}.part").symlink_to(FULL)
        return tmp_path / name

    for name in ("x.json", "x.npz"):
        assert explained(fill(name), capsys) == f"core: {tmp_path / name}: No space left on device\n"
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
