"""A batch as a Ray Data pipeline on two workers of this machine, of which one is killed."""

import json
import time
from threading import Event, Thread

import pytest

from core.__main__ import main
from core.batch.work import load
from tests.core.sweep.test_ray import address, pytestmark

__all__ = ["address", "pytestmark"]


def kill_a_worker_after_the_first_shard(folder, killed, ended):
    """Kill one of the processes that hold the model once a first shard is written."""
    import psutil

    while not (killed or ended.is_set()):
        if list(folder.glob("*.parquet")):
            workers = [p for p in psutil.process_iter(["cmdline"]) if "MapWorker" in " ".join(p.info["cmdline"] or ())]
            for worker in workers[:1]:
                worker.kill()
                killed.append(worker.pid)
        time.sleep(0.01)


def test_a_killed_worker_changes_nothing(address, tiny_folder, tmp_path):
    texts, out, killed = tmp_path / "texts.jsonl", tmp_path / "out", []
    texts.write_text("\n".join(json.dumps({"text": "good film " * (k % 9) + "bad"}) for k in range(2500)))
    ended = Event()
    Thread(target=kill_a_worker_after_the_first_shard, args=(out / "shards", killed, ended)).start()
    code = main(["batch", "tiny", str(texts), "--out", str(out), "--engine", "ray", "--address", address])
    ended.set()
    assert code == 0
    assert killed
    assert main(["batch", "tiny", str(texts), "--out", str(tmp_path / "here"), "--workers", "1"]) == 0
    tables = [(folder / "table.parquet").read_bytes() for folder in (out, tmp_path / "here")]
    assert tables[0] == tables[1]


def test_what_a_worker_raises_is_one_line(address, tiny_folder, tmp_path, capsys):
    (tmp_path / "texts.txt").write_text("good")
    asked = ["batch", "tiny", str(tmp_path / "texts.txt"), "--out", str(tmp_path / "out"), "--engine", "ray"]
    load("tiny", "auto")
    (tiny_folder / "weights.safetensors").write_bytes(b"damaged")  # this process keeps what it has loaded
    assert main([*asked, "--address", address]) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert "a worker failed: " in last
    assert "cannot be read as safetensors" in last


def test_no_cluster_is_one_line(tiny_folder, tmp_path, capsys):
    pytest.importorskip("ray", reason="Ray is not installed")
    (tmp_path / "texts.txt").write_text("good")
    asked = ["batch", "tiny", str(tmp_path / "texts.txt"), "--out", str(tmp_path / "out")]
    assert main([*asked, "--engine", "ray", "--address", "127.0.0.1:1"]) == 2
    assert "there is no Ray cluster at 127.0.0.1:1" in capsys.readouterr().err.splitlines()[-1]
