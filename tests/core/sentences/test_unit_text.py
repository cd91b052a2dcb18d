"""Sentences on a unit in one text, each by hand."""

import numpy as np
import pytest

from core.sentences.unit_text import say_activation, say_shares, say_without

TENTHS = np.linspace(0, 1, 11)


def test_the_words_of_which_most_is_taken_are_named_with_shares():
    says = say_shares(["it", "is", "never", "dull"], np.array([0, 0.1, 0.6, 0.3]))
    assert says == (
        "Of all that it takes in this text, most comes from “never” (60%), “dull” (30%) and “is” (10%); an equal part "
        "would be 25%."
    )
    assert "“never” (100%); an" in say_shares(["it", "never"], np.array([0, 1.0]))
    assert say_shares(["it"], np.zeros(1)) == "It takes nothing from this text."


@pytest.mark.parametrize(
    ("activation", "says"),
    [
        (0.85, "stronger than in 80% to 90% of the 2,000 texts that were measured (0.85)."),
        (0.05, "in the weakest tenth of the 2,000 texts that were measured (0.05)."),
        (0.95, "in the strongest tenth of the 2,000 texts that were measured (0.95)."),
        (1.5, "stronger than in any of the 2,000 texts that were measured (1.50)."),
        (-1, "in the weakest tenth of the 2,000 texts that were measured (-1.00)."),
    ],
)
def test_an_activation_is_placed_among_the_tenths(activation, says):
    assert say_activation(activation, TENTHS, 2000, "texts") == f"Its activation is {says}"


def test_an_activation_of_many_texts_is_the_same_as_theirs():
    quantiles = np.array([0, 0, 0, 0, *np.linspace(0.1, 0.7, 7)])
    says = say_activation(0, quantiles, 100, "texts")
    assert says == "Its activation is the same as in at least 30% of the 100 texts that were measured (0.00)."


@pytest.mark.parametrize(
    ("without", "says"),
    [
        ([0.7, 0.3], "Without it, the answer is “bad” (70.0%), not “good”."),
        ([0.4, 0.6], "Without it, the answer “good” goes from 80.0% to 60.0%."),
        ([0.2, 0.8], "Without it, the answer is the same: “good” (80.0%)."),
    ],
)
def test_the_answer_without_a_unit_is_said(without, says):
    assert say_without(np.array([0.2, 0.8]), np.array(without), ["bad", "good"]) == says
