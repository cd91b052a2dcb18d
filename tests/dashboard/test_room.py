"""Caches are limited by size in addition to number."""

import streamlit as st

from dashboard.runs.room import Room


def test_the_oldest_results_are_dropped_if_all_are_too_large():
    room, made = Room(10, 64), []

    @st.cache_resource(max_entries=64, show_spinner=False)
    def make(name: str, size: int) -> str:
        room.take((make, (name, size)), size)
        made.append(name)
        return name

    for name, size in (("a", 4), ("b", 4), ("a", 4), ("c", 2), ("d", 3), ("b", 4), ("c", 2), ("d", 3), ("a", 4)):
        assert make(name, size) == name
    assert made == ["a", "b", "c", "d", "a"]  # "d" displaced "a", which is made again; all others are kept
    assert make("e", 100) == make("e", 100)
    assert made[5:] == ["e"]  # larger than the room, but kept until something else comes
    make("c", 2)
    make("e", 100)
    assert made[6:] == ["c", "e"]


def test_the_oldest_results_are_dropped_if_there_are_too_many():
    room, dropped = Room(1000, 2), []

    class Cached:
        clear = dropped.append

    for name in "abcad":
        room.take((Cached, (name,)), 0)
    assert dropped == ["a", "b", "c"]
