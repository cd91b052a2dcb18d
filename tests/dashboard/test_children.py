"""Programs that end with the process that started them."""

import os
import subprocess
import sys

import pytest

from dashboard.server.children import TRIES, Child, RestartedChild, stop
from dashboard.server.log import Log
from tests.browser.server import ROOT
from tests.processes import is_running, wait_until

TIED = [sys.executable, "-m", "dashboard.server.child"]
PARENT = """if True:  # allows the indented lines below
    import sys
    from pathlib import Path
    from dashboard.server.children import Child
    from dashboard.server.log import Log
    print(Child("Toy", ["sleep", "600"], Log(Path(sys.argv[1]))).process.pid, flush=True)
    sys.stdin.read()
"""
# A child on a system other than Linux, where it has to look for the end of its parent.
ELSEWHERE = """if True:
    import os, sys
    sys.platform = "another system"
    from dashboard.server.child import main
    main(os.getppid(), "sleep", "600")
"""
PARENT_ELSEWHERE = f"""if True:
    import subprocess, sys
    print(subprocess.Popen([sys.executable, "-c", {ELSEWHERE!r}]).pid, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def log(tmp_path):
    log = Log(tmp_path / "serve.log")
    yield log
    log.close()


def test_a_child_says_how_it_ended(log, tmp_path):
    failed = Child("Toy", ["sh", "-c", "echo first; echo the reason >&2; exit 3"], log)
    killed = Child("Toy", ["sh", "-c", "echo; kill -KILL $$"], log)
    for child in (failed, killed):
        child.process.wait()
    assert failed.end == "Toy ended with exit code 3: the reason"
    assert killed.end == "Toy was killed (SIGKILL)"
    assert "Toy: first\n" in (tmp_path / "serve.log").read_text()


def test_a_program_that_keeps_ending_is_not_started_again(log, capsys):
    lasting = RestartedChild(lambda: Child("Toy", ["false"], log))
    for _ in range(TRIES - 1):
        lasting.child.process.wait()
        lasting.keep_alive()
    lasting.child.process.wait()
    with pytest.raises(RuntimeError, match=r"^Toy ended with exit code 1 \(3 times running\)$"):
        lasting.keep_alive()
    assert capsys.readouterr().out == "Toy ended with exit code 1. It is started again.\n" * 2


def test_a_child_that_does_not_end_when_asked_to_is_killed(log, tmp_path, monkeypatch):
    monkeypatch.setattr("dashboard.server.children.PATIENCE", 0.1)
    deaf = Child("Toy", ["sh", "-c", "trap '' TERM; echo deaf; while :; do sleep 1; done"], log)
    wait_until(lambda: "deaf" in (tmp_path / "serve.log").read_text())
    stop([deaf])
    assert deaf.end == "Toy was killed (SIGKILL)"


@pytest.mark.parametrize("program", [PARENT, PARENT_ELSEWHERE], ids=["Linux", "elsewhere"])
def test_a_child_ends_when_its_parent_is_killed(program, tmp_path):
    command = [sys.executable, "-c", program, str(tmp_path / "log")]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        child = int(parent.stdout.readline())
        wait_until(lambda: "sleep" in command_of(child))
        parent.kill()
    wait_until(lambda: not is_running(child))


def command_of(process):
    return subprocess.run(["ps", "-o", "comm=", "-p", str(process)], capture_output=True, text=True).stdout


def test_a_child_whose_parent_is_already_dead_does_not_run():
    with subprocess.Popen(["true"]) as dead:
        dead.wait()
    made = subprocess.run([*TIED, str(dead.pid), "echo", "it runs"], cwd=ROOT, capture_output=True, text=True)
    assert (made.returncode, made.stdout, made.stderr) == (0, "", "")
    made = subprocess.run([*TIED, str(os.getpid()), "echo", "it runs"], cwd=ROOT, capture_output=True, text=True)
    assert made.stdout == "it runs\n"
