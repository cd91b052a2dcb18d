"""Many cases in processes on this machine: none is lost, and none is run after its caller has stopped."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import get_ident

import pytest
import torch

from core import cli, engines
from tests.core.cases import double, double_at_last, double_with_pytorch, killed, wait
from tests.imports import ROOT
from tests.processes import count_children, hear_signals, is_running, wait_until


@pytest.mark.parametrize("workers", [1, 2])
def test_local_engine_gives_every_row_once(workers):
    rows = list(engines.local(double_with_pytorch, [1, 2, 3], workers))
    assert sorted(row["twice"] for row in rows) == [2, 4, 6]
    assert {row["threads"] for row in rows} == {1}


def test_local_engine_repeats_the_case_of_a_killed_worker(tmp_path):
    rows = list(engines.local(double_at_last, [(n, str(tmp_path)) for n in range(4)], 2))
    assert sorted(row["n"] for row in rows) == [0, 1, 2, 3]


def test_local_engine_gives_up_on_workers_that_always_die(monkeypatch):
    monkeypatch.setattr(engines, "RETRIES", 1)
    with pytest.raises(RuntimeError, match="workers died 2 times"):
        list(engines.local(killed, [1, 2], 2))


def test_one_case_takes_no_other_process():
    before = torch.get_num_threads()
    assert list(engines.local(lambda _: {"process": os.getpid()}, [1], 2)) == [{"process": os.getpid()}]
    (row,) = engines.local(double_with_pytorch, [1], 2)
    assert (row["threads"], torch.get_num_threads()) == (1, before)


def test_the_end_of_a_run_does_not_stop_another_run(tmp_path):
    first = engines.local(double, [1, 2, 3], 2)
    next(first)
    with ThreadPoolExecutor() as threads:
        second = threads.submit(list, engines.local(wait, [(n, str(tmp_path)) for n in (1, 2)], 2))
        wait_until(lambda: len(list(tmp_path.iterdir())) == 2)
        first.close()
        (tmp_path / "go").touch()
    assert sorted(row["n"] for row in second.result()) == [1, 2]
    assert len(list(tmp_path.glob("case *"))) == 2


def test_workers_end_with_a_sweep_that_is_killed(tmp_path):
    folder = tmp_path / "workers"
    folder.mkdir()
    imports = "from core import engines; from tests.core.cases import tell"
    run = f"engines.local(tell, [{str(folder)!r}] * 2, 2)"
    (tmp_path / "sweep.py").write_text(f"if __name__ == '__main__':\n    {imports}; list({run})\n")
    sweep = subprocess.Popen([sys.executable, tmp_path / "sweep.py"], env=os.environ | {"PYTHONPATH": str(ROOT)})
    wait_until(lambda: len(list(folder.iterdir())) == 2)
    sweep.kill()
    sweep.wait()
    wait_until(lambda: not any(is_running(int(path.name)) for path in folder.iterdir()))


SCRIPT = """
import argparse, sys
from core import cli, engines
from tests.core.cases import work

if __name__ == "__main__":
    cases = [(n, {folder!r}) for n in range({n})]
    run = lambda args: list(engines.local(work, cases, workers=2))
    sys.exit(cli.run(argparse.ArgumentParser(prog="python -m sweep"), run))
"""


@pytest.mark.parametrize("n_started", [0, 4])  # while the workers start, and while they work
def test_an_interrupt_ends_a_sweep_at_once_in_one_line(tmp_path, n_started):
    folder, n = tmp_path / "started", 40
    folder.mkdir()
    (tmp_path / "sweep.py").write_text(SCRIPT.format(folder=str(folder), n=n))
    sweep = subprocess.Popen(
        [sys.executable, tmp_path / "sweep.py"],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        start_new_session=True,
        preexec_fn=hear_signals,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_until(lambda: count_children(sweep.pid) >= 2 and len(list(folder.iterdir())) >= n_started)
    os.killpg(sweep.pid, signal.SIGINT)  # a terminal also signals the workers
    assert sweep.communicate()[1] == "sweep: stopped\n"
    assert sweep.returncode == cli.INTERRUPTED
    assert len(list(folder.iterdir())) < n // 2


@pytest.fixture
def hears_interrupts():
    """This process hears interrupts, although it may have been started in the background, where it hears none."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("hears_interrupts")
def test_an_interrupt_in_another_thread_waits_too():
    done = []

    def hold():
        with engines._interrupts_held():
            signal.pthread_kill(thread, signal.SIGINT)
            other.submit(int).result()  # the other thread receives the signal before it works on
            done.append("held")
        done.append("not reached")

    with ThreadPoolExecutor(1) as other:
        thread = other.submit(get_ident).result()  # started here, it blocks no signals
        with pytest.raises(KeyboardInterrupt):
            hold()
    assert done == ["held"]
