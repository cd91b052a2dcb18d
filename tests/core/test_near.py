"""Suggestions of the name that a user may have meant."""

import pytest

from core.near import did_you_mean


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("drag-sst5", "Did you mean dragg-sst5?"),
        ("WORLD", "Did you mean World?"),
        ("x", "There are: dragg-sst5, World."),
    ],
)
def test_the_nearest_name_is_suggested_or_all_names_are_listed(name, sentence):
    assert did_you_mean(name, ["dragg-sst5", "World"]) == sentence


def test_without_names_none_is_listed():
    assert did_you_mean("x", []) == "There are: none."
