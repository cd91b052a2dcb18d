"""Sentences on the differences between two runs."""

import numpy as np

from core.sentences.differences import describe_changes, describe_settings


def test_settings_that_differ_are_named():
    same = {"checkpoint": ("a", "a"), "text": ("x", "x"), "edits": ((), ())}
    assert describe_settings(same) == "A and B have the same settings."
    assert describe_settings(same | {"text": ("x", "y")}) == "A and B differ in the text."
    different = {"checkpoint": ("a", "b"), "text": ("x", "y"), "edits": ((), ("drop:1",))}
    assert describe_settings(different) == "A and B differ in the checkpoint, the text and the edits."


def test_the_largest_change_is_named_at_every_step():
    first = np.array([[[0.5, 0.5], [0.5, 0.5]], [[0.9, 0.1], [0.2, 0.8]]])
    second = np.array([[[0.5, 0.5], [0.5, 0.5]], [[0.1, 0.9], [np.nan, np.nan]]])
    sentences = describe_changes(first, second, ["good", "film"], ["capsule 1", "capsule 2"], "c")
    assert sentences == [
        "The pictures are the same.",
        "“good” in capsule 1 differs most: c 0.90 in A, 0.10 in B; one other at least half as much.",
    ]
    counts = describe_changes(first[1:] * 10, first[1:] * 0, ["good", "film"], ["row 1", "row 2"], "won")
    assert counts[0].startswith("“good” in row 1 differs most: won 9 in A, 0 in B")
