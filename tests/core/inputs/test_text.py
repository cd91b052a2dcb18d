"""Words, sentences and vocabularies of a text."""

from itertools import pairwise

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.datasets import sst
from core.inputs.minilm import word_vectors
from core.inputs.text import Vocabulary, beginning, normalize, replace_breaks, sentences, tokenize


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I don't think it's bad.", "I do n't think it 's bad ."),
        ("They CAN'T, we’ve", "They CA N'T , we ’ve"),
        ("a well-made, 90-minute film", "a well-made , 90-minute film"),
        ("Mr. Spielberg's U.S. debut...", "Mr. Spielberg 's U.S. debut ..."),
        ("(really) 2,000 “wow”!", "( really ) 2,000 “ wow ” !"),
        ("Amélie — c’est", "Amélie — c’est"),
        ("<b>bold</b>", "< b > bold < / b >"),
        ("مرحبا بالعالم", "مرحبا بالعالم"),
        ("so 👩‍👩‍👧 good", "so 👩‍👩‍👧 good"),
        ("bell\x07 and\x00nul", "bell and nul"),
        (" \t\n\u200b", ""),
    ],
)
def test_words_are_cut_as_in_the_treebank(text, words):
    assert [w.text for w in tokenize(text)] == words.split()


@given(st.text(max_size=200))
def test_spans_give_back_the_text_as_typed(text):
    words = list(tokenize(text))
    assert all(text[w.start : w.end] == w.text for w in words)
    assert all(first.end <= second.start for first, second in pairwise(words))


@pytest.mark.parametrize(("typed", "looked_up"), [("FILM", "film"), ("(", "-lrb-"), ("“", "``"), ("N’T", "n't")])
def test_words_are_normalized(typed, looked_up):
    assert normalize(typed) == looked_up


def test_words_agree_with_the_treebank_on_its_sentences(treebank):
    sentences = sst.sentences(treebank, "dev").words
    same = 0
    for words in sentences:
        typed = " ".join(words).replace(" n't", "n't").replace(" 's", "'s").replace(" ,", ",").replace(" .", ".")
        same += [normalize(w.text) for w in tokenize(typed)] == list(map(normalize, words))
    assert same / len(sentences) > 0.9


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("It is bad. Why? I left!", ["It is bad .", "Why ?", "I left !"]),
        ("Dr. Smith cost $5.50, e.g. too much.", ["Dr. Smith cost $ 5.50 , e.g. too much ."]),
        ("no point here<br /><BR/>Mr. Lee stayed <br>on", ["no point here", "Mr. Lee stayed", "on"]),
        ("so 👩‍👩‍👧 good. \ud800 Then é", ["so 👩‍👩‍👧 good .", "Then é"]),
        (" \n ", []),
        ("a " * 450, ["a " * 199 + "a", "a " * 199 + "a", "a " * 49 + "a"]),
    ],
)
def test_sentences_end_where_people_end_them(text, cut):
    assert [" ".join(word.text for word in words) for words in sentences(text)] == cut


@pytest.mark.parametrize("text", ["a b c", "it's a film<br />and do n't", "Dr. A. B. went. He left."])
def test_the_beginning_of_a_text_has_its_first_words(text):
    words = list(tokenize(replace_breaks(text)))
    for n in range(1, len(words) + 1):
        read = beginning(text, n)
        assert len(read) == words[n - 1].end
        assert list(tokenize(replace_breaks(read)))[: n - 1] == words[: n - 1]
    assert beginning(text, len(words) + 1) == text


@given(st.text(st.characters(codec=None), max_size=120))
def test_sentences_contain_every_word_where_it_was_typed(text):
    split = list(sentences(text))
    assert [word for words in split for word in words] == list(tokenize(replace_breaks(text)))
    assert all(split)
    assert len(replace_breaks(text)) == len(text)


def test_unknown_words_get_ids_behind_the_vocabulary():
    ids, unknown = Vocabulary(["a", "film"]).ids_of(["a", "zyx", "film", "qqq", "zyx"])
    assert ids == [0, 2, 1, 3, 2]
    assert unknown == ["zyx", "qqq"]


def test_a_vocabulary_survives_its_file():
    words = ["a", "\u2028", "naïve", "x\u0085y"]
    assert Vocabulary.from_bytes(Vocabulary(words).to_bytes()).words == words


def test_a_vocabulary_contains_each_word_once():
    with pytest.raises(ValueError, match="twice"):
        Vocabulary(["a", "a"])


def test_word_vectors_are_means_of_word_pieces():
    un, known, unknown = word_vectors(["un", "known", "unknown"])
    assert un.shape == known.shape == unknown.shape == (384,)
    # "filmish" is cut into film + ##ish, so that its vector is near the vector of "film".
    film, filmish, galaxy = word_vectors(["film", "filmish", "galaxy"])
    near = torch.nn.functional.cosine_similarity
    assert near(film, filmish, dim=0) > near(galaxy, filmish, dim=0)


def test_every_word_has_a_vector():
    vectors = word_vectors(["👩‍👩‍👧", "مرحبا", "x" * 10_000, "\u0001", ""])
    assert vectors.shape == (5, 384)
    assert vectors.isfinite().all()
    assert word_vectors([]).shape == (0, 384)
