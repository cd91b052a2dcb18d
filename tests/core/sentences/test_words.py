"""Punctuation, and quotes from texts."""

import pytest

from core.sentences.words import is_punctuation, quote


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
