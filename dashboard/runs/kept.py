"""Caches of a limited number of values for all sessions. One value can be removed, unlike in ``st.cache_resource``."""

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, ParamSpec, TypeVar

import streamlit as st
from numpy import ndarray

P, R, V = ParamSpec("P"), TypeVar("R"), TypeVar("V")
SECTIONS_KEPT = 16  # values of the arguments for which a drawn section is kept


def key_of(sample: str | ndarray) -> Hashable:
    """A cache key for a text or an array. It holds the whole array; Streamlit's own key would sample a large one."""
    return sample if isinstance(sample, str) else (sample.tobytes(), sample.shape)


BY_CONTENT = {ndarray: key_of}  # the ``hash_funcs`` of a cache


class Kept(Generic[V]):
    """A cache that removes the least recently used value.

    Args:
        most: maximum number of values.
    """

    def __init__(self, most: int):
        self._values: dict[Hashable, V] = {}  # the most recently used value is the last
        self._most, self._changing = most, Lock()

    def get(self, key: Hashable, make: Callable[[], V]) -> V:
        """The value of a key, made by ``make`` if it is not cached. Two threads may both make it."""
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
        """Remove the values of some keys."""
        with self._changing:
            for key in filter(is_gone, list(self._values)):
                del self._values[key]


def replay(section: Callable[P, R]) -> Callable[P, R]:
    """Cache a function together with the elements that it draws, so that a later call only sends them again.

    The function must not draw inputs.
    """
    return st.cache_resource(section, max_entries=SECTIONS_KEPT, show_spinner=False)
