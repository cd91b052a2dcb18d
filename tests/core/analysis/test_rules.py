"""Rules for units, and their scores on texts kept apart."""

import numpy as np
import pytest

from core.analysis import rules
from core.analysis.rules import Rule, Text

TEXT = Text(["I", "don't", "like", "London", "films", "of", "1990", "."], "negative")
OF = {rule.name: rule for rule in rules.library(["negative", "positive"])}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("negations", ["don't"]),
        ("persons", ["I"]),
        ("function words", ["of"]),
        ("sentence ends", ["."]),
        ("punctuation", ["."]),
        ("first words", ["I"]),
        ("last words", ["."]),
        ("capitals", ["London"]),
        ("numbers", ["1990"]),
        ("praise", []),
        ("short texts", []),
    ],
)
def test_a_rule_holds_for_these_words(name, words):
    assert [word for word, holds in zip(TEXT.words, OF[name].on_words(TEXT), strict=True) if holds] == words


def test_a_rule_on_words_holds_for_a_text_with_such_a_word():
    assert OF["negations"].on_text(TEXT)
    assert not OF["praise"].on_text(TEXT)


def test_rules_on_texts_read_the_length_and_the_answer():
    assert OF["short texts"].on_text(TEXT)
    assert not OF["long texts"].on_text(TEXT)
    assert OF["negative answers"].on_text(TEXT)
    assert not OF["positive answers"].on_text(TEXT)


def test_a_pattern_is_a_rule_and_a_wrong_one_is_refused():
    rule = rules.matching("^lon")
    assert rule.on_words(TEXT).tolist() == [False] * 3 + [True] + [False] * 4
    with pytest.raises(ValueError, match="not valid"):
        rules.matching("(")


def test_a_pattern_that_would_never_end_is_refused():
    for pattern in (
        "(?R)?a",
        "(?P<n>a|(?&n)a)*b",
        "(a(?1))",
        "(a(?-1))",
        "(?P<n>a(?P>n))",
    ):  # these take a GB
        with pytest.raises(ValueError, match="calls itself"):
            rules.matching(pattern)
    slow = rules.matching("(a|aa)+$", seconds=0.05)
    with pytest.raises(ValueError, match="takes too long"):
        slow.on_words(Text(["a" * 60 + "b"], ""))


def drawn(n=400):
    """Items in texts of two, and three yes-or-no series: random, its copy with errors, and never."""
    random = np.random.default_rng(0)
    truth = random.random(n) < 0.5
    return np.arange(n) // 2, truth, truth ^ (random.random(n) < 0.1), np.zeros(n, bool)


def test_a_rule_that_predicts_a_unit_names_it():
    groups, truth, near, never = drawn()
    (name,) = rules.name_units(["near", "never"], np.stack([near, never]), truth[None], groups)
    held_out = groups % 2 == 1
    assert name.is_name
    assert name.score.rule == "near"
    assert name.score.accuracy == (near == truth)[held_out].mean()
    assert name.score.low > 0


def test_a_rule_no_better_than_the_usual_answer_names_nothing():
    groups, truth, _, never = drawn()
    rare = truth & (np.arange(len(truth)) % 8 == 0)
    (name,) = rules.name_units(["never"], never[None], rare[None], groups)
    assert not name.is_name
    assert name.score.accuracy == name.score.base


def test_units_with_the_same_rule_are_alike_and_have_no_name():
    groups, truth, near, never = drawn()
    first, second, other = rules.name_units(
        ["near", "never"], np.stack([near, never]), np.stack([truth, near, never]), groups
    )
    assert (first.alike, second.alike, other.alike) == ((1,), (0,), ())
    assert not first.is_name
    assert not second.is_name


def test_a_rule_of_another_unit_that_fits_better_takes_the_name():
    groups, truth, near, _ = drawn()
    late = groups % 2 == 1
    only_early = np.where(late, ~truth, truth)  # fits only where rules are chosen
    names = rules.name_units(["early", "near"], np.stack([only_early, near]), np.stack([truth, near]), groups)
    assert names[0].score.rule == "early"
    assert not names[0].is_name
    assert names[1].is_name


def test_a_list_with_nt_matches_contractions():
    rule = rules.among("negations", frozenset(["n't"]))
    assert rule.on_words(Text(["can't", "cant"], "")).tolist() == [True, False]


def test_a_rule_on_texts_holds_for_no_word():
    assert not Rule("all", of_text=lambda text: True).on_words(TEXT).any()
