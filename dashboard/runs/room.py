"""Limits a cache by size: a few large results can take more memory than many usual ones."""

from collections.abc import Hashable
from threading import Lock
from typing import Any

Call = tuple[Any, tuple[Hashable, ...]]  # a function with one of Streamlit's caches, and its arguments


class Room:
    """The sizes of the cached results of one kind, the oldest first.

    Args:
        largest: maximum number of bytes of all results together. A single result may be larger.
        most: maximum number of results, as in the cache. The arguments of a call, such as a long text, are kept, too.
    """

    def __init__(self, largest: int, most: int):
        self.largest, self.most = largest, most
        self._sizes: dict[Call, int] = {}
        self._changing = Lock()

    def take(self, call: Call, size: int) -> None:
        """Make room for the result of a call by forgetting the oldest ones.

        Args:
            call: the call.
            size: bytes of its result.
        """
        forgotten: list[Call] = []
        with self._changing:
            self._sizes.pop(call, None)
            while self._sizes and (len(self._sizes) >= self.most or sum(self._sizes.values()) + size > self.largest):
                forgotten.append(next(iter(self._sizes)))
                del self._sizes[forgotten[-1]]
            self._sizes[call] = size
        for cached, arguments in forgotten:
            cached.clear(*arguments)
