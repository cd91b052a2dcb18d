"""Jobs in the background."""

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from dashboard.jobs import job as jobs
from dashboard.jobs.job import Job
from dashboard.sessions.folders import delete_leftovers, make_folder
from tests.imports import ROOT
from tests.processes import runs as lives
from tests.processes import until

STAYS = "import os, pathlib, time; pathlib.Path('pid').write_text(str(os.getpid())); time.sleep(600)"


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Starts a job that runs some Python in a folder of its own."""
    (tmp_path / "module_of_a_test.py").write_text("import os, sys; os.chdir(sys.argv[1]); exec(sys.argv[2])")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    started = []

    def start(code, **options):
        folder = tmp_path / f"job{len(started)}"
        folder.mkdir()
        arguments, variables = [str(folder), code], {"OF_A_TEST": "so"}
        log, count = folder / "log.txt", (lambda: len(list(folder.iterdir())))
        job = Job("module_of_a_test", arguments, log, 10, count, variables, **options)
        started.append(job)
        return job, folder

    yield start
    for job in started:
        job.cancel()


def pid_in(folder):
    until(lambda: (folder / "pid").exists() and (folder / "pid").read_text())
    return int((folder / "pid").read_text())


def test_a_job_runs_to_its_end(start):
    job, folder = start("import sys; open('made', 'w').close(); print('said', file=sys.stderr)")
    assert job.wait(60)
    assert (job.runs, job.waits, job.failed) == (False, False, "")
    assert (folder / "made").exists()
    assert (job.done, job.total) == (len(list(folder.iterdir())), 10)


def test_a_job_has_variables_of_its_environment(start):
    job, folder = start("import os; open(os.environ['OF_A_TEST'], 'w').close()")
    assert job.wait(60)
    assert (folder / "so").exists()


def test_a_job_that_fails_says_why(start):
    job, _ = start("raise SystemExit('there is no such thing')")
    assert job.wait(60)
    assert job.failed == "there is no such thing"


def test_a_job_that_could_not_say_that_the_disk_is_full(start, monkeypatch):
    job, _ = start("sys.exit(2)")
    assert job.wait(60)
    assert job.failed == "exit code 2"
    monkeypatch.setattr("shutil.disk_usage", lambda of: SimpleNamespace(free=0))
    assert job.failed == "No space left on device"


def test_a_cancelled_job_has_ended_and_not_failed(start):
    job, folder = start(STAYS)
    pid = pid_in(folder)
    assert job.runs
    job.cancel()
    assert not lives(pid)
    assert (job.runs, job.failed) == (False, "")
    job.cancel()  # nothing happens


def test_a_job_that_makes_room_while_it_is_cancelled_ends(start):
    job, folder = start(STAYS)
    pid = pid_in(folder)

    class Lock:
        def __enter__(self):
            pass

        def __exit__(self, *_):
            jobs._process = None  # its thread may do this at once

    jobs._lock = Lock()
    job.cancel()
    assert not lives(pid)
    assert not job.runs


def test_jobs_of_two_users_run_side_by_side_and_a_further_one_waits(start, monkeypatch):
    monkeypatch.setattr(jobs, "MAX_JOBS", 3)
    (first, of_first), (second, of_second) = start(STAYS), start(STAYS)
    assert lives(pid_in(of_first))
    assert lives(pid_in(of_second))
    third, of_third = start(STAYS)
    fourth, _ = start(STAYS)
    assert third.place == "waiting for another job to end"
    assert fourth.place == "waiting for 2 other jobs to end"
    _, of_short = start(STAYS, texts=40)
    assert lives(pid_in(of_short))
    assert fourth.waits
    fourth.cancel()
    assert not fourth.runs
    first.cancel()
    assert lives(pid_in(of_third))
    assert second.runs


def test_a_session_has_one_job_at_a_time_and_short_ones_first(start, monkeypatch):
    monkeypatch.setattr(jobs, "session_id", lambda: "mine")
    first, of_first = start(STAYS, texts=1)
    pid_in(of_first)
    long, of_long = start(STAYS)
    short, of_short = start(STAYS, texts=1)
    assert {long.place, short.place} == {"waiting for your other job to end"}
    first.cancel()
    assert lives(pid_in(of_short))
    assert long.waits
    short.cancel()
    assert lives(pid_in(of_long))


def test_a_long_job_makes_room_and_goes_on_later(start, monkeypatch):
    monkeypatch.setattr(jobs, "MAX_JOBS", 2)
    monkeypatch.setattr(jobs, "SLICE", 0.1)
    first, of_first = start(STAYS, goes_on=True)
    pid = pid_in(of_first)
    second, of_second = start("open('pid', 'w').write(str(os.getpid()))")
    assert second.wait(60)
    assert pid_in(of_second)
    until(lambda: pid_in(of_first) != pid)
    assert not lives(pid)
    assert (first.runs, first.failed) == (True, "")


def test_a_visitors_long_job_that_cannot_go_on_ends_for_others(start, monkeypatch):
    monkeypatch.setattr(jobs, "MAX_JOBS", 2)
    monkeypatch.setattr(jobs, "SLICE", 0.1)
    monkeypatch.setattr(jobs, "MAX_SLICES", 1)
    monkeypatch.setattr(jobs, "is_public", lambda: True)
    first, of_first = start(STAYS)
    pid_in(of_first)
    second, _ = start("pass")
    assert second.wait(60)
    assert first.failed == "it had run for 0 minutes, and others waited"


def test_a_job_ends_with_a_server_that_is_killed(tmp_path):
    (tmp_path / "module_of_a_test.py").write_text(f"import os; os.chdir({str(tmp_path)!r})\n{STAYS}\n")
    server = (
        "import sys, time; from pathlib import Path; from dashboard.jobs.job import Job\n"
        "from dashboard.sessions.folders import make_folder\n"
        "class Owner: pass\n"
        "owner = Owner(); print(make_folder(owner), flush=True)\n"
        "job = Job('module_of_a_test', [], Path('log.txt'), 1, int); time.sleep(600)"
    )
    path = os.pathsep.join([str(ROOT), str(tmp_path)])
    process = subprocess.Popen(
        [sys.executable, "-c", server], cwd=tmp_path, env=os.environ | {"PYTHONPATH": path}, stdout=subprocess.PIPE
    )
    with process:
        folder = process.stdout.readline().decode().strip()
        pid = pid_in(tmp_path)
        process.kill()
    until(lambda: not lives(pid))
    assert os.path.isdir(folder)
    delete_leftovers()  # called by the next server
    assert not os.path.exists(folder)


def test_a_folder_is_deleted_with_its_owner():
    class Owner:
        pass

    owner = Owner()
    folder = make_folder(owner)
    (folder / "text").write_text("private")
    assert folder.stat().st_mode & 0o777 == 0o700
    delete_leftovers()
    assert folder.is_dir()
    del owner
    assert not folder.exists()
