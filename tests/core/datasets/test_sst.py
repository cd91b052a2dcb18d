"""Trees and splits of the Stanford Sentiment Treebank."""

import hashlib

import pytest

from core.datasets import sst


def test_a_tree_by_hand():
    phrases = sst.parse("(3 (2 It) (4 (2 's) (4 good)))")
    assert phrases == [
        (("It",), 2),
        (("'s",), 2),
        (("good",), 4),
        (("'s", "good"), 4),
        (("It", "'s", "good"), 3),
    ]


def test_brackets_and_slashes_are_read_as_they_are_typed():
    assert sst.parse("(2 (2 -LRB-) (2 and\\/or))")[-1] == (("-LRB-", "and/or"), 2)


@pytest.mark.parametrize("line", ["", "(3 good", "3 good)", "(7 good)", "(12 good)", "(3 good) (2 film)", "()"])
def test_lines_that_are_no_trees_are_refused(line):
    with pytest.raises(ValueError, match=r".+"):
        sst.parse(line)


def test_splits_have_sentences_and_phrases(trees):
    full = sst.sentences(trees, "train")
    assert full.words[0] == ["A", "good", "film"]
    assert full.labels == [3, 1, 2, 4]
    binary = sst.sentences(trees, "train", 2)
    assert binary.labels == [1, 0, 1]
    phrases = sst.phrases(trees, "train")
    assert len(phrases) == len({(tuple(w), c) for w, c in zip(phrases.words, phrases.labels, strict=True)})


def test_errors_name_the_file_and_line(trees):
    (trees / "trees" / "dev.txt").write_text("(3 good)\n(3 bad\n")
    with pytest.raises(ValueError, match=r"dev\.txt, line 2"):
        sst.sentences(trees, "dev")
    with pytest.raises(ValueError, match="holds no trees/"):
        sst.sentences(trees / "trees" / "none", "dev")
    with pytest.raises(ValueError, match="split is 'all'"):
        sst.sentences(trees, "all")
    with pytest.raises(ValueError, match="n_classes is 3"):
        sst.sentences(trees, "dev", 3)


@pytest.mark.parametrize(("split", "five", "two"), [("train", 8544, 6920), ("dev", 1101, 872), ("test", 2210, 1821)])
def test_the_real_treebank_has_its_official_size(treebank, split, five, two):
    assert len(sst.sentences(treebank, split, 5)) == five
    assert len(sst.sentences(treebank, split, 2)) == two
    content = (treebank / "trees" / f"{split}.txt").read_bytes()
    assert hashlib.sha256(content).hexdigest() == sst.FILES[f"trees/{split}.txt"].sha256


def test_words_with_sentiment_are_in_the_smallest_phrases_with_it(trees):
    expected = [[False, True, False], [False, False, True, False], [False, False], [False, True, True]]
    assert sst.sentiment_words(trees, "test") == expected
    two = sst.sentiment_words(trees, "test", 2)
    assert two == [expected[0], expected[1], expected[3]]
    assert [len(words) for words in two] == [len(words) for words in sst.sentences(trees, "test", 2).words]


def test_a_phrase_may_have_sentiment_that_its_words_lack(tmp_path):
    (tmp_path / "test.txt").write_text("(1 (2 a) (1 (2 (2 long) (2 ,)) (2 film)))\n")
    assert sst.sentiment_words(tmp_path, "test") == [[False, True, True, True]]


def test_some_words_of_the_real_treebank_have_sentiment(treebank):
    marked = sst.sentiment_words(treebank, "test")
    assert [len(words) for words in marked] == [len(words) for words in sst.sentences(treebank, "test").words]
    assert 0.2 < sum(sum(words) / len(words) for words in marked) / len(marked) < 0.4


def test_constituents_are_the_spans_of_a_tree(trees):
    (trees / "trees" / "dev.txt").write_text("(3 (2 It) (4 (2 's) (4 good)))\n(2 (2 A) (2 film))\n")
    assert sst.constituents(trees, "dev") == [{(0, 1), (1, 2), (2, 3), (1, 3), (0, 3)}, {(0, 1), (1, 2), (0, 2)}]
    assert len(sst.constituents(trees, "dev", 2)) == len(sst.sentences(trees, "dev", 2)) == 1
