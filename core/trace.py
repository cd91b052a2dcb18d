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

from core.analysis.credit import end_to_end
from core.readers import join
from core.text import Word, normalize, tokenize
from core.zoo import Checkpoint

LONGEST_TEXT = 400  # words a sentence model reads; SST's longest sentence has 56
MOST_ITERATIONS = 50
_EM = {
    "gate": "t i",
    "coupling": "t i j",
    "benefit": "t j",
    "cost": "t j",
    "scores": "t j",
    "activation": "t j",
    "capsules": "t j h",
    "variances": "t j h",
}
FIELDS = {  # D_use = gate coupling, D_ign = gate - D_use
    "dragg": {
        "layers": [
            {
                "coupling": "t i j",
                "logits": "t i j",
                "agreement": "t i j",
                "capsules": "t j h",
                "activation": "t j",
            }
        ],
        "extra": {"normalize": "", "known": "i"},
    },
    "em-sst": {
        "layers": [_EM, _EM | {"effect": "t i j"}],
        "extra": {"backbone": "", "n_layers": "", "pieces": "n", "token_of": "n", "credit": "t i k"},
    },
}


@dataclass(frozen=True)
class Trace:
    """One input through one model.

    tokens and spans: the words as typed, and where each stands in the text, [start, end) in characters.
    probabilities: [T, classes], what the head says had routing stopped after iteration t.
    steps: the arrays of ``FIELDS``, first axis the iteration. layers: the steps of each routing.
    extra: what only this model has, the iteration first in an array of it too.
    notices: what a reader must be told of this run, a sentence each.
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
        extra = {name: v[:n_iters] if isinstance(v, np.ndarray) else v for name, v in self.extra.items()}
        return replace(self, probabilities=self.probabilities[:n_iters], steps=cut[0], layers=cut, extra=extra)

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
    if checkpoint.kind not in TRACERS:
        raise ValueError(f"{checkpoint.name} reads images, not text.")
    with torch.inference_mode():
        trace = TRACERS[checkpoint.kind](checkpoint, text, words, n_iters)
    return replace(trace, notices=trace.notices or notices)  # the narrower limit is the one that counts


def _dragg(checkpoint: Checkpoint, text: str, words: list[Word], n_iters: int | None) -> Trace:
    model, vocabulary = checkpoint.model, checkpoint.reader.vocabulary
    normalized = [normalize(w.text) for w in words]
    steps = list(model.steps(**checkpoint.encode([normalized]), n_iters=n_iters))
    logits = torch.cat([model.classify(s.capsules) for s in steps])
    arrays = {name: _stacked(steps, name) for name in FIELDS["dragg"]["layers"][0]}
    extra = {"normalize": model.config.normalize, "known": [word in vocabulary for word in normalized]}
    return _trace(checkpoint, words, logits, [arrays], extra)


def _em_sst(checkpoint: Checkpoint, text: str, words: list[Word], n_iters: int | None) -> Trace:
    reader, model = checkpoint.reader, checkpoint.model
    (pieces,) = reader.backbone.cut([text[: words[-1].end]])
    tokens, token_of = join(text, words, pieces.spans)
    if not tokens:
        raise ValueError("There is nothing in this text that the transformer reads. Type a sentence.")
    steps = list(model.steps(**reader.states([pieces]), n_iters=n_iters))
    parts, classes = [s.parts for s in steps], [s.classes for s in steps]
    layers = [{name: _stacked(part, name) for name in _EM} for part in (parts, classes)]
    second = model.to_classes
    effect = [
        second.beta_use * s.use - second.beta_ign * s.ignore for s in classes
    ]  # bang per bit (eq. 8), input by input
    layers[1]["effect"] = _array(torch.cat(effect))
    extra = {
        "backbone": reader.name,
        "n_layers": model.config.n_layers,
        "pieces": [text[start:end] for start, end in pieces.spans],
        "token_of": token_of,
        "credit": end_to_end(layers[0]["gate"][..., None] * layers[0]["coupling"], layers[1]["effect"]),
    }
    trace = _trace(checkpoint, tokens, torch.cat([s.scores for s in classes]), layers, extra)
    end = pieces.spans[-1][1]
    if len(pieces.ids) < reader.backbone.longest or end >= words[-1].end:
        return trace
    n_read = sum(word.start < end for word in words)
    return replace(trace, notices=[f"Only the first {n_read} words were read: the transformer reads no further."])


TRACERS = {"dragg": _dragg, "em-sst": _em_sst}  # by kind of network


def _trace(
    checkpoint: Checkpoint, tokens: list[Word], logits: torch.Tensor, layers: list[dict], extra: dict[str, Any]
) -> Trace:
    return Trace(
        model=checkpoint.name,
        task=checkpoint.task,
        device=str(checkpoint.device),
        tokens=[w.text for w in tokens],
        spans=[(w.start, w.end) for w in tokens],
        classes=list(checkpoint.classes),
        probabilities=_array(logits.softmax(-1)),
        steps=layers[0],
        layers=layers,
        extra=extra,
    )


def read(text: str) -> tuple[list[Word], list[str]]:
    """The words of a text that a model reads, and a notice where it does not read all of it."""
    words = list(islice(tokenize(text), LONGEST_TEXT + 1))
    if not words:
        raise ValueError("There is no word in this text. Type a sentence.")
    if len(words) > LONGEST_TEXT:
        return words[:LONGEST_TEXT], [f"Only the first {LONGEST_TEXT} words were read: this model reads sentences."]
    return words, []


def _stacked(steps: list, name: str) -> np.ndarray:
    """A quantity of every step of one sample; a capsule's components are one axis."""
    array = _array(torch.cat([getattr(step, name) for step in steps]))
    return array.reshape(*array.shape[:2], -1) if array.ndim == 4 else array


def _array(tensor: torch.Tensor) -> np.ndarray:
    return tensor.float().cpu().numpy()
