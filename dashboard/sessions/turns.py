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

MAX_RUNS = 2  # runs: Python runs one at a time, so that more only slow each other down; a second passes a slow one
MAX_LONG_RUNS = 2  # long runs besides, while none of them has let others go first
MUCH = 3.0  # seconds of the processor that make a session a busy one
LONG = 0.15  # seconds of the processor that make a run a long one
PIECE = 0.02  # seconds of the processor that a long run has at least, each time that others let it go on
SHARE = 0.2  # of the time that it waited, which it has at least then: where there are always others, it ends too
FORGOTTEN = 10.0  # seconds in which half of what a session has used is forgotten
PATIENCE = 0.5  # seconds that such a run waits for those of others, and these for one that takes long to do little
MAX_WAIT = 5.0  # seconds that a run which has begun waits at most, or is waited for: it may hold what another one needs
UNTOLD = 1.0  # seconds that a run waits before its user is told
LOOKS = 0.2  # seconds between two looks at the queue


HAS_CLOCKS = hasattr(time, "pthread_getcpuclockid")


@dataclass(eq=False)
class _Run:
    """A run that wants a turn, or has one.

    since: when it began to wait, or its turn began. clock: of its thread's time on the processor, where the system has
    one. charged: what it said when the session was charged last. used: seconds of the processor before that.
    """

    session: str
    is_long: bool = False
    has_begun: bool = False
    since: float = field(default_factory=time.monotonic)
    clock: int = field(default_factory=lambda: time.pthread_getcpuclockid(get_ident()) if HAS_CLOCKS else -1)
    used: float = 0.0
    charged: float = 0.0
    had: float = 0.0
    piece: float = PIECE

    def __post_init__(self) -> None:
        self.charged = self.time()

    def time(self) -> float:
        """Seconds that its thread has had of the processor; asked in any thread, while this one lives."""
        return time.clock_gettime(self.clock) if HAS_CLOCKS else time.monotonic()

    def gives_way(self) -> bool:
        """Whether it lets others go first: a long run, or one of a busy session."""
        return self.is_long or self.used + self.time() - self.charged > LONG or _used(self.session) > MUCH


_changed = Condition()
_waiting: list[_Run] = []  # the first come first
_having: list[_Run] = []
_kept: dict[str, tuple[float, float]] = {}  # by session: seconds of the processor that it has used, and when
_mine = local()  # its attribute "run" is the run in this thread


@contextmanager
def turn(slot: Any, is_long: bool = False) -> Iterator[None]:
    """Wait for a turn, and have it until the end of the block. A turn within a turn is the same one.

    Writing to the slot is also where Streamlit ends a run that a newer text of the same user has replaced: such a run
    leaves the queue without a turn.

    Args:
        slot: an ``st.empty`` to tell the user in.
        is_long: whether the run is known to take long.
    """
    if getattr(_mine, "run", None):
        yield
        return
    me, told = _Run(session_id(), is_long), False
    _mine.run = me
    with _changed:
        _waiting.append(me)
    try:
        since = me.since
        while ahead := _wait(me):
            if time.monotonic() - since > UNTOLD:
                slot.info(
                    f"The server is busy: {ahead} {'run is' if ahead == 1 else 'runs are'} ahead of yours.",
                    icon=":material/hourglass:",
                )
                told = True
            else:
                slot.empty()
        if told:
            slot.empty()
        with _passing_on():
            yield
    finally:
        del _mine.run
        with _changed:
            _charge(me)
            (_having if me in _having else _waiting).remove(me)
            _start()


@contextmanager
def _passing_on() -> Iterator[None]:
    """Let others go first after each element that is drawn: a page is drawn in a hundred pieces."""
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
    """Let others go first, between the pieces of a run. One that is not long so far, or has no turn, goes on at once.

    Call it where no lock is held: another run may need it to go on. A cached function holds one, so nothing is passed
    on in it.
    """
    me = getattr(_mine, "run", None)
    if me is None or in_cached_function.get():
        return
    with _changed:
        _charge(me)
        if not me.gives_way() or me.used - me.had < me.piece or (not _waiting and len(_having) == 1):
            return
        _having.remove(me)
        me.since, me.had, me.has_begun = time.monotonic(), me.used, True
        _waiting.append(me)
        _start()
    while _wait(me):
        pass


def _wait(me: _Run) -> int:
    """How many runs must end before this one starts, after a while at most."""
    with _changed:
        _start()
        _changed.wait_for(lambda: me in _having, LOOKS)
        return 0 if me in _having else 1 + _in_order().index(me)


def _in_order() -> list[_Run]:
    return sorted(_waiting, key=lambda run: (run.gives_way(), _used(run.session)))


def _start() -> None:
    """Give turns to those who wait. Of those that give way one has a turn, once others have none, or it was patient."""
    for run in _in_order():
        now = time.monotonic()
        n_long, waited = sum(other.gives_way() for other in _having), now - run.since
        if run.has_begun and waited > MAX_WAIT:
            is_next = True
        elif run.gives_way():
            is_next = not n_long and (not _having or waited > PATIENCE)
        else:
            n_short = sum(not other.gives_way() and now - other.since < PATIENCE for other in _having)
            n_not_stuck = sum(now - other.since < MAX_WAIT for other in _having)
            is_next = n_short < MAX_RUNS and n_not_stuck < MAX_RUNS + MAX_LONG_RUNS
        if is_next:
            _waiting.remove(run)
            run.since, run.piece = now, max(PIECE, SHARE * waited)
            _having.append(run)
    _changed.notify_all()


def _used(session: str) -> float:
    """Seconds of the processor that a session has used lately."""
    seconds, when = _kept.get(session, (0.0, 0.0))
    return seconds * 0.5 ** ((time.monotonic() - when) / FORGOTTEN)


def _charge(run: _Run) -> None:
    """Add what a run has used, in its own thread; forget the sessions that have used nothing lately."""
    now = run.time()
    used, run.charged = now - run.charged, now
    run.used += used
    _kept[run.session] = _used(run.session) + used, time.monotonic()
    for session in [session for session in _kept if _used(session) < MUCH / 1000]:
        del _kept[session]
