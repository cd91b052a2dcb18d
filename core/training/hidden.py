"""Hidden states of a whole training split: computed once into a file, or per batch if they are too large."""

import errno
import hashlib
import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor
from tqdm import tqdm

from core.files import write
from core.inputs.transformers import Backbone, Pieces
from core.inputs.word_states import WordStates

MAX_FILE = 16 * 2**30  # bytes; larger states are computed again for each batch
BATCH_SIZE = 64  # texts that the transformer reads at once


def _check_space(file: Path, size: int) -> None:
    """Raise OSError if the disk has no room for a file, because running out later would kill the process."""
    if shutil.disk_usage(file.parent).free < size:
        raise OSError(errno.ENOSPC, f"{os.strerror(errno.ENOSPC)} for {size / 1e9:.1f} GB", str(file))


class HiddenStates:
    """Hidden states of every text in float16, text after text in one file.

    A note next to the file records the number of written batches, so that an interrupted run continues with the same
    file. Call ``close()`` at the end; it deletes the (large) file.

    Args:
        backbone: transformer, or its states word by word.
        pieces: pieces or words of each text.
        file: file of the states; replaced if it belongs to other texts, another transformer or another device.
        progress: whether a bar shows the batches.
    """

    def __init__(
        self,
        backbone: Backbone | WordStates,
        pieces: Sequence[Pieces] | Sequence[tuple[str, ...]],
        file: Path,
        progress: bool = True,
    ):
        self.backbone, self.pieces, self.file = backbone, pieces, file
        self.note = file.with_suffix(".json")
        self.first = torch.tensor([0, *map(len, pieces)]).cumsum(0).tolist()  # the row of each text's first piece
        made_by = backbone.name, backbone.layers, backbone.version, str(backbone.device)
        self.fingerprint = hashlib.sha256(repr((*made_by, pieces)).encode()).hexdigest()
        self.store: Tensor | None = None
        shape = self.first[-1], backbone.n_layers, backbone.d_hidden
        size = shape[0] * shape[1] * shape[2]
        if size * torch.float16.itemsize <= MAX_FILE:
            file.parent.mkdir(parents=True, exist_ok=True)
            n_written = self._n_written()
            if not n_written:
                file.unlink(missing_ok=True)
                _check_space(file, size * torch.float16.itemsize)
            self.store = torch.from_file(str(file), shared=True, size=size, dtype=torch.float16).view(shape)
            self._fill(n_written, progress)

    def batch(self, chosen: list[int]) -> dict[str, Tensor]:
        """The model's arguments ``hidden`` and ``mask`` for the chosen texts, on the transformer's device."""
        if self.store is None:
            hidden, mask = self.backbone.hidden([self.pieces[k] for k in chosen])
        else:
            texts = [self.store[self.first[k] : self.first[k + 1]] for k in chosen]
            hidden = torch.nn.utils.rnn.pad_sequence(texts, batch_first=True).to(self.backbone.device).float()
            lengths = torch.tensor([len(text) for text in texts], device=hidden.device)
            mask = (torch.arange(hidden.shape[1], device=hidden.device) < lengths[:, None]).float()
        return {"hidden": hidden, "mask": mask}

    def close(self) -> None:
        """Delete the file and its note."""
        self.store = None
        self.file.unlink(missing_ok=True)
        self.note.unlink(missing_ok=True)

    def _n_written(self) -> int:
        """The number of batches already in the file."""
        try:
            note = json.loads(self.note.read_text())
            return note["done"] if note["of"] == self.fingerprint and self.file.exists() else 0
        except (OSError, ValueError, KeyError):
            return 0

    def _fill(self, n_written: int, progress: bool) -> None:
        """Write the missing batches to the file."""
        by_length = sorted(range(len(self.pieces)), key=lambda k: len(self.pieces[k]))
        batches = [by_length[k : k + BATCH_SIZE] for k in range(0, len(by_length), BATCH_SIZE)]
        numbers = range(n_written, len(batches))
        bar = {"initial": n_written, "total": len(batches), "unit": "batch", "desc": "hidden states"}
        for number in tqdm(numbers, **bar, disable=not progress):
            hidden, _ = self.backbone.hidden([self.pieces[k] for k in batches[number]])
            for k, states in zip(batches[number], hidden.half().cpu(), strict=True):
                self.store[self.first[k] : self.first[k + 1]] = states[: len(self.pieces[k])]
            if (number + 1) % 100 == 0 or number + 1 == len(batches):
                write(self.note, json.dumps({"of": self.fingerprint, "done": number + 1}).encode())
