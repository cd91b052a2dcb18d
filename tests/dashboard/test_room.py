"""Caches are limited by size in addition to number."""

import streamlit as st

from dashboard.runs.room import Room


def test_what_came_first_is_forgotten_when_all_together_are_too_large():
    room, made = Room(10), []

    @st.cache_resource(max_entries=64, show_spinner=False)
    def make(name: str, size: int) -> str:
        room.take((make, (name, size)), size)
        made.append(name)
        return name

    for name, size in (("a", 4), ("b", 4), ("a", 4), ("c", 2), ("d", 3), ("b", 4), ("c", 2), ("d", 3), ("a", 4)):
        assert make(name, size) == name
    assert made == ["a", "b", "c", "d", "a"]  # "d" had "a" forgotten, and nothing else was made again
    assert make("e", 100) == make("e", 100)
    assert made[5:] == ["e"]  # larger than the room, and still kept while nothing comes
    make("c", 2)
    make("e", 100)
    assert made[6:] == ["c", "e"]
