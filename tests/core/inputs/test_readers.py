"""Readers: tokens of words and word pieces, and pictures as tensors."""

from itertools import pairwise

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.inputs.readers import ImageReader, TransformerReader
from core.inputs.text import align, tokenize

piece_spans = st.lists(st.integers(0, 14), min_size=2, max_size=12).map(
    lambda cuts: tuple((a, b) for a, b in pairwise(sorted(cuts)) if a < b)
)


def joined(text, pieces):
    """The texts of the tokens, and the number of the token of each piece."""
    tokens, token_of = align(text, list(tokenize(text)), pieces)
    return [t.text for t in tokens], token_of


def test_tokens_consist_of_whole_pieces_and_whole_words():
    assert joined("a film", ((0, 1), (2, 4), (4, 6))) == (["a", "film"], [0, 1, 1])
    assert joined("don't", ((0, 3), (3, 4), (4, 5))) == (["don't"], [0, 0, 0])
    assert joined("a b c d", ((0, 1), (2, 5), (6, 7))) == (["a", "b c", "d"], [0, 1, 2])


def test_words_without_pieces_are_left_out_and_loose_pieces_join():
    assert joined("a b c", ((0, 1), (4, 5))) == (["a", "c"], [0, 1])
    assert joined("a \n b", ((0, 1), (2, 3), (4, 5))) == (["a", "b"], [0, 0, 1])
    assert joined(" \n a", ((0, 1), (3, 4))) == (["a"], [0, 0])
    assert joined("a", ()) == ([], [])


@given(text=st.text("ab' .-", min_size=1, max_size=14), pieces=piece_spans)
def test_every_piece_has_its_token(text, pieces):
    pieces = tuple((a, min(b, len(text))) for a, b in pieces if a < len(text))
    words = list(tokenize(text))
    tokens, token_of = align(text, words, pieces)
    assert len(token_of) == len(pieces)
    assert token_of == sorted(token_of)
    assert all(text[t.start : t.end] == t.text for t in tokens)
    assert all(a.end <= b.start for a, b in pairwise(tokens))
    for (start, end), number in zip(pieces, token_of, strict=True):
        for word in words:
            if word.start < end and start < word.end:
                assert tokens[number].start <= word.start
                assert word.end <= tokens[number].end


def test_a_corpus_is_read_as_people_type():
    reader = TransformerReader("all-MiniLM-L6-v2", torch.device("cpu"))
    encoded = reader.read([["is", "n't", "-lrb-", "it", "-rrb-"]])
    typed, _ = reader.backbone.hidden(reader.backbone.cut(["isn't (it)"]))
    assert torch.equal(encoded["hidden"], typed)


def test_layers_of_a_transformer_are_kept_in_config(tmp_path):
    cpu = torch.device("cpu")
    saved = TransformerReader("all-MiniLM-L6-v2", cpu, (0, 3)).save(tmp_path)
    read = TransformerReader.load(tmp_path, saved | {"model": {"n_layers": 2}}, cpu)
    assert (read.layers, read.backbone.n_layers) == ((0, 3), 2)
    for layers in ("0, 3", [0], [0, True], [0, 1.5], {}):
        with pytest.raises(ValueError, match=r"config.json: layers is .*, wanted 2 numbers of layers"):
            TransformerReader.load(tmp_path, saved | {"model": {"n_layers": 2}, "layers": layers}, cpu)


def test_pictures_become_numbers_from_0_to_1():
    images = np.array([[[[0, 51]], [[255, 0]]]], np.uint8)
    images.flags.writeable = False  # pictures mapped from the disk are read-only
    expected = torch.tensor([[[[0, 0.2]], [[1, 0]]]])
    for given_as in (images, torch.tensor(images.tolist(), dtype=torch.uint8)):
        torch.testing.assert_close(ImageReader().read(given_as)["images"], expected)


@pytest.mark.parametrize("images", [np.zeros((1, 2, 3, 3)), np.zeros((2, 3, 3), np.uint8), torch.zeros(1, 1, 3, 3)])
def test_images_of_another_shape_or_type_are_refused(images):
    with pytest.raises(ValueError, match=r"images is .*, wanted \[b, 2, y, x\] of uint8"):
        ImageReader().read(images)
