"""Transformers that turn word pieces into hidden states."""

import dataclasses
from unittest.mock import Mock

import pytest
import torch

from core.inputs import minilm, transformers
from core.inputs.transformers import backbone


def test_minilm_gives_every_layer_of_every_piece():
    minilm = backbone()
    hidden, mask = minilm.hidden(minilm.cut(["A good film", "unwatchably bad"]))
    assert (minilm.n_layers, minilm.d_hidden) == (7, 384)
    assert hidden.shape == (2, 4, 7, 384)
    assert mask.tolist() == [[1, 1, 1, 0], [1, 1, 1, 1]]
    assert hidden.dtype == torch.float32
    assert not hidden[0, 3:].any()


def test_a_batch_gives_the_results_of_single_texts():
    minilm = backbone()
    texts = ["A good film", "unwatchably bad, and long", "!"]
    together, _ = minilm.hidden(minilm.cut(texts))
    for row, pieces in enumerate(minilm.cut(texts)):
        single, _ = minilm.hidden([pieces])
        torch.testing.assert_close(together[row, : len(pieces)], single[0], rtol=1e-4, atol=1e-5)


def test_a_text_is_run_only_once(monkeypatch):
    minilm = backbone()
    pieces = minilm.cut(["never seen before, this sentence"])
    expected, _ = minilm.hidden(pieces)
    monkeypatch.setattr(minilm, "_model", None)
    hidden, _ = minilm.hidden(pieces)
    assert torch.equal(hidden, expected)


def test_the_cache_is_bounded(monkeypatch):
    minilm = backbone()
    monkeypatch.setattr(transformers, "CACHE_SIZE", 5 * 2 * 7 * 384)
    for k in range(8):
        minilm.hidden(minilm.cut([f"film {k}"]))
    assert len(minilm._cache) == 5


def test_any_hugging_face_transformer_is_loaded_from_its_folder(tiny_gpt2):
    gpt2 = backbone(str(tiny_gpt2))
    assert (gpt2.n_layers, gpt2.d_hidden, gpt2.max_pieces) == (3, 8, 64)
    (pieces,) = gpt2.cut(["a film"])
    assert [pieces.spans[k] for k in (0, 1, 2)] == [(0, 1), (1, 2), (2, 3)]
    hidden, mask = gpt2.hidden([pieces, *gpt2.cut(["b"])])
    assert hidden.shape == (2, 6, 3, 8)
    assert mask.sum(1).tolist() == [6, 1]
    assert len(gpt2.cut(["a" * 999])[0]) == 64


def test_only_chosen_layers_are_read(tiny_gpt2):
    every, chosen = backbone(str(tiny_gpt2)), backbone(str(tiny_gpt2), layers=(2, 0))
    pieces = every.cut(["a film"])
    assert chosen.n_layers == 2
    torch.testing.assert_close(chosen.hidden(pieces)[0], every.hidden(pieces)[0][:, :, [2, 0]])
    with pytest.raises(ValueError, match="layers has 3, wanted numbers from 0 to 2, the layers of "):
        backbone(str(tiny_gpt2), layers=(0, 3))


def test_a_large_transformer_left_alone_is_forgotten(tiny_gpt2, monkeypatch):
    monkeypatch.setattr(transformers, "LARGE", 0)
    monkeypatch.setattr(transformers, "Timer", lambda seconds, forget: Mock(seconds=seconds))
    clock = iter([0.0, 400.0, 700.0, 1000.0])
    monkeypatch.setattr(transformers, "time", Mock(monotonic=lambda: next(clock)))
    for name in ("_open", "_used"):
        monkeypatch.setattr(transformers, name, type(getattr(transformers, name))())
    monkeypatch.setattr(transformers, "_timer", None)
    first = backbone(str(tiny_gpt2))
    assert backbone(str(tiny_gpt2)) is first  # at 400 s
    transformers._forget()  # at 700 s, which is 300 s after the last use
    assert list(transformers._open.values()) == [first]
    assert transformers._timer.seconds == transformers.KEPT_FOR - 300
    transformers._forget()
    assert not transformers._open
    assert transformers._timer is None


def test_a_missing_transformer_is_refused_in_one_line(tmp_path):
    for name in (str(tmp_path), "no-such-model-anywhere"):
        with pytest.raises(ValueError, match="cannot be loaded from this machine") as refused:
            backbone(name)
        assert "\n" not in str(refused.value)


def test_a_text_without_pieces_is_refused():
    minilm = backbone()
    with pytest.raises(ValueError, match="nothing in this text"):
        minilm.hidden(minilm.cut([""]))
    with pytest.raises(ValueError, match="nothing in this text"):
        minilm.hidden([])


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json", "config.json"])
def test_changed_files_of_minilm_are_refused(monkeypatch, name):
    monkeypatch.setitem(minilm.MINILM_SHA256, name, "0" * 64)
    with pytest.raises(RuntimeError, match=f"MiniLM's {name} has sha256 .*: reinstall the package"):
        minilm.minilm_folder.__wrapped__()


def test_pieces_can_be_keys():
    (first,), (second,) = (backbone().cut(["a film"]) for _ in range(2))
    assert hash(first) == hash(second)
    assert dataclasses.replace(first, ids=(1, 2)) != second
