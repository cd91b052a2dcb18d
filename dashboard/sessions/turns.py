"""Runs take turns: sessions that have used little lately go first, and waiting users see a notice."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Condition, get_ident, local
from typing import Any

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.scriptrunner_utils.script_run_context import get_script_run_ctx, in_cached_function

from dashboard.sessions.owned import session_id

MAX_RUNS = 2  # short runs at once: Python executes one thread at a time, but a second run can pass a slow one
MAX_LONG_RUNS = 2  # long runs in addition, as long as none of them has let others go first
MUCH = 3.0  # processor seconds that make a session busy
LONG = 0.15  # processor seconds that make a run long
PIECE = 0.02  # processor seconds that a long run gets at least per turn
SHARE = 0.2  # a long run's turn is at least this share of its wait, so that it ends even on a busy server
FORGOTTEN = 10.0  # seconds after which half of a session's use is forgotten
PATIENCE = 0.5  # seconds that a long run waits for short ones, and that short runs wait for a slow one
# Seconds that a started run waits at most, as others may need what it holds. A run with a longer turn is stuck.
MAX_WAIT = 5.0
NOTICE_DELAY = 1.0  # seconds until a waiting user sees a notice
CHECK_INTERVAL = 0.2  # seconds between two checks of the queue
HAS_CLOCKS = hasattr(time, "pthread_getcpuclockid")  # clocks of the processor time of threads


@dataclass(eq=False)
class _Run:
    """A run that waits for a turn or has one.

    Args:
        session: id of the session.
        is_long: whether the run is known to be long.
        has_begun: whether the run had a turn before.
        since: time at which the run began to wait, or its turn began.
        clock: id of the clock of the thread's processor time, if the system has one.
        used: processor seconds that the session was charged for.
        charged: clock time of the last charge.
        used_before: ``used`` at the start of the current turn.
        piece: processor seconds until the run lets others go first.
    """

    session: str
    is_long: bool = False
    has_begun: bool = False
    since: float = field(default_factory=time.monotonic)
    clock: int = field(default_factory=lambda: time.pthread_getcpuclockid(get_ident()) if HAS_CLOCKS else -1)
    used: float = 0.0
    charged: float = 0.0
    used_before: float = 0.0
    piece: float = PIECE

    def __post_init__(self) -> None:
        self.charged = self.time()

    def time(self) -> float:
        """Processor seconds of the run's thread. Any thread may ask, as long as that one lives."""
        return time.clock_gettime(self.clock) if HAS_CLOCKS else time.monotonic()

    def gives_way(self) -> bool:
        """Whether this run lets others go first: it is long, or its session is busy."""
        return self.is_long or self.used + self.time() - self.charged > LONG or _used(self.session) > MUCH


_changed = Condition()
_waiting: list[_Run] = []  # runs without a turn, in the order of arrival
_running: list[_Run] = []  # runs with a turn
_usage: dict[str, tuple[float, float]] = {}  # by session: processor seconds, and the time of the last charge
_mine = local()  # the attribute "run" is the run in this thread


@contextmanager
def turn(slot: Any, is_long: bool = False) -> Iterator[None]:
    """Wait for a turn, and hold it until the end of the block. A nested call does nothing.

    When something is written to the slot, Streamlit also ends a run that a newer text of the same user has replaced.
    Such a run leaves the queue without a turn.

    Args:
        slot: ``st.empty`` for the notice.
        is_long: whether the run is known to take long.
    """
    if getattr(_mine, "run", None):
        yield
        return
    me, is_notice_shown = _Run(session_id(), is_long), False
    _mine.run = me
    with _changed:
        _waiting.append(me)
    try:
        since = me.since
        while ahead := _wait(me):
            if time.monotonic() - since > NOTICE_DELAY:
                slot.info(
                    f"The server is busy: {ahead} {'run is' if ahead == 1 else 'runs are'} ahead of yours.",
                    icon=":material/hourglass:",
                )
                is_notice_shown = True
            else:
                slot.empty()
        if is_notice_shown:
            slot.empty()
        with _passing_on():
            yield
    finally:
        del _mine.run
        with _changed:
            _charge(me)
            (_running if me in _running else _waiting).remove(me)
            _start()


@contextmanager
def _passing_on() -> Iterator[None]:
    """Let others go first after each element that is drawn: a page has about a hundred."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:
        yield
        return
    send = context._enqueue

    def send_and_pass_on(message: ForwardMsg) -> None:
        send(message)
        pass_on()

    context._enqueue = send_and_pass_on
    try:
        yield
    finally:
        context._enqueue = send


def pass_on() -> None:
    """Let others go first, between the pieces of a run. A run that is not long, or has no turn, continues at once.

    Do not call it while holding a lock, which another run may need. A cached function holds one, so this does nothing
    within one.
    """
    me = getattr(_mine, "run", None)
    if me is None or in_cached_function.get():
        return
    with _changed:
        _charge(me)
        if not me.gives_way() or me.used - me.used_before < me.piece or (not _waiting and len(_running) == 1):
            return
        _running.remove(me)
        me.since, me.used_before, me.has_begun = time.monotonic(), me.used, True
        _waiting.append(me)
        _start()
    while _wait(me):
        pass


def _wait(me: _Run) -> int:
    """Wait a moment for a turn, and return the number of runs that must end before this one starts."""
    with _changed:
        _start()
        _changed.wait_for(lambda: me in _running, CHECK_INTERVAL)
        return 0 if me in _running else 1 + _in_order().index(me)


def _in_order() -> list[_Run]:
    """The waiting runs, the next one first."""
    return sorted(_waiting, key=lambda run: (run.gives_way(), _used(run.session)))


def _start() -> None:
    """Give turns to waiting runs.

    Among the runs that give way, at most one has a turn. It starts when nothing else runs, or after a while. A started
    run gets its next turn after ``MAX_WAIT`` in any case.
    """
    for run in _in_order():
        now = time.monotonic()
        n_long, waited = sum(other.gives_way() for other in _running), now - run.since
        if run.has_begun and waited > MAX_WAIT:
            is_next = True
        elif run.gives_way():
            is_next = not n_long and (not _running or waited > PATIENCE)
        else:
            n_short = sum(not other.gives_way() and now - other.since < PATIENCE for other in _running)
            n_not_stuck = sum(now - other.since < MAX_WAIT for other in _running)
            is_next = n_short < MAX_RUNS and n_not_stuck < MAX_RUNS + MAX_LONG_RUNS
        if is_next:
            _waiting.remove(run)
            run.since, run.piece = now, max(PIECE, SHARE * waited)
            _running.append(run)
    _changed.notify_all()


def _used(session: str) -> float:
    """Processor seconds that a session has used lately."""
    seconds, when = _usage.get(session, (0.0, 0.0))
    return seconds * 0.5 ** ((time.monotonic() - when) / FORGOTTEN)


def _charge(run: _Run) -> None:
    """Charge a run's session for its processor time, and forget idle sessions. Called in the run's thread."""
    now = run.time()
    used, run.charged = now - run.charged, now
    run.used += used
    _usage[run.session] = _used(run.session) + used, time.monotonic()
    for session in [session for session in _usage if _used(session) < MUCH / 1000]:  # too little to matter
        del _usage[session]
