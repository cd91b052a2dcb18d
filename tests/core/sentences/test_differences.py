"""Names of two runs, and sentences on their differences."""

import numpy as np
import pytest

from core.sentences.differences import (
    AT_SLIDER,
    describe_answers,
    describe_changes,
    describe_settings,
    name_runs,
    place_of,
)

LONG = "It is a film of two hours and a half that nobody will remember on the day after."


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({"text": ("It is never dull.", "It is dull.")}, ("with “never”", "without “never”")),
        ({"text": ("It is dull.", "It is never dull.")}, ("without “never”", "with “never”")),
        ({"text": ("A good film.", "A bad film.")}, ("“good”", "“bad”")),
        ({"text": ("A film, good.", "A film, bad.")}, ("“good”", "“bad”")),
        ({"text": ("It is dull, but never long.", "It is good, but long.")}, ("“dull … never”", "“good”")),
        ({"text": (LONG, "A short one.")}, ("“It is a film of two hours…”", "“A short one.”")),
        ({"text": (LONG, LONG + LONG)}, ("left", "right")),
        ({"text": ("A film.", "")}, ("with “A film”", "without “A film”")),
        ({"text": ("A film", "A film.")}, ("“A film”", "“A film.”")),
        ({"model": ("EM routing · news, 4 topics", "AGT · films")}, ("EM routing", "AGT")),
        ({"model": ("EM · news", "EM · films")}, ("EM · news", "EM · films")),
        ({"model": ("a", "a"), "text": ("b", "b"), "edits": ("", "drop:1")}, ("unedited", "edited")),
        ({"edits": ("drop:2", "drop:1")}, ("left", "right")),
        ({"iteration": ("at iteration 1", "at iteration 3")}, ("at iteration 1", "at iteration 3")),
        ({"edits": ("", "drop:1"), "iteration": (AT_SLIDER, "at iteration 1")}, ("unedited", "edited, at iteration 1")),
        ({"text": ("b", "b")}, ("left", "right")),
    ],
)
def test_runs_are_named_by_what_differs(settings, names):
    assert name_runs(settings) == names


def test_the_place_of_a_larger_number_is_named():
    places = {
        "with “x”": "with “x”",
        "“x”": "with “x”",
        "left": "on the left",
        "edited": "when edited",
        "edited, at iteration 1": "when edited, at iteration 1",
        "AGT": "in AGT",
    }
    assert {name: place_of(name) for name in places} == places


def test_settings_that_differ_are_named():
    same = {"model": ("a", "a"), "text": ("x", "x"), "edits": ((), ())}
    assert describe_settings(same) == "Both runs have the same settings."
    assert describe_settings(same | {"text": ("x", "y")}) == "Only the text differs."
    assert describe_settings(same | {"edits": ((), ("drop:1",))}) == "Only the edits differ."
    different = {"model": ("a", "b"), "text": ("x", "y"), "edits": ((), ("drop:1",))}
    assert describe_settings(different) == "The model, the text and the edits differ."


def test_answers_of_both_runs_are_said_at_every_step():
    first, second = np.array([[0.6, 0.4], [0.6, 0.4]]), np.array([[0.3, 0.7], [0.55, 0.45]])
    classes = (("bad", "good"), ("bad", "good"))
    assert describe_answers(("with “x”", "without “x”"), classes, (first, second), True) == [
        "With “x”: bad (60.0%); without “x”: good (70.0%).",
        "Both: bad (with “x” 60.0%, without “x” 55.0%).",
    ]
    assert describe_answers(("a", "b"), classes, (first, first), False) == ["Both: bad (length 0.60)."] * 2


def test_the_largest_change_is_named_at_every_step():
    first = np.array([[[0.5, 0.5], [0.5, 0.5]], [[0.9, 0.1], [0.2, 0.8]]])
    second = np.array([[[0.5, 0.5], [0.5, 0.5]], [[0.1, 0.9], [np.nan, np.nan]]])
    assert describe_changes(first, second, ["“good”", "“film”"], ["capsule 1", "capsule 2"]) == [
        "The pictures are the same.",
        "Largest change: “good” → capsule 1 is 0.90 on the left, 0.10 on the right.",
    ]
    counts = describe_changes(first[1:] * 10, first[1:] * 0, ["“good”", "“film”"], ["row 1", "row 2"])
    assert counts == ["Largest change: “good” → row 1 is 9 on the left, 0 on the right."]
