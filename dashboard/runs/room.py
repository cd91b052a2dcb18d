"""Bounds what is cached by its size: a few large things may take more memory than many usual ones."""

from collections.abc import Hashable
from threading import Lock
from typing import Any

Call = tuple[Any, tuple[Hashable, ...]]  # a function, as one of Streamlit's caches makes it, and its arguments


class Room:
    """The results of one kind that are cached, the first come first.

    Args:
        largest: bytes of all together. A single result may have more.
    """

    def __init__(self, largest: int):
        self.largest = largest
        self._sizes: dict[Call, int] = {}
        self._changing = Lock()

    def take(self, call: Call, size: int) -> None:
        """Make room for the result of a call, which has so many bytes: forget those that came first."""
        forgotten: list[Call] = []
        with self._changing:
            self._sizes.pop(call, None)
            while self._sizes and sum(self._sizes.values()) + size > self.largest:
                forgotten.append(next(iter(self._sizes)))
                del self._sizes[forgotten[-1]]
            self._sizes[call] = size
        for cached, arguments in forgotten:
            cached.clear(*arguments)
