"""Limits of the interface for programs on requests, their size, and the work of one address."""

from collections.abc import Callable
from threading import Lock
from time import monotonic

MAX_BODY = 1 << 20  # bytes of a request
PATIENCE = 10.0  # seconds until a request must have come, and until a part of an answer must have been taken
MAX_AT_ONCE, MAX_OPEN, MAX_BATCHES = 2, 64, 4  # runs at once; open requests; batches among them
MAX_OPEN_EACH, MAX_BATCHES_EACH = 16, 2  # the same for one address, on a public server
PIECE = 256 << 10  # bytes of an answer that are sent at once
SLOWEST = 256 << 10  # bytes of an answer that a program must take per second, on average
MAX_TEXT, MAX_TEXTS, MAX_BATCH = 20_000, 500, 200_000  # characters of a text; texts and characters of a batch
MAX_EDITS, MAX_EDIT = 20, 300  # edits, and characters of one
MAX_WORK, SHARE = 30.0, 0.5  # seconds of work that an address may have done at once, and then per second
MAX_ADDRESSES = 10_000  # addresses whose work is remembered


class Allowances:
    """The work that each address has had done lately.

    Args:
        clock: function that returns the time in seconds.
    """

    def __init__(self, clock: Callable[[], float] = monotonic):
        self._work: dict[str, tuple[float, float]] = {}  # seconds of work, and when they were counted
        self._clock, self._changing = clock, Lock()

    def wait(self, address: str) -> float:
        """The seconds until an address may have more work done; 0 if it may now."""
        return max(0.0, self._lately(address) - MAX_WORK) / SHARE

    def charge(self, address: str, seconds: float) -> None:
        """Count work that was done for an address."""
        with self._changing:
            work = self._lately(address) + seconds
            self._work.pop(address, None)  # so that the address is the last one
            self._work[address] = work, self._clock()
            if len(self._work) > MAX_ADDRESSES:
                del self._work[next(iter(self._work))]

    def _lately(self, address: str) -> float:
        """The work that was done for an address, less what time has made up for."""
        work, when = self._work.get(address, (0.0, 0.0))
        return max(0.0, work - SHARE * (self._clock() - when))
