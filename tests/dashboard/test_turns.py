"""Runs take turns: those of sessions that have used little lately go first."""

import time
from threading import Event, Thread
from types import SimpleNamespace

import pytest
import streamlit as st

from dashboard.sessions import turns
from tests.dashboard.app import open_app
from tests.processes import wait_until


class Slot:
    """A stand-in for an ``st.empty``.

    Args:
        fault: error to raise when a text is written.

    Attributes:
        written: all texts that were written.
    """

    def __init__(self, fault: type[BaseException] | None = None):
        self.written, self.fault = [], fault

    def info(self, text, icon):
        self.written.append(text)
        if self.fault:
            raise self.fault

    def empty(self):
        pass


@pytest.fixture
def all_taken(monkeypatch):
    """Take every turn until the returned event is set. Runs that wait show a notice at once; no session is busy."""
    monkeypatch.setattr(turns, "PATIENCE", 1000)
    monkeypatch.setattr(turns, "NOTICE_DELAY", 0)
    monkeypatch.setattr(turns, "CHECK_INTERVAL", 0.01)
    end, started = Event(), [Event() for _ in range(turns.MAX_RUNS)]

    def hold(begun):
        with turns.turn(Slot()):
            begun.set()
            end.wait(30)

    holders = [Thread(target=hold, args=(begun,)) for begun in started]
    for holder, begun in zip(holders, started, strict=True):
        holder.start()
        assert begun.wait(30)
    yield end
    end.set()
    for holder in holders:
        holder.join(30)
    assert not turns._waiting
    assert not turns._running


@pytest.fixture(autouse=True)
def _no_used_time(monkeypatch):
    """Begin each test without any time that sessions have used."""
    monkeypatch.setattr(turns, "_usage", {})


def in_thread(slot, done):
    """Start a run in a thread; it adds its slot to ``done`` when it has its turn."""

    def run():
        with turns.turn(slot):
            done.append(slot)

    thread = Thread(target=run)
    thread.start()
    return thread


def test_a_waiting_run_says_how_many_runs_are_ahead(all_taken):
    first, second, done = Slot(), Slot(), []
    threads = [in_thread(first, done)]
    wait_until(lambda: first.written)
    threads.append(in_thread(second, done))
    wait_until(lambda: second.written)
    assert first.written[0] == "The server is busy: 1 run is ahead of yours."
    assert second.written[0] == "The server is busy: 2 runs are ahead of yours."
    assert not done
    all_taken.set()
    for thread in threads:
        thread.join(30)
    assert set(done) == {first, second}


def test_a_run_that_a_newer_text_replaces_leaves_the_queue(all_taken):
    class Replaced(BaseException):
        """An error like Streamlit's own, which it raises when a run writes to the page."""

    with pytest.raises(Replaced), turns.turn(Slot(Replaced)):
        pytest.fail("it had a turn")
    assert not turns._waiting


def test_a_long_run_passes_its_turn_on_and_goes_on_after_the_others(monkeypatch):
    monkeypatch.setattr(turns, "PIECE", 0)
    monkeypatch.setattr(turns, "SHARE", 0)  # even if it waited for its turn
    monkeypatch.setattr(turns, "MAX_RUNS", 1)
    monkeypatch.setattr(turns, "CHECK_INTERVAL", 0.01)
    other, done = Slot(), []
    with turns.turn(Slot()):
        waiting = in_thread(other, done)
        wait_until(lambda: turns._waiting)
        assert not done
        turns.pass_on()
        assert not done
        turns._running[0].is_long = True
        turns.pass_on()
        assert done == [other]
    waiting.join(30)
    assert not turns._waiting


def test_a_long_run_has_a_piece_of_work_done_before_it_passes_on(monkeypatch):
    other = turns._Run("")
    monkeypatch.setattr(turns, "PIECE", 1000)
    with turns.turn(Slot(), is_long=True):
        turns._running.append(other)
        turns.pass_on()
        assert len(turns._running) == 2
    turns._running.remove(other)


def test_a_long_run_has_a_share_of_the_time_that_it_waited(monkeypatch):
    run = turns._Run("", is_long=True, since=time.monotonic() - 10)
    monkeypatch.setattr(turns, "_waiting", [run])
    monkeypatch.setattr(turns, "_running", [])
    with turns._changed:
        turns._start()
    assert turns._running == [run]
    assert run.piece >= 10 * turns.SHARE


def test_nothing_is_passed_on_in_a_cached_function(monkeypatch):
    @st.cache_data
    def cached():
        turns.pass_on()

    monkeypatch.setattr(turns._Run, "gives_way", lambda run: pytest.fail("it was asked whether it gives way"))
    monkeypatch.setattr(turns, "_start", lambda: turns._running.extend(turns._waiting) or turns._waiting.clear())
    with turns.turn(Slot()):
        cached()


def test_a_run_passes_on_after_each_element_that_it_draws(monkeypatch):
    def send(message):
        done.append(message)

    context, done = SimpleNamespace(_enqueue=send), []
    monkeypatch.setattr(turns, "get_script_run_ctx", lambda suppress_warning: context)
    monkeypatch.setattr(turns, "pass_on", lambda: done.append("passed on"))
    with turns.turn(Slot()):
        context._enqueue("an element")
    context._enqueue("another")
    assert done == ["an element", "passed on", "another"]


def test_a_run_that_passed_on_its_turn_resumes_after_a_while(monkeypatch):
    monkeypatch.setattr(turns, "PIECE", 0)
    monkeypatch.setattr(turns, "MAX_WAIT", 0)
    other = turns._Run("", is_long=True)
    with turns.turn(Slot(), is_long=True):
        turns._running.append(other)  # it never ends
        turns.pass_on()
    turns._running.remove(other)


def test_a_run_without_a_turn_has_none_to_pass_on():
    turns.pass_on()
    assert not turns._waiting


def test_a_turn_within_a_turn_is_the_same(monkeypatch):
    monkeypatch.setattr(turns, "MAX_RUNS", 1)
    with turns.turn(Slot()), turns.turn(Slot()):
        assert len(turns._running) == 1
    assert not turns._running


def test_the_session_that_used_least_goes_first(monkeypatch):
    used = {"some": 0.5, "busy": 50.0, "busier": 90.0, "none": 0.0}
    runs = [turns._Run(session) for session in ("busier", "some", "busy", "none")]
    monkeypatch.setattr(turns, "_usage", {session: (seconds, time.monotonic()) for session, seconds in used.items()})
    monkeypatch.setattr(turns, "_waiting", runs)
    assert [run.session for run in turns._in_order()] == ["none", "some", "busy", "busier"]
    turns._waiting.clear()


def test_busy_sessions_wait_for_others_and_nobody_waits_for_them(monkeypatch):
    monkeypatch.setattr(turns, "_usage", {"busy": (50.0, time.monotonic()), "busier": (90.0, time.monotonic())})
    now = ["busy"]
    monkeypatch.setattr(turns, "session_id", lambda: now[0])
    with turns.turn(Slot()):
        waiting, done = turns._Run("busier"), []
        turns._waiting.append(waiting)
        now[0] = "other"
        for _ in range(2):
            in_thread(Slot(), done).join(30)
        assert len(done) == 2
        assert waiting in turns._waiting
    assert waiting in turns._running
    turns._running.remove(waiting)


def test_the_time_that_a_session_used_is_forgotten(monkeypatch):
    with turns.turn(Slot()):
        sum(range(10**6))
    assert 0 < turns._used("") < turns.MUCH
    monkeypatch.setattr(turns, "FORGOTTEN", 1e-6)
    with turns.turn(Slot()):
        pass
    assert not turns._usage


def test_a_run_without_others_shows_no_notice():
    slot = Slot()
    with turns.turn(slot):
        pass
    assert not slot.written


def test_a_page_waits_for_its_turn_and_is_shown_after_it(all_taken):
    app, runs = open_app("agt"), []
    thread = Thread(target=lambda: runs.append(app.run()))
    thread.start()
    wait_until(lambda: turns._waiting)
    assert not runs
    all_taken.set()
    thread.join(60)
    assert not app.exception
    assert not [i for i in app.info if "ahead of yours" in i.value]
    assert app.get("vega_lite_chart")
