"""Suggestions of words to try in place of a word."""

import numpy as np
import pytest

from core import zoo
from core.networks.suggest import MIN_LEAN, lean, suggest
from tests.conftest import save_tiny


@pytest.fixture(scope="module")
def sentiment():
    return zoo.load("dragg-sst5", "cpu")


def test_the_nearest_words_are_those_with_the_largest_cosines(sentiment):
    words, vectors = sentiment.reader.vocabulary.words, sentiment.model.embedding.weight.detach().double().numpy()
    own = vectors[words.index("superb")]
    cosines = vectors @ own / np.linalg.norm(vectors, axis=1) / np.linalg.norm(own)
    by_hand = [words[k] for k in np.argsort(-cosines) if words[k] != "superb"][:8]
    assert suggest(sentiment, "Superb").nearest == by_hand


def test_opposites_lean_the_other_way(sentiment):
    opposites = suggest(sentiment, "superb", ordered=True).opposites
    assert "terrible" in opposites
    assert lean(sentiment, ["superb"])[0] > MIN_LEAN
    assert (lean(sentiment, opposites) < -MIN_LEAN).all()


def test_a_word_that_leans_to_neither_end_has_no_opposites(sentiment):
    assert abs(lean(sentiment, ["the"])[0]) < MIN_LEAN
    assert suggest(sentiment, "the", ordered=True).opposites == []
    assert suggest(sentiment, "superb", ordered=False).opposites == []


@pytest.mark.parametrize("kind", ["cccaps", "agt", "drnn", "em-sst", "dragg-documents"])
@pytest.mark.parametrize("word", ["film", "zyzzyva", "👩", "x" * 500])
def test_every_text_network_has_suggestions_for_any_word(kind, word, tmp_path):
    checkpoint = zoo.load_folder(save_tiny(tmp_path, kind), "cpu")
    words = suggest(checkpoint, word, n=3, ordered=True)
    assert 0 < len(words.nearest) <= 3
    assert word not in words.nearest


def test_a_picture_network_is_refused(tmp_path):
    with pytest.raises(ValueError, match="does not read text"):
        suggest(zoo.load_folder(save_tiny(tmp_path, "em-smallnorb"), "cpu"), "film")
