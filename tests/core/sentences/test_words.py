"""Punctuation, and quotes from texts."""

import numpy as np
import pytest

from core.sentences.words import Phrasing, beginning, is_punctuation, quote, quote_ends, together


@pytest.mark.parametrize("mark", [".", "“.”", ",", "...", "``", "“…”", "!?", "<", "—"])
def test_marks_are_punctuation(mark):
    assert is_punctuation(mark)


@pytest.mark.parametrize("word", ["“superb”", "n't", "2,000", "🎬", "$", "好", "it's"])
def test_words_are_not_punctuation(word):
    assert not is_punctuation(word)


def test_quotes_join_lines_and_cut_long_texts_after_a_word():
    assert quote("a\nb") == "“a b”"
    assert quote("A prize of one million dollars waits for whoever settles it.") == (
        "“A prize of one million dollars waits…”"
    )
    assert quote("one two three", 7) == quote("one two, three", 7) == "“one…”"
    assert quote("x" * 50) == "“" + "x" * 39 + "…”"


def test_a_long_passage_keeps_its_ends_and_no_word_is_cut():
    passage = "of one million dollars waits for whoever settles one of the unsolved mysteries of mathematics"
    assert quote_ends(passage) == "“of one million … of mathematics”"
    assert quote_ends("a\nb") == "“a b”"
    assert quote_ends("x" * 50) == quote("x" * 50)
    assert quote_ends("x" * 50 + " y") == "“" + "x" * 20 + "… … y”"


def test_quotes_have_no_blanks_before_punctuation():
    assert quote("a film , and nobody did n't ( really ) care .") == "“a film, and nobody didn't (really) care.”"
    assert Phrasing(["a", "film", ",", "it", "'s", "."]).quote(0, 6) == "“a film, it's.”"


def test_phrases_run_over_punctuation_and_do_not_end_with_it():
    phrasing = Phrasing(["superb", ",", "but", "never", "."])
    chosen = np.array([True, False, True, False, True])
    assert phrasing.phrases(chosen) == [(0, 3)]
    assert phrasing.phrase_at(2, chosen) == (0, 3)
    assert phrasing.phrase_at(3, chosen) == (3, 4)
    assert Phrasing(["!", "?"]).phrases(np.array([True, True])) == [(0, 2)]  # there is nothing else


def test_numbered_names_are_joined_after_their_noun():
    assert together(["capsule 1", "capsule 2", "capsule 5"]) == "capsules 1, 2 and 5"
    assert together(["very negative", "very positive"]) == "very negative and very positive"
    assert together(["capsule 1"]) == "capsule 1"


def test_a_text_is_known_by_its_first_words():
    assert (
        beginning("The acting is superb, but the plot never earns its two long hours.") == "The acting is superb, but…"
    )
    assert beginning("“Quoted”") == "Quoted"
