"""Runs take turns, so that under load the first come are served first, and whoever waits is told."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition, local
from time import monotonic
from typing import Any

AT_ONCE = 2  # runs: Python runs one at a time, so that more only slow each other down; a second passes a slow one
UNTOLD = 1.0  # seconds that a run waits before its user is told
LOOKS = 0.2  # seconds between two looks at the queue

_changed = Condition()
_queue: list[object] = []  # every run that wants a turn or has one, the first come first
_mine = local()  # its attribute "turn" is that of the run in this thread


@contextmanager
def turn(slot: Any) -> Iterator[None]:
    """Wait for a turn, and have it until the end of the block.

    Writing to the slot is also where Streamlit ends a run that a newer text of the same user has replaced: such a run
    leaves the queue without a turn.

    Args:
        slot: an ``st.empty`` to tell the user in.
    """
    me, since, told = object(), monotonic(), False
    _mine.turn = me
    with _changed:
        _queue.append(me)
    try:
        while (ahead := _wait(me)) > 0:
            if monotonic() - since > UNTOLD:
                slot.info(
                    f"The server is busy: {ahead} {'run is' if ahead == 1 else 'runs are'} ahead of yours.",
                    icon=":material/hourglass:",
                )
                told = True
            else:
                slot.empty()
        if told:
            slot.empty()
        yield
    finally:
        del _mine.turn
        with _changed:
            _queue.remove(me)
            _changed.notify_all()


def pass_on() -> None:
    """Let every run that waits go first: for a long run, between its pieces. A run without a turn goes on at once."""
    me = getattr(_mine, "turn", None)
    if me is None:
        return
    with _changed:
        _queue.remove(me)
        _queue.append(me)
        _changed.notify_all()
    while _wait(me) > 0:
        pass


def _wait(me: object) -> int:
    """How many runs must end before this one starts, after a while at most."""

    def ahead() -> int:
        return max(0, _queue.index(me) + 1 - AT_ONCE)

    with _changed:
        _changed.wait_for(lambda: ahead() == 0, LOOKS)
        return ahead()
