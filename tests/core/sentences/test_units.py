"""Sentences on units, each by hand."""

import numpy as np
import pytest

from core.sentences import unit_finder, units

CLASSES = ("bad", "good")


def kept(**changed):
    """Two capsules, 1 and 3: the first takes "not" and has a name, the second takes "film" and moves no class."""
    arrays = {
        "numbers": [1, 3],
        "words": ["film", "not"],
        "counts": [1200, 7],
        "lift": [[0.5, 3], [1.5, 1]],
        "effect": [[0.1, -0.2], [0, 0]],
        "effect_low": [[0.05, -0.3], [-0.01, -0.01]],
        "effect_high": [[0.15, -0.1], [0.01, 0.01]],
        "matters": [0.2, 0],
        "flips": [0.125, 0],
        "idle": [0.25, 0.4],
        "between": [0.15, 0.7],
        "overlap": [[1, -0.5], [-0.5, 1]],
        "names": ["negations", ""],
        "rules": ["negations", "short texts"],
        "aims": ["takes", "active"],
        "alike": ["", ""],
        "accuracy": [0.9, 0.75],
        "base": [0.8, 0.75],
        "low": [0.05, -0.01],
        "high": [0.15, 0.01],
    }
    return {name: np.array(value) for name, value in (arrays | changed).items()}


BETTER = {"low": [0.05, 0.01]}  # the second unit's rule beats the usual answer


def test_a_unit_with_a_name_means_it_and_another_has_no_rule():
    assert units.meaning(kept(), 0, "capsule") == "negations"
    assert [units.label(kept(), u, "capsule") for u in (0, 1)] == ["capsule 1 · negations", "capsule 3"]
    assert units.meaning(kept(), 1, "capsule") == "no simple rule"


@pytest.mark.parametrize(
    ("alike", "others"),
    [("1", "capsule 1"), ("1 4 5", "capsules 1, 4 and 5"), ("1 4 5 6", "4 other capsules")],
)
def test_units_that_share_a_rule_are_named_or_counted(alike, others):
    shared = kept(alike=["", alike], **BETTER)
    assert units.meaning(shared, 1, "capsule") == f"no name of its own (short texts, like {others})"
    assert units.say_rule(shared, 1, "capsule") == (
        "It is active in short texts. This weak rule is right for 75.0% of the texts kept apart; always giving the "
        f"usual answer, for 75.0%. It also fits {others} best, so we do not name it by that."
    )


def test_the_sentence_on_a_name_has_its_accuracy():
    assert units.say_rule(kept(), 0, "capsule") == (
        "It takes negations. This rule is right for 90.0% of the words kept apart; always giving the usual answer, for "
        "80.0%."
    )


def test_a_rule_no_better_than_the_usual_answer_says_so():
    assert units.say_rule(kept(), 1, "capsule") == (
        "No simple rule says what it takes or when it is active. The best one, “short texts”, is right for 75.0% of "
        "the texts kept apart; always giving the usual answer, for 75.0%."
    )


def test_a_rule_that_fits_another_unit_better_is_no_name():
    sentence = units.say_rule(kept(**BETTER), 1, "capsule")
    assert sentence.endswith("The rule of another capsule fits better, so we do not name it by that.")
    assert units.meaning(kept(**BETTER), 1, "capsule") == "no simple rule"


@pytest.mark.parametrize(
    ("rule", "input", "begins"),
    [
        (
            "bad answers",
            "word",
            "It is active in texts that are answered “bad”. This weak rule is right",
        ),
        (
            "bad answers",
            "place",
            "It is active in pairs that are answered “bad”. This weak rule is right",
        ),
        ("praise", "word", "It is active in texts with praise. This weak rule"),
    ],
)
def test_a_rule_on_texts_is_said_in_words(rule, input, begins):
    assert units.say_rule(kept(rules=["", rule], **BETTER), 1, "part", input).startswith(begins)


def test_an_effect_is_said_in_points_with_the_answers_that_change():
    assert units.say_effect(kept(), 0, CLASSES, "capsule") == (
        "It takes 20.0 points from “good” and adds 10.0 points to “bad”. Without it, 12.5% of the answers change."
    )
    assert units.say_effect(kept(), 1, CLASSES, "part", "place") == (
        "On average this part moves no class by more than chance. Without it, 0.0% of the answers change."
    )


def test_a_unit_that_does_nothing_in_most_texts_has_no_name():
    idle = kept(idle=[0.75, 0.25])
    assert units.meaning(idle, 0, "capsule") == "does nothing in most cases"
    assert units.label(idle, 0, "capsule") == "capsule 1"
    assert units.say_rule(idle, 0, "capsule").endswith(
        "We do not name it by that, since the capsule does nothing in most texts."
    )
    assert units.say_effect(idle, 0, CLASSES, "capsule") == (
        "It does nothing in 75% of the texts; on average over all, it takes 20.0 points from “good” and adds 10.0 "
        "points to “bad”. Without it, 12.5% of the answers change."
    )


def test_a_unit_that_does_nothing_at_all_has_no_rule():
    idle = kept(idle=[1, 0.25], effect=[[1e-9, -1e-9], [0, 0]], flips=[0, 0])
    says = "It does nothing in any text, so no rule is given for what it takes or when it is active."
    assert units.say_rule(idle, 0, "capsule") == says
    assert units.say_effect(idle, 0, CLASSES, "capsule") == (
        "It does nothing in 100% of the texts. Without it, 0.0% of the answers change."
    )


def test_an_effect_that_would_be_printed_as_zero_is_not():
    small = kept(effect=[[0.0004, 0.1], [0.0004, 0]], effect_low=[[0.0003, 0.05], [0.0003, 0]])
    assert units.say_effect(small, 0, CLASSES, "capsule").startswith("It adds 10.0 points to “good”. Without")
    assert units.say_effect(small, 1, CLASSES, "capsule").startswith(
        "On average this capsule moves no class by 0.1 points."
    )


def test_two_effects_in_one_direction_have_one_verb():
    both = {"effect": [[0.1, 0.2], [0, 0]], "effect_high": [[0.15, 0.3], [0, 0]], "effect_low": [[0.05, 0.1], [0, 0]]}
    says = units.say_effect(kept(**both), 0, CLASSES, "capsule")
    assert says.startswith("It adds 20.0 points to “good” and 10.0 to “bad”. ")
    one = kept(effect_low=[[-0.1, -0.3], [0, 0]])
    assert units.say_effect(one, 0, CLASSES, "capsule").startswith("It takes 20.0 points from “good”. ")


@pytest.mark.parametrize(
    ("between", "says"),
    [
        (0.15, "15% of the variance lies between texts: it takes nearly the same from a word in every text."),
        (0.4, "40% of the variance lies between texts: what it takes depends on the word and on the text."),
        (0.7, "70% of the variance lies between texts: what it takes from a word depends mostly on the text."),
    ],
)
def test_how_static_a_unit_is(between, says):
    assert units.say_static(kept(between=[between, 0]), 0) == says


def test_the_nearest_unit_takes_the_most_similar_words():
    assert units.nearest(kept(), 0) == (1, -0.5)
    assert units.nearest({"overlap": np.ones((1, 1))}, 0) is None


@pytest.mark.parametrize(
    ("word", "answer"),
    [
        (
            " NOT ",
            (
                "“NOT”, which occurs 7 times, is taken most by capsules 1 (3.0 times an average word) and 3 (1.0 "
                "times).",
                0,
            ),
        ),
        ("xyzzy", ("“xyzzy” occurs fewer than 7 times in these texts, so nothing is known about it.", None)),
        ("not a film", ("Type a single word.", None)),
    ],
)
def test_the_finder_answers_on_a_word(word, answer):
    assert unit_finder.find_word(kept(), word, "capsule") == answer


def test_the_finder_counts_a_frequent_word_and_its_first_unit():
    sentence, u = unit_finder.find_word(kept(), "film", "capsule")
    assert sentence.startswith("“film”, which occurs 1,200 times, is taken most by capsules 3 (1.5")
    assert u == 1


def test_an_unknown_word_is_answered_with_words_that_begin_so():
    sentence, _ = unit_finder.find_word(kept(), "N", "capsule")
    assert sentence.endswith("so nothing is known about it. Known words that begin so: not.")


def test_a_browser_gets_the_first_units_of_each_word():
    assert unit_finder.as_lines(kept()) == "film\t1200\t3 1.5\t1 0.5\nnot\t7\t1 3.0\t3 1.0"
    assert unit_finder.as_lines(kept(words=np.array([], str), counts=np.array([], int), lift=np.zeros((2, 0)))) == ""


def test_the_finder_knows_places():
    of_places = kept(words=["place 1", "place 2"])
    sentence, u = unit_finder.find_word(of_places, "Place  2", "part", "place")
    assert "part" in sentence
    assert u == 0
    says = "There is no place “82”. The first one is “place 1”."
    assert unit_finder.find_word(of_places, "82", "part", "place") == (says, None)


def test_without_any_frequent_word_nothing_is_known():
    empty = kept(words=np.array([], str), counts=np.array([], int), lift=np.zeros((2, 0)))
    sentence, u = unit_finder.find_word(empty, "film", "capsule")
    assert sentence == "“film” occurs fewer than 5 times in these texts, so nothing is known about it."
    assert u is None


ANSWERS = {
    "matters most": (
        "Capsule 1 matters most: without it, the probability of the answer changes by 20.0 points on average.",
        0,
    ),
    "speaks most for “bad”": ("Capsule 1 speaks most for “bad”: it adds 10.0 points to it.", 0),
    "speaks most for “good”": ("No capsule adds to “good” by more than chance.", None),
    "is most static": ("Capsule 1 is most static: 15% of its variance lies between texts.", 0),
    "is most often idle": ("Capsule 3 is most often idle: in 40% of the texts it does nothing.", 1),
    "has the closest twin": (
        "Capsule 1 has the closest twin, capsule 3: what they take has correlation -0.50.",
        0,
    ),
}


@pytest.mark.parametrize("question", ANSWERS)
def test_the_finder_answers_each_question(question):
    assert unit_finder.answer(kept(), question, "capsule", CLASSES) == ANSWERS[question]


def test_the_finder_asks_these_questions_and_no_others():
    assert unit_finder.questions(CLASSES) == list(ANSWERS)
    with pytest.raises(KeyError):
        unit_finder.answer(kept(), "is best", "capsule", CLASSES)


def test_the_finder_says_when_no_unit_fits():
    assert unit_finder.answer(kept(idle=[0, 0]), "is most often idle", "part", CLASSES)[0] == "No part is ever idle."
    single = {"numbers": np.array([1]), "overlap": np.ones((1, 1))}
    twin = unit_finder.answer(single, "has the closest twin", "part", CLASSES)
    assert twin == ("There is only one part, so it has no twin.", None)
