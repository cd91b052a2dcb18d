"""What was made last, kept for all sessions: ``st.cache_resource`` would forget all of it where one part must go."""

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, ParamSpec, TypeVar

import streamlit as st

P, R, V = ParamSpec("P"), TypeVar("R"), TypeVar("V")
SECTIONS_KEPT = 16


class Kept(Generic[V]):
    """So many values by key; the one that was wanted least lately makes room.

    Args:
        most: values that are kept.
    """

    def __init__(self, most: int):
        self._values: dict[Hashable, V] = {}  # the one that was wanted last is the last
        self._most, self._changing = most, Lock()

    def get(self, key: Hashable, make: Callable[[], V]) -> V:
        """The value of a key, made where it is not kept. Two threads may both make it."""
        with self._changing:
            if key in self._values:
                self._values[key] = value = self._values.pop(key)
                return value
        value = make()
        with self._changing:
            self._values[key] = value
            while len(self._values) > self._most:
                del self._values[next(iter(self._values))]
        return value

    def forget(self, is_gone: Callable[[Hashable], bool]) -> None:
        """Drop the values of some keys."""
        with self._changing:
            for key in filter(is_gone, list(self._values)):
                del self._values[key]


def replay(section: Callable[P, R]) -> Callable[P, R]:
    """Cache a function with everything that it draws: a later call sends the same to the page, and runs nothing.

    It may draw no input.
    """
    return st.cache_resource(section, max_entries=SECTIONS_KEPT, show_spinner=False)
