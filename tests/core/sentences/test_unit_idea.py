"""Sentences on a user's rule for a unit, each by hand."""

import numpy as np
import pytest

from core.analysis.rules import RuleScore
from core.sentences.unit_idea import list_amounts, say_idea, say_matches, say_rule_of_program


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(0.01, 0.1, "better than"), (-0.1, -0.01, "worse than"), (-0.1, 0.1, "no better, beyond chance, than")],
)
def test_an_idea_is_judged_against_the_usual_answer(low, high, verdict):
    says = say_idea(RuleScore("^not$", 0.8, 0.75, low, high), 0.2, "capsule 3", 250, "program's 500 sentences")
    assert says == (
        "Your rule holds for 20% of the program's 500 sentences. It predicts when capsule 3 is active in 80.0% of the "
        f"250 of them that are kept apart: {verdict} always giving the usual answer (75.0%)."
    )


@pytest.mark.parametrize(("share", "which"), [(1, "all"), (0, "none")])
def test_an_idea_that_is_always_the_same_predicts_nothing(share, which):
    says = say_idea(RuleScore("a", 0.5, 0.5, 0, 0), share, "part 1", 250, "program's 500 sentences")
    assert says == f"Your rule holds for {which} of the program's 500 sentences, so it predicts nothing."


def test_the_programs_own_rule_goes_next_to_it():
    assert (
        say_rule_of_program("negations", 0.792)
        == "The program's rule, “negations”, is right for 79.2% of the same texts."
    )


def test_matching_words_weigh_as_often_as_they_occur():
    says = say_matches(["not", "no"], np.array([3.0, 1.0]), np.array([30, 10]), "two texts")
    assert says == "From the 2 frequent words that match, it takes 2.5 times an average word: not (3.0) and no (1.0)."
    says = say_matches([], np.zeros(0), np.zeros(0, int), "two texts")
    assert says == "No word that occurs often enough in two texts matches it."


def test_only_the_first_words_are_listed_with_amounts():
    assert list_amounts(list("abcdefg"), np.arange(7.0)[::-1]).endswith("and e (2.0)")
