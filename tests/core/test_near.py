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
def test_what_is_near_is_named_and_everything_where_nothing_is(name, sentence):
    assert did_you_mean(name, ["dragg-sst5", "World"]) == sentence


def test_nothing_is_near_nothing():
    assert did_you_mean("x", []) == "There are: none."
