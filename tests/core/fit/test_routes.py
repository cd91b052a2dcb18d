"""The encoders that each routing can read."""

import pytest

from core.fit.routes import encoder_of
from core.inputs.minilm import MINILM


def test_every_routing_has_an_encoder_of_its_own():
    assert [encoder_of(name, None) for name in ("reversed", "em", "attention", "windows")] == [MINILM] * 3 + ["words"]
    assert encoder_of("kmeans", "bilstm") == "bilstm"
    assert encoder_of("standard", "/a/folder") == "/a/folder"


@pytest.mark.parametrize(
    ("routing", "encoder", "error"),
    [
        ("best", None, "routing is 'best', wanted one of reversed, standard, kmeans, em, attention, windows"),
        ("windows", "minilm", "reads word vectors only: with minilm, each word has read the whole text"),
        ("windows", "bilstm", "windows does not read bilstm: choose words"),
        ("em", "bilstm", "em reads the layers of a transformer, which bilstm is not: choose minilm"),
        ("attention", "bilstm", "attention does not read bilstm, as its encoder is words: choose minilm or words"),
    ],
)
def test_a_routing_refuses_an_encoder_that_it_cannot_read(routing, encoder, error):
    with pytest.raises(ValueError, match=error):
        encoder_of(routing, encoder)
