"""Everything a page shows of one run, as CPU arrays under tested names.

``FIELDS`` is the contract: which arrays a trace of each model holds, and their axes.
"""

import io
import json
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from typing import Any

import numpy as np
import torch

from core.text import Word, normalize, tokenize
from core.zoo import Checkpoint

LONGEST_TEXT = 400  # words a sentence model reads; SST's longest sentence has 56
MOST_ITERATIONS = 50
FIELDS = {
    "dragg": {
        "steps": {
            "coupling": "t i j",
            "logits": "t i j",
            "agreement": "t i j",
            "capsules": "t j h",
            "activation": "t j",
        },
        "extra": {"normalize": "", "known": "i"},
    }
}


@dataclass(frozen=True)
class Trace:
    """One input through one model.

    tokens and spans: the words as typed, and where each stands in the text, [start, end) in characters.
    probabilities: [T, classes], what the head says had routing stopped after iteration t.
    steps: the arrays of ``FIELDS``, first axis the iteration. layers: the steps of each routing.
    extra: what only this model has. notices: what a reader must be told of this run, a sentence each.
    """

    model: str
    task: str
    device: str
    tokens: list[str]
    spans: list[tuple[int, int]]
    classes: list[str]
    probabilities: np.ndarray
    steps: dict[str, np.ndarray]
    layers: list[dict[str, np.ndarray]]
    extra: dict[str, Any] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)

    @property
    def n_iters(self) -> int:
        return len(self.probabilities)

    def first(self, n_iters: int) -> "Trace":
        """The trace of a run that stopped after n_iters, which a longer run contains."""
        cut = [{name: a[:n_iters] for name, a in layer.items()} for layer in self.layers]
        return replace(self, probabilities=self.probabilities[:n_iters], steps=cut[0], layers=cut)

    def to_json(self) -> str:
        return json.dumps(asdict(self), default=np.ndarray.tolist)

    def to_npz(self) -> bytes:
        """The same names: arrays as arrays, steps.NAME and layers.L.NAME for the nested ones, the rest as JSON."""
        whole = asdict(self)
        arrays = {"probabilities": whole.pop("probabilities")}
        arrays |= {f"steps.{name}": a for name, a in whole.pop("steps").items()}
        for number, layer in enumerate(whole.pop("layers")):
            arrays |= {f"layers.{number}.{name}": a for name, a in layer.items()}
        arrays |= {name: np.array(json.dumps(value, default=np.ndarray.tolist)) for name, value in whole.items()}
        file = io.BytesIO()
        np.savez_compressed(file, allow_pickle=False, **arrays)
        return file.getvalue()


def explain(checkpoint: Checkpoint, text: str, n_iters: int | None = None) -> Trace:
    """Run a model on a text and keep every routing iteration.

    Args:
        checkpoint: from ``core.zoo.load``.
        text: any text; words over ``LONGEST_TEXT`` are cut, and the trace's notices say so.
        n_iters: iterations, the model's own count unless told.

    Raises:
        ValueError: the text holds no word, or n_iters is not between 1 and ``MOST_ITERATIONS``.
    """
    if n_iters is not None and not 1 <= n_iters <= MOST_ITERATIONS:
        raise ValueError(f"The number of iterations is {n_iters}, wanted 1 to {MOST_ITERATIONS}.")
    words, notices = read(text)
    batch = checkpoint.encode([[normalize(w.text) for w in words]])
    model = checkpoint.model
    with torch.inference_mode():
        steps = list(model.steps(**batch, n_iters=n_iters))
        probabilities = torch.stack([model.classify(s.capsules) for s in steps]).softmax(-1)
        names = FIELDS[checkpoint.kind]["steps"]
        arrays = {name: _array(torch.cat([getattr(s, name) for s in steps])) for name in names}
    known = [normalize(w.text) in checkpoint.vocabulary for w in words]
    return Trace(
        model=checkpoint.name,
        task=checkpoint.task,
        device=str(checkpoint.device),
        tokens=[w.text for w in words],
        spans=[(w.start, w.end) for w in words],
        classes=list(checkpoint.classes),
        probabilities=_array(probabilities[:, 0]),
        steps=arrays,
        layers=[arrays],
        extra={"normalize": model.config.normalize, "known": known},
        notices=notices,
    )


def read(text: str) -> tuple[list[Word], list[str]]:
    """The words of a text that a model reads, and a notice where it does not read all of it."""
    words = list(islice(tokenize(text), LONGEST_TEXT + 1))
    if not words:
        raise ValueError("There is no word in this text. Type a sentence.")
    if len(words) > LONGEST_TEXT:
        return words[:LONGEST_TEXT], [f"Only the first {LONGEST_TEXT} words were read: this model reads sentences."]
    return words, []


def _array(tensor: torch.Tensor) -> np.ndarray:
    return tensor.float().cpu().numpy()
