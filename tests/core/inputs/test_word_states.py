"""The states of a transformer word by word, and the reader that gives them to networks over word vectors."""

import json
from dataclasses import replace

import pytest
import torch

from core import explain, zoo
from core.inputs import word_states
from core.inputs.readers import StatesReader, WordReader
from core.inputs.transformers import backbone
from core.inputs.word_states import WordStates
from core.models import DRAgg, DRAggConfig

CPU = torch.device("cpu")


@pytest.fixture
def transformer(tiny_gpt2):
    """A tiny transformer, whose pieces are single bytes."""
    return backbone(str(tiny_gpt2), "cpu", (0, 2))


def test_a_words_state_is_the_mean_over_its_pieces(transformer):
    states, mask = WordStates(transformer).hidden([("ab", "c", "."), ("d",)])
    assert mask.tolist() == [[1, 1, 1], [1, 0, 0]]
    pieces, _ = transformer.hidden(transformer.cut(["ab c."]))  # a | b | space | c | .
    assert torch.allclose(states[0, 0], pieces[0, :2].mean(0))
    assert torch.allclose(states[0, 1], pieces[0, 2:4].mean(0))  # with the space before it
    assert torch.allclose(states[0, 2], pieces[0, 4])
    assert not states[1, 1:].any()


def test_a_long_text_is_read_in_chunks(transformer, monkeypatch):
    words = tuple("abcdefgh" for _ in range(20))  # 179 pieces, of which the transformer reads 64
    states, _ = WordStates(transformer).hidden([words])
    assert states.shape == (1, 20, 2, 8)
    assert states.abs().sum((-1, -2)).bool().all()
    first, _ = WordStates(transformer).hidden([words[:5]])
    assert torch.allclose(states[:, :5], first, atol=1e-6)
    monkeypatch.setattr(word_states, "CHUNK", 3)
    assert not torch.allclose(WordStates(transformer).hidden([words])[0], states)


def test_a_word_without_pieces_has_no_state(transformer):
    states, mask = WordStates(transformer).hidden([("",), ("a",)])
    assert mask.tolist() == [[1], [1]]
    assert states.abs().sum((-1, -2)).bool().tolist() == [[False], [True]]


@pytest.fixture
def folder(tiny_gpt2, tmp_path, monkeypatch):
    """The folder of a network whose words vote by their states in a transformer."""
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path))
    reader = StatesReader.of(str(tiny_gpt2), CPU, (0, 2))
    sizes = {"d_capsule": 4, "d_word": 6, "d_hidden": 4, "d_mlp": 4}
    model = DRAgg(DRAggConfig(n_words=1, n_classes=2, d_piece=16, encoder="none", **sizes)).eval()
    zoo.save(zoo.Checkpoint("mine", "dragg", "own.csv", "own", ("no", "yes"), model, reader, CPU), tmp_path / "mine")
    return tmp_path / "mine"


def test_a_network_over_states_is_saved_and_traced(folder):
    checkpoint = zoo.load_folder(folder, "cpu")
    assert isinstance(checkpoint.reader, StatesReader)
    trace = explain(checkpoint, "A good film.", 2, ["drop:good", "couple:film,capsule 1=0"])
    assert trace.tokens == ["A", "good", "film", "."]
    assert trace.known.all()
    assert trace.inputs_to_capsules.coupling[-1, 2, 0] == 0


@pytest.mark.parametrize(
    ("entries", "error"),
    [
        ({"layers": "all"}, "layers is 'all', wanted numbers of layers"),
        ({"layers": [2, 2]}, r"layers is \[2, 2\], wanted different ones, whose states make up d_piece"),
        ({"layers": [0, 1, 2]}, "whose states make up d_piece"),
        ({"backbone": 3}, "backbone is 3, wanted text"),
    ],
)
def test_bad_layers_are_refused(folder, entries, error):
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | entries))
    with pytest.raises(ValueError, match=error):
        zoo.load_folder(folder, "cpu")


def test_without_an_encoder_a_word_votes_by_its_vector():
    torch.manual_seed(0)
    config = DRAggConfig(n_words=5, n_classes=2, d_capsule=4, d_word=6, d_hidden=4, d_mlp=4, encoder="none")
    model = DRAgg(config).eval()
    words = torch.tensor([[1, 2, 3], [1, 4, 0]])
    mask = torch.tensor([[True, True, True], [True, True, False]])
    votes = model.votes(model.encoder, model.vote, model.embed(words), mask)
    assert torch.equal(votes[0, 0], votes[1, 0])  # the same word, in another text
    assert torch.allclose(model(words, mask)[1], model(words[1:, :2])[0], atol=1e-6)
    assert model.vote.in_features == 6
    assert DRAgg(replace(config, encoder="bilstm")).vote.in_features == 8


def test_known_words_are_those_of_the_vocabulary(tiny):
    assert isinstance(tiny.reader, WordReader)
    words = torch.tensor([[0, len(tiny.reader.vocabulary)]])
    assert tiny.reader.is_known(words).tolist() == [[True, False]]
