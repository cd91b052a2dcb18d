"""Sentences on matched units, each by hand."""

import numpy as np

from core.analysis.unit_match import Matches
from core.sentences.unit_match import say_match, say_matches, say_opposite, say_stabilities, say_stability

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


STABILITY = {  # two trainings, three units
    "seeds": np.array([1, 2]),
    "partner": np.array([[3, 1, 0], [2, 3, 1]]),
    "correlation": np.array([[0.9, 0.6, np.nan], [0.8, 0.7, 0.05]]),
    "others": np.array([[0.2, 0.55, np.nan], [0.3, 0.65, 0.01]]),
    "by_chance": np.array([[0.1, 0.1, np.nan], [0.1, 0.1, 0.1]]),
}


def test_a_unit_comes_back_or_it_does_not():
    assert say_stability(STABILITY, 0, "capsule") == (
        "It comes back in 2 of 2 other trainings. What it takes has correlation 0.90 with capsule 3 "
        "of seed 1 (0.20 with the others) and 0.80 with capsule 2 of seed 2 (0.30 with the others)."
    )
    assert say_stability(STABILITY, 1, "capsule").startswith("It comes back in none of 2 other trainings")
    assert say_stability(STABILITY, 2, "part") == (
        "It comes back in none of 2 other trainings. What it takes has correlation 0.05 with part 1 "
        "of seed 2 (0.01 with the others)."
    )


def test_units_that_come_back_are_counted():
    assert say_stabilities(STABILITY, "part") == (
        "Of the 3 parts that are measured, 1 comes back in both other trainings and 2 in none."
    )


def test_a_difference_near_the_limit_has_three_digits():
    near = STABILITY | {"correlation": np.full((2, 3), 0.618), "others": np.full((2, 3), 0.521)}
    assert "none of 2 other trainings" in say_stability(near, 0, "capsule")
    assert "0.618 with capsule 3 of seed 1 (0.521 with the others)" in say_stability(near, 0, "capsule")


def test_opposite_effects_are_said():
    first = np.array([[0.02, -0.01, 0.01], [0.01, -0.02, -0.01], [0.03, -0.005, 0.02]])
    second = np.array([[0.02, 0.023, -0.01], [0.01, 0.01, -0.02], [0.03, 0.03, 0.0]])
    assert say_opposite([first, second], ("a", "b", "c"), "capsule") == (
        "But these capsules move “b” (-1.0 and +2.3 points) in opposite directions: to take the same words is not to "
        "do the same."
    )
    assert say_opposite([first, first], ("a", "b", "c"), "capsule") == ""


def test_one_other_training_is_not_counted():
    first = {key: values[:1] for key, values in STABILITY.items()}
    assert say_stabilities(first, "part") == (
        "Of the 3 parts that are measured, 1 comes back in another training and 2 in none."
    )
    assert say_stability(first, 0, "capsule").startswith("It comes back in another training. What")
    assert say_stability(first, 2, "part") == "It does not come back in another training."
