"""Names in edits, and edits in words."""

import pytest

from core.edits import EDITS, describe
from core.sentences.naming import (
    FORMS,
    Naming,
    NearlyNamedError,
    Sides,
    UnknownNameError,
    forms_in_lines,
    names_of,
    number_of,
)
from core.stored import BY_KIND

WORDS = ["The", "acting", "is", "superb", ",", "but", "the", "plot", "is", "not", "7", "."]
THINGS = {
    "word": WORDS,
    "class": ["no", "yes"],
    "capsule": ["capsule 1", "capsule 2"],
    "sentence": ["sentence 1", "sentence 2"],
}
TWO_ROUTINGS = Naming({"": Sides("word", "capsule"), "1": Sides("part", "class", "parts to classes")})
PIECES = Naming({"": Sides("piece of text", "part"), "1": Sides("part", "class")}, dropped="word")
DOCUMENT = Naming({"": Sides("sentence", "capsule"), "0": Sides("word", "capsule")})


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ("drop:3", "without “superb”"),
        ("replace:3=dull", "“superb” → “dull”"),
        ("replace:3=a@1=b", "“superb” → “a@1=b”"),
        ("replace:3=", "“superb” deleted"),
        ("replace:99=", "word 100 deleted"),
        ("couple:3,1=0.5", "share of “superb” for capsule 2: 0.5"),
        ("couple:99,9=0", "share of word 100 for capsule 10: 0"),
        ("couple:1,0=0@1", "share of part 2 for class “no”: 0"),
        ("capsule:0", "without capsule 1"),
        ("capsule:1@1", "without class “yes”"),
        ("couplings:shuffled,3", "shares shuffled among the inputs"),
        ("couplings:uniform@1", "equal shares, parts to classes"),
        ("freeze:2", "shares kept from iteration 2 on"),
        ("gate:4=0.5", "gate of layer 5: 0.5"),
        ("attention:4", "layer 5 attends to nothing"),
        ("pose:4,0,1=-2", "part 5, row 1, column 2: -2.00"),
        ("drop:1@1", "without part 2"),
        ("drop:99", "without word 100"),
        ("nonsense", "nonsense"),
        ("gate:", "gate:"),
        ("drop:" + 4400 * "1", "drop:" + 4400 * "1"),
        ("couplings:", "couplings:"),
        ("freeze:x", "freeze:x"),
        ("sharpness:", "sharpness:"),
        ("couple:x,0,0=1", "couple:x,0,0=1"),
        ("replace:1", "replace:1"),
        ("capsule:99@1", "without class 100"),
        ("drop:x", "drop:x"),
        ("<script>:1", "<script>:1"),
    ],
)
def test_edits_are_described_in_words(form, words):
    assert describe(form, TWO_ROUTINGS, THINGS) == words


def test_dropping_may_refer_to_words_or_to_their_pieces():
    forms = ("drop:1", "drop:99", "drop:1@0")
    assert [describe(form, PIECES, THINGS) for form in forms] == [
        "without “acting”",
        "without word 100",
        "without piece of text 2",
    ]


def test_every_word_has_a_unique_name_that_is_not_a_number():
    names = names_of(WORDS)
    assert names == ["The", "acting", "is#1", "superb", ",", "but", "the", "plot", "is#2", "not", "7#1", "."]
    assert [number_of(name, "word", THINGS) for name in names] == list(range(len(WORDS)))


@pytest.mark.parametrize(
    ("name", "unit", "number"),
    [
        ("7", "word", 7),
        ("word 7", "word", 6),
        ("capsule 2", "capsule", 1),
        ("yes", "class", 1),
        ("class 2", "class", 1),
        ("place 12", "place", 11),
    ],
)
def test_bare_numbers_count_from_0_and_named_ones_from_1(name, unit, number):
    assert number_of(name, unit, THINGS) == number


@pytest.mark.parametrize(
    ("name", "unit", "sentence"),
    [
        ("is", "word", "'is' is word 3 and word 9: write is#1 for the first, is#2 for the second."),
        ("is#3", "word", "There is no is#3, but is#1 to is#2."),
        ("plot#2", "word", "There is no plot#2, only one plot."),
        ("Capsule 1", "capsule", "There is no capsule 'Capsule 1'. Did you mean capsule 1?"),
        ("suberb", "word", "There is no word 'suberb'. Did you mean superb?"),
        ("Yes", "class", "There is no class 'Yes'. Did you mean yes?"),
        ("capsule 3", "capsule", "There is no capsule 3, but capsule 1 to capsule 2."),
        ("capsule 0", "capsule", "There is no capsule 0, but capsule 1 to capsule 2."),
    ],
)
def test_a_nearly_right_name_is_answered_with_the_right_one(name, unit, sentence):
    with pytest.raises(NearlyNamedError) as error:
        number_of(name, unit, THINGS)
    assert str(error.value) == sentence


def test_only_a_few_words_of_the_same_spelling_are_listed():
    with pytest.raises(NearlyNamedError, match=r"'a' is word 1 and word 2 and .* and word 5 and more: write a#1 for"):
        number_of("a", "word", {"word": ["a"] * 9})


@pytest.mark.parametrize(
    ("name", "unit", "sentence"),
    [
        ("dreadful", "word", "There is no word 'dreadful' here."),
        ("rover", "capsule", "There is no capsule 'rover' here: name capsule 1 to capsule 2."),
        ("rover", "place", "There is no place 'rover' here: name one by its number, as in place 1."),
        ("capsule " + "1" * 5000, "capsule", f"There is no capsule 'capsule {'1' * 51}…' here: name capsule 1 to "),
    ],
)
def test_an_unknown_name_is_refused_with_the_known_names(name, unit, sentence):
    with pytest.raises(UnknownNameError) as error:
        number_of(name, unit, THINGS)
    assert str(error.value).startswith(sentence)


def test_a_name_decides_which_routing_is_edited():
    numbers = {"I": "superb", "J": "capsule 2"}
    assert DOCUMENT.find_indices("couple", numbers, "", THINGS) == ({"I": 3, "J": 1}, "0")
    assert DOCUMENT.find_indices("drop", {"I": "sentence 2"}, "", THINGS) == ({"I": 1}, "")
    assert PIECES.find_indices("drop", {"I": "superb"}, "", THINGS) == ({"I": 3}, "")
    assert PIECES.find_indices("capsule", {"J": "yes"}, "", THINGS) == ({"J": 1}, "1")
    with pytest.raises(ValueError, match="There is no sentence 'superb'"):
        DOCUMENT.find_indices("drop", {"I": "superb"}, "1", THINGS)
    with pytest.raises(NearlyNamedError, match=r"There is no class 'yess'\. Did you mean yes"):
        PIECES.find_indices("capsule", {"J": "yess"}, "", THINGS)


def test_the_help_lists_every_edit_once():
    assert [form.partition(":")[0] for form in FORMS] == [kind.name() for kind in EDITS]
    assert len(list(forms_in_lines())) == len(EDITS)


@pytest.mark.parametrize("kind", BY_KIND)
def test_every_network_has_examples_of_named_edits(kind):
    assert BY_KIND[kind].naming.examples
