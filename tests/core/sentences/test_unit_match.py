"""Sentences on matched units, each by hand."""

import numpy as np

from core.analysis.unit_match import Matches
from core.sentences.unit_match import say_match, say_matches

MATCHES = Matches(
    np.arange(3), np.array([2, 0, 1]), np.array([0.9, 0.8, 0.1]), np.array([0.2, 0.75, 0]), np.full(3, 0.15), 862
)


def test_a_match_is_said_against_chance_and_other_units():
    assert say_match(MATCHES, 0, "capsule 1", "capsule 3") == (
        "Capsule 1 is matched with capsule 3: what they take has correlation 0.90; with shuffled words 95% of the "
        "matches stay below 0.15. With the other units there it has 0.20 on average."
    )
    assert say_match(MATCHES, 1, "a", "b").endswith(
        "But the other units there are nearly as like it (0.75 on average)."
    )
    assert say_match(MATCHES, 2, "a", "b").endswith(
        "correlation 0.10, no better than chance (0.15). No unit that was left there is like it."
    )


def test_all_matches_are_counted():
    assert say_matches(MATCHES, "capsule") == (
        "2 of 3 matched capsules are more alike than by chance; their mean correlation is 0.60, over 862 words."
    )
