"""Frozen transformers: the hidden states of their layers."""

import re
import time
from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock, Timer

import torch
from jaxtyping import Float
from torch import Tensor, nn

from core.inputs.minilm import MINILM, minilm_folder
from core.inputs.smollm2 import SMOLLM2, smollm2_folder

CACHE_SIZE = 2**22  # numbers in the cache of hidden states, 16 MiB
_SURROGATES = re.compile("[\ud800-\udfff]")
MAX_OPEN = 2  # transformers in memory
LARGE, KEPT_FOR = 2**27, 600.0  # bytes; seconds that a larger transformer stays in memory after its last use
_loading, _guard = Lock(), Lock()  # the second guards what follows
_open: OrderedDict[tuple, "Backbone"] = OrderedDict()  # by the arguments of ``backbone``; the last used one is last
_used: dict[tuple, float] = {}  # when a large transformer was asked for
_timer: Timer | None = None


@dataclass(frozen=True)
class Pieces:
    """A text as the pieces that a transformer reads.

    Args:
        ids: ids of all pieces, including special ones such as [CLS].
        special: whether each piece is special.
        spans: character range [start, end) in the text, for each piece that is not special.
    """

    ids: tuple[int, ...]
    special: tuple[bool, ...]
    spans: tuple[tuple[int, int], ...]

    def __len__(self) -> int:
        return len(self.spans)


class Backbone:
    """A frozen transformer. Get one from ``backbone``, which shares it between users.

    Attributes:
        layers: numbers of the layers that are read; 0 is the embedding output.
        n_layers: number of these layers.
        d_hidden: components of a hidden state.
        max_pieces: maximal number of pieces in a text, special ones included.
        version: version of the weights in its folder, which changes when they are replaced; "" for a model given by
            name.
    """

    def __init__(self, name: str, folder: str, device: torch.device, layers: tuple[int, ...] | None = None):
        from transformers import AutoModel, AutoTokenizer  # takes a second to import
        from transformers.utils import logging

        logging.disable_progress_bar()
        logging.set_verbosity_error()
        local = {"local_files_only": True, "trust_remote_code": False}
        title = title_of(name)
        try:
            self._tokenizer = AutoTokenizer.from_pretrained(folder, **local)
            self._model = AutoModel.from_pretrained(folder, **local, use_safetensors=True, dtype=torch.float32)
            config = self._model.config
            n_layers, self.d_hidden = config.num_hidden_layers + 1, config.hidden_size
            n_positions = config.max_position_embeddings
        except (OSError, ValueError, AttributeError) as error:
            reason = str(error).strip().splitlines()[0].replace(folder, title)
            raise ValueError(f"the transformer {title} cannot be loaded from this machine: {reason}") from None
        if not self._tokenizer.is_fast or config.is_encoder_decoder:
            raise ValueError(
                f"the transformer {title} is not one stack of layers with a tokenizer that reports character offsets"
            )
        self.layers = tuple(range(n_layers)) if layers is None else layers
        self.n_layers = len(self.layers)
        if unknown := [layer for layer in self.layers if layer not in range(n_layers)]:
            raise ValueError(f"layers has {unknown[0]}, wanted numbers from 0 to {n_layers - 1}, the layers of {title}")
        self._leave_out_later_layers()
        self._model.to(device).eval().requires_grad_(False)
        self.name, self.device, self.version = name, device, _version(Path(folder))
        # RoBERTa numbers its positions from the one after the padding index.
        padding = getattr(getattr(self._model, "embeddings", None), "padding_idx", None)
        self.max_pieces = min(self._tokenizer.model_max_length, n_positions - (0 if padding is None else padding + 1))
        self._cache: OrderedDict[Pieces, Tensor] = OrderedDict()
        self._lock = Lock()  # guards the cache, because users in several threads share the transformer
        self.cut(["a"])  # sets the tokenizer's truncation once, before threads share it

    @cached_property
    def n_bytes(self) -> int:
        """Bytes of the weights."""
        return sum(parameter.nbytes for parameter in self._model.parameters())

    def _leave_out_later_layers(self) -> None:
        """Remove layers that nobody reads, but for one: a norm may follow the last layer of all."""
        n_layers = self._model.config.num_hidden_layers
        for module in self._model.modules():
            if isinstance(module, nn.ModuleList) and len(module) == n_layers:
                del module[max(self.layers) + 1 :]

    def cut(self, texts: list[str]) -> list[Pieces]:
        """Split texts into pieces; each text is truncated to ``max_pieces``."""
        texts = [_SURROGATES.sub("\ufffd", text) for text in texts]
        encodings = self._tokenizer(
            texts,
            truncation=True,
            max_length=self.max_pieces,
            return_attention_mask=False,
            return_token_type_ids=False,
            return_offsets_mapping=True,
            return_special_tokens_mask=True,
        )
        cut = []
        for text, ids, offsets, special in zip(
            texts, encodings["input_ids"], encodings["offset_mapping"], encodings["special_tokens_mask"], strict=True
        ):
            spans = [span for span, is_special in zip(offsets, special, strict=True) if not is_special]
            cut.append(Pieces(tuple(ids), tuple(map(bool, special)), tuple(_trim(text, *span) for span in spans)))
        return cut

    @cached_property
    def words(self) -> tuple[list[str], Float[Tensor, "v m"]]:
        """The pieces that are whole words of letters, in lower case, and their input embeddings."""
        rows: dict[str, int] = {}
        for piece, row in self._tokenizer.get_vocab().items():
            word = piece.lstrip("Ġ▁").lower()  # the mark that some tokenizers use for a preceding space
            if len(word) > 1 and word.isalpha():
                rows.setdefault(word, row)
        return list(rows), self._embeddings[list(rows.values())].float()

    def vector(self, word: str) -> Float[Tensor, " m"]:
        """The mean of the input embeddings of a word's pieces."""
        (pieces,) = self.cut([word])
        inside = [row for row, special in zip(pieces.ids, pieces.special, strict=True) if not special]
        return self._embeddings[inside or list(pieces.ids)].float().mean(0)

    @property
    def _embeddings(self) -> Tensor:
        return self._model.get_input_embeddings().weight

    @torch.no_grad()
    def hidden(self, batch: list[Pieces]) -> tuple[Float[Tensor, "b n l m"], Float[Tensor, "b n"]]:
        """Run the transformer on a batch of texts.

        Returns:
            Hidden states of the layers that are read, in float32, without special pieces such as [CLS]; and the mask,
            1 for a piece and 0 for padding.

        Raises:
            ValueError: a text has no piece.
        """
        if not batch or not all(len(pieces) for pieces in batch):
            raise ValueError("There is nothing in this text that the transformer reads.")
        states = [self._cached(batch[0])] if len(batch) == 1 else self._run(batch)
        n = max(map(len, batch))
        hidden = torch.zeros(len(batch), n, self.n_layers, self.d_hidden, device=self.device)
        mask = torch.zeros(len(batch), n, device=self.device)
        for row, text_states in enumerate(states):
            hidden[row, : len(text_states)] = text_states
            mask[row, : len(text_states)] = 1
        return hidden, mask

    def _cached(self, pieces: Pieces) -> Tensor:
        """The hidden states of one text, from the cache if possible."""
        states = self._cache.get(pieces)
        if states is None:  # two threads may both get here and run the text; their results are equal
            (states,) = self._run([pieces])
            with self._lock:
                self._cache[pieces] = states
                while len(self._cache) > 1 and sum(cached.numel() for cached in self._cache.values()) > CACHE_SIZE:
                    self._cache.popitem(last=False)
        return states

    def _run(self, batch: list[Pieces]) -> list[Float[Tensor, "n l m"]]:
        """The hidden states of each text, without special pieces and without padding."""
        n = max(len(pieces.ids) for pieces in batch)
        ids, mask = (torch.zeros(len(batch), n, dtype=torch.long) for _ in range(2))
        for row, pieces in enumerate(batch):
            ids[row, : len(pieces.ids)] = torch.tensor(pieces.ids)
            mask[row, : len(pieces.ids)] = 1
        ids, mask = ids.to(self.device), mask.to(self.device)
        every = self._model(input_ids=ids, attention_mask=mask, output_hidden_states=True).hidden_states
        states = torch.stack([every[layer] for layer in self.layers], 2)
        in_text = [~torch.tensor(pieces.special, device=self.device) for pieces in batch]
        return [states[row, : len(rows)][rows].float() for row, rows in enumerate(in_text)]


def fetched() -> list[str]:
    """Names of the transformers in Hugging Face's cache on this machine."""
    from huggingface_hub.constants import HF_HUB_CACHE

    folders = sorted(Path(HF_HUB_CACHE).glob("models--*"))
    return [folder.name.removeprefix("models--").replace("--", "/") for folder in folders]


def title_of(name: str) -> str:
    """The title of a transformer. For a folder this is only its name, because its path is private."""
    return Path(name).name if Path(name).is_absolute() else name


def _version(folder: Path) -> str:
    """The names, sizes and times of the weights in a folder."""
    files = [(file.name, file.stat()) for file in sorted(folder.glob("*.safetensors"))]
    return " ".join(f"{name} {about.st_size} {about.st_mtime_ns}" for name, about in files)


def backbone(name: str = MINILM, device: str = "cpu", layers: tuple[int, ...] | None = None) -> Backbone:
    """Load a transformer, or return it if it is already loaded.

    Nothing is downloaded. ``hf download NAME`` puts a Hugging Face model into the cache, where it is found.

    Args:
        name: ``MINILM``, ``SMOLLM2``, the name of a Hugging Face model, or a folder.
        device: "cpu" or "cuda:N".
        layers: numbers of the layers to read, 0 for the embedding output; None for all.

    Raises:
        ValueError: the model cannot be loaded or lacks a layer, or its tokenizer does not report the positions of
            pieces.
        RuntimeError: the package of MiniLM or SmolLM2 is missing, or one of its files is not the expected one.
    """
    key = name, device, layers
    if (found := _kept(key)) is None:
        with _loading:  # one at a time: loading a model temporarily patches torch for all threads
            found = _kept(key) or _kept(key, _load(*key))
    return found


def _kept(key: tuple, new: Backbone | None = None) -> Backbone | None:
    """The transformer in memory, as the last one used; ``new`` if there is none."""
    with _guard:
        found = _open.pop(key, new)
        if found is not None:
            _open[key] = found
            while len(_open) > MAX_OPEN:
                _used.pop(_open.popitem(last=False)[0], None)
            if found.n_bytes > LARGE:
                _used[key] = time.monotonic()
                _forget_later(KEPT_FOR)
    return found


def _load(name: str, device: str, layers: tuple[int, ...] | None) -> Backbone:
    packaged = {MINILM: minilm_folder, SMOLLM2: smollm2_folder}
    folder = str(packaged[name]()) if name in packaged else name
    return Backbone(name, folder, torch.device(device), layers)


def _forget_later(seconds: float) -> None:
    """Forget large transformers after they were not asked for this long."""
    global _timer
    if _timer is None:
        _timer = Timer(seconds, _forget)
        _timer.daemon = True
        _timer.start()


def _forget() -> None:
    """Forget the large transformers that nobody has asked for lately, and come back for the others."""
    global _timer
    with _guard:
        _timer, now = None, time.monotonic()
        for key in [key for key, used in _used.items() if now - used >= KEPT_FOR]:
            _open.pop(key, None)
            del _used[key]
        if _used:
            _forget_later(KEPT_FOR - (now - min(_used.values())))


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    """The range of a piece without leading white space, which some tokenizers include."""
    while start < end - 1 and text[start].isspace():
        start += 1
    return start, end
