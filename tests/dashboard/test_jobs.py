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
from tests.processes import is_running, wait_until

STAY = "import os, pathlib, time; pathlib.Path('pid').write_text(str(os.getpid())); time.sleep(600)"


@pytest.fixture
def start(tmp_path, monkeypatch):
    """A function that starts a job, which runs some Python code in its own folder, and returns both."""
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
    """Wait until the job in this folder has written its process id, and return it."""
    wait_until(lambda: (folder / "pid").exists() and (folder / "pid").read_text())
    return int((folder / "pid").read_text())


def test_a_job_runs_to_its_end(start):
    job, folder = start("import sys; open('made', 'w').close(); print('said', file=sys.stderr)")
    assert job.wait(180)
    assert (job.runs, job.waits, job.failed) == (False, False, "")
    assert (folder / "made").exists()
    assert (job.done, job.total) == (len(list(folder.iterdir())), 10)


def test_a_job_gets_variables_in_its_environment(start):
    job, folder = start("import os; open(os.environ['OF_A_TEST'], 'w').close()")
    assert job.wait(180)
    assert (folder / "so").exists()


def test_a_job_that_fails_says_why(start):
    job, _ = start("raise SystemExit('there is no such thing')")
    assert job.wait(180)
    assert job.failed == "there is no such thing"


def test_a_full_disk_is_the_reason_if_a_job_gives_none(start, monkeypatch):
    job, _ = start("sys.exit(2)")
    assert job.wait(180)
    assert job.failed == "exit code 2"
    monkeypatch.setattr("shutil.disk_usage", lambda of: SimpleNamespace(free=0))
    assert job.failed == "No space left on device"


def test_a_cancelled_job_ends_without_a_failure(start):
    job, folder = start(STAY)
    pid = pid_in(folder)
    assert job.runs
    job.cancel()
    assert not is_running(pid)
    assert (job.runs, job.failed) == (False, "")
    job.cancel()  # a second time does nothing


def test_a_job_cancelled_while_it_makes_room_ends(start):
    job, folder = start(STAY)
    pid = pid_in(folder)

    class Lock:
        def __enter__(self):
            pass

        def __exit__(self, *_):
            jobs._process = None  # as the job's own thread may do at any time

    jobs._lock = Lock()
    job.cancel()
    assert not is_running(pid)
    assert not job.runs


def test_two_long_jobs_run_at_once_and_further_ones_wait(start, monkeypatch):
    monkeypatch.setattr(jobs, "MAX_JOBS", 3)
    (first, first_folder), (second, second_folder) = start(STAY), start(STAY)
    assert is_running(pid_in(first_folder))
    assert is_running(pid_in(second_folder))
    third, third_folder = start(STAY)
    fourth, _ = start(STAY)
    assert third.place == "waiting for another job to end"
    assert fourth.place == "waiting for 2 other jobs to end"
    _, short_folder = start(STAY, texts=40)
    assert is_running(pid_in(short_folder))
    assert fourth.waits
    fourth.cancel()
    assert not fourth.runs
    first.cancel()
    assert is_running(pid_in(third_folder))
    assert second.runs


def test_a_session_runs_one_job_at_a_time_and_short_ones_first(start, monkeypatch):
    monkeypatch.setattr(jobs, "session_id", lambda: "mine")
    first, first_folder = start(STAY, texts=1)
    pid_in(first_folder)
    long, long_folder = start(STAY)
    short, short_folder = start(STAY, texts=1)
    assert {long.place, short.place} == {"waiting for your other job to end"}
    first.cancel()
    assert is_running(pid_in(short_folder))
    assert long.waits
    short.cancel()
    assert is_running(pid_in(long_folder))


def test_a_long_job_makes_room_and_resumes_later(start, monkeypatch):
    monkeypatch.setattr(jobs, "MAX_JOBS", 2)
    monkeypatch.setattr(jobs, "SLICE", 0.1)
    first, first_folder = start(STAY, goes_on=True)
    pid = pid_in(first_folder)
    second, second_folder = start("open('pid', 'w').write(str(os.getpid()))")
    assert second.wait(180)
    assert pid_in(second_folder)
    wait_until(lambda: pid_in(first_folder) != pid)
    assert not is_running(pid)
    assert (first.runs, first.failed) == (True, "")


def test_a_visitor_s_long_job_ends_for_others_if_it_cannot_resume(start, monkeypatch):
    monkeypatch.setattr(jobs, "MAX_JOBS", 2)
    monkeypatch.setattr(jobs, "SLICE", 0.1)
    monkeypatch.setattr(jobs, "MAX_SLICES", 1)
    monkeypatch.setattr(jobs, "is_public", lambda: True)
    first, first_folder = start(STAY)
    pid_in(first_folder)
    second, _ = start("pass")
    assert second.wait(180)
    assert first.failed == "it had run for 0 minutes, and others waited"


def test_a_job_ends_with_a_server_that_is_killed(tmp_path):
    (tmp_path / "module_of_a_test.py").write_text(f"import os; os.chdir({str(tmp_path)!r})\n{STAY}\n")
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
    wait_until(lambda: not is_running(pid))
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
