"""Ray on a cluster of two workers on this machine. All tests share it, because its start takes many seconds."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Event, Thread

import numpy as np
import pytest

from core import engines, zoo
from core.__main__ import main
from core.batch.work import load
from core.measured import store
from core.sweep.__main__ import main as sweep
from tests.browser.server import free_port
from tests.core.cases import double_at_last
from tests.core.fit.files import reviews, write_rows
from tests.processes import wait_until

pytestmark = pytest.mark.filterwarnings("default")  # Ray itself warns


@pytest.fixture(scope="module")
def address():
    """The address of a cluster on the loopback, with two CPUs, one for each worker.

    It runs in processes of its own, like a user's. On a busy machine Ray 2.60 may hang if one process starts a cluster
    and then connects to it. It asks for no token: one that another cluster left in the home folder may be refused.
    """
    pytest.importorskip("ray", reason="Ray is not installed")
    folders = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)  # its sockets need a short name
    with folders as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_AUTH_MODE", "disabled")
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        log = Path(folder) / "log.txt"
        process, port = start(folder, log) or start(folder, log) or start(folder, log) or (None, 0)
        assert process, log.read_text()
        yield f"127.0.0.1:{port}"
        kill(process)


def start(folder, log):
    """Start a cluster, and return its process and port once it runs; None if it does not, as on a busy machine."""
    port = free_port()
    command = [Path(sys.executable).with_name("ray"), "start", "--head", "--block", "--num-cpus=2", f"--port={port}"]
    command += ["--node-ip-address=127.0.0.1", f"--temp-dir={folder}", "--no-monitor"]
    command += ["--include-dashboard=false", "--include-log-monitor=false"]
    with log.open("wb") as file:
        process = subprocess.Popen(command, stdout=file, stderr=file, start_new_session=True)
    with suppress(AssertionError):
        wait_until(lambda: b"Ray runtime started" in log.read_bytes() or process.poll() is not None)
        if process.poll() is None:
            return process, port
    kill(process)
    return None


def kill(process):
    """Kill a cluster with all its processes; its own stop takes half a minute."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def test_every_row_comes_once_although_a_worker_is_killed(address, tmp_path):
    call = partial(double_at_last)  # a sweep passes a partial function too, with the folder of its data
    rows = list(engines.on_ray(call, [(n, str(tmp_path)) for n in range(4)], address))
    assert sorted(row["n"] for row in rows) == [0, 1, 2, 3]


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


@pytest.mark.slow  # rows after a killed worker are checked above
def test_a_killed_worker_changes_nothing_in_a_batch(address, tiny_folder, tmp_path):
    texts, out, killed = tmp_path / "texts.jsonl", tmp_path / "out", []
    texts.write_text("\n".join(json.dumps({"text": "good film " * (k % 9) + "bad"}) for k in range(1500)))
    ended = Event()
    Thread(target=kill_a_worker_after_the_first_shard, args=(out / "shards", killed, ended)).start()
    code = main(["batch", "tiny", str(texts), "--out", str(out), "--engine", "ray", "--address", address])
    ended.set()
    assert code == 0
    assert killed
    assert main(["batch", "tiny", str(texts), "--out", str(tmp_path / "here"), "--workers", "1"]) == 0
    tables = [(folder / "table.parquet").read_bytes() for folder in (out, tmp_path / "here")]
    assert tables[0] == tables[1]


def test_an_error_in_a_worker_is_reported_in_one_line(address, tiny_folder, tmp_path, capsys):
    (tmp_path / "texts.txt").write_text("good")
    arguments = ["batch", "tiny", str(tmp_path / "texts.txt"), "--out", str(tmp_path / "out"), "--engine", "ray"]
    load("tiny", "auto")
    (tiny_folder / "weights.safetensors").write_bytes(b"damaged")  # this process keeps the weights that it has loaded
    assert main([*arguments, "--address", address]) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert "a worker failed: " in last
    assert "cannot be read as safetensors" in last


@pytest.mark.slow  # units on a cluster go through the same engine, below
def test_routings_are_compared_on_a_cluster(address, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path / "models"))
    file = write_rows(tmp_path / "reviews.csv", reviews())
    options = ["--encoder", "words", "--compare", "attention,windows", "--epochs", "1", "--evidence", "0"]
    options += ["--routing", "windows", "--out", "mine", "--engine", "ray", "--address", address, "--device", "cpu"]
    assert main(["fit", str(file), *options]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("Take ")
    assert {"mine-attention", "mine-windows"} <= zoo.folders().keys()


@pytest.mark.parametrize("command", ["sweep", "batch"])
def test_a_missing_cluster_is_reported_in_one_line(tiny_folder, tmp_path, capsys, command):
    pytest.importorskip("ray", reason="Ray is not installed")
    (tmp_path / "texts.txt").write_text("good")
    run, arguments = {
        "sweep": (sweep, ["windows", "--corpora", "made", "--out", str(tmp_path / "t.parquet")]),
        "batch": (main, ["batch", "tiny", str(tmp_path / "texts.txt"), "--out", str(tmp_path / "out")]),
    }[command]
    assert run([*arguments, "--engine", "ray", "--address", "127.0.0.1:1"]) == 2
    assert "there is no Ray cluster at 127.0.0.1:1" in capsys.readouterr().err.splitlines()[-1]


def test_units_on_own_texts_are_the_same_on_a_cluster(address, tiny_folder, tmp_path):
    path = write_rows(tmp_path / "films.csv", reviews(300))
    for folder, options in (("ray", ["--engine", "ray", "--address", address]), ("here", ["--workers", "1"])):
        arguments = ["units", "tiny", "--texts", str(path), "--out", str(tmp_path / folder), "--device", "cpu"]
        assert main([*arguments, *options]) == 0
    ray, here = (store.read_in(tmp_path / f, "units", zoo.describe("tiny").sha256) for f in ("ray", "here"))
    assert str(ray["data"]) == "the 300 texts of films.csv"
    np.testing.assert_array_equal(ray["texts"], here["texts"])
    np.testing.assert_allclose(ray["effect"], here["effect"], atol=1e-6)
