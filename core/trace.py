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
from numpy import ndarray

from core.analysis.credit import end_to_end
from core.models import CCCaps
from core.models.em_smallnorb import FIELD, FIRST, STEP, grid
from core.models.em_sst import TwoSteps
from core.readers import join
from core.text import Word, normalize, tokenize
from core.zoo import Checkpoint

LONGEST_TEXT = 400  # words that a run reads; SST's longest sentence has 56
LARGEST_IMAGE = 192  # pixels a side; smallNORB's have 96
MOST_ITERATIONS = 50
MOST_WINDOWS = 40
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
    "cccaps": {  # i: feature capsules; parts: what word n adds to each; codes: shares of codewords, none of an unknown
        "layers": [{"coupling": "t i j", "logits": "t i j", "capsules": "t j h", "activation": "t j"}],
        "extra": {"routing": "", "embedding": "", "parts": "n i d", "codes": "n q e", "known": "n"},
    },
    "em-sst": {
        "layers": [_EM, _EM | {"effect": "t i j"}],
        "extra": {"backbone": "", "n_layers": "", "pieces": "n", "token_of": "n", "credit": "t i k"},
    },
    "em-smallnorb": {  # grid: rows, columns of locations; centres: pixel of the first, pixels to the next and seen
        "layers": [_EM, _EM | {"effect": "t i j"}],
        "extra": {"grid": "", "centres": "", "credit": "t i k"},
    },
    "agt": {  # t: layers; a: those of them with an attention; g: those with a gate, which are l = 1 and above
        "layers": [],
        "extra": {"attention": "a i", "scores": "a i", "gates": "g h", "features": "t h", "known": "i"},
    },
    "drnn": {  # t: windows of 1, 2, .. words; wins: components of the pooled vector that are mostly position i's
        "layers": [],
        "extra": {
            "window": "",
            "unit": "",
            "pooling": "",
            "components": "",
            "wins": "t i",
            "evidence": "t i k",
            "known": "i",
        },
    },
}


@dataclass(frozen=True)
class Trace:
    """One input through one model.

    A network without routing has layers where others have iterations, or windows, and keeps what they do in extra.

    tokens and spans: the words as typed, and where each stands in the text, [start, end) in characters; none for
    pictures, whose parts lie on ``extra["grid"]``, row by row, as many at each location.
    probabilities: [T, classes], what the head says had routing stopped after iteration t; where class capsules say it,
    their lengths, which need not sum to 1.
    steps: the arrays of ``FIELDS``, first axis the iteration. layers: the steps of each routing.
    extra: what only this model has, the iteration first in an array of it too; what has none are lists.
    notices: what a reader must be told of this run, a sentence each.
    """

    model: str
    task: str
    device: str
    tokens: list[str]
    spans: list[tuple[int, int]]
    classes: list[str]
    probabilities: ndarray
    steps: dict[str, ndarray]
    layers: list[dict[str, ndarray]]
    extra: dict[str, Any] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)

    @property
    def n_iters(self) -> int:
        return len(self.probabilities)

    def first(self, n_iters: int) -> "Trace":
        """The trace of a run that stopped after n_iters, which a longer run of routing contains."""
        cut = [{name: a[:n_iters] for name, a in layer.items()} for layer in self.layers]
        extra = {name: v[:n_iters] if isinstance(v, ndarray) else v for name, v in self.extra.items()}
        return replace(
            self, probabilities=self.probabilities[:n_iters], steps=cut[0] if cut else {}, layers=cut, extra=extra
        )

    def to_json(self) -> str:
        return json.dumps(asdict(self), default=ndarray.tolist)

    def to_npz(self) -> bytes:
        """The same names: arrays as arrays, steps.NAME and layers.L.NAME for the nested ones, the rest as JSON."""
        whole = asdict(self)
        arrays = {"probabilities": whole.pop("probabilities")}
        arrays |= {f"steps.{name}": a for name, a in whole.pop("steps").items()}
        for number, layer in enumerate(whole.pop("layers")):
            arrays |= {f"layers.{number}.{name}": a for name, a in layer.items()}
        arrays |= {name: np.array(json.dumps(value, default=ndarray.tolist)) for name, value in whole.items()}
        file = io.BytesIO()
        np.savez_compressed(file, allow_pickle=False, **arrays)
        return file.getvalue()


def explain(checkpoint: Checkpoint, text_or_images: str | ndarray, n_iters: int | None = None) -> Trace:
    """Run a model on a text, or on a pair of pictures, and keep every routing iteration.

    Args:
        checkpoint: from ``core.zoo.load``.
        text_or_images: any text; words over ``LONGEST_TEXT`` are cut, and the trace's notices say so. For a network
            that reads pictures, a pair in grey, left and right, uint8 [2, y, x].
        n_iters: iterations, the model's own count unless told. A network without routing has none to tell.

    Raises:
        ValueError: the text holds no word, the pair has another shape, the network reads the other of the two, or
            n_iters is not between 1 and ``MOST_ITERATIONS``, or is given where there is no routing.
    """
    if n_iters is not None and not 1 <= n_iters <= MOST_ITERATIONS:
        raise ValueError(f"The number of iterations is {n_iters}, wanted 1 to {MOST_ITERATIONS}.")
    checkpoint.check(text_or_images)
    with torch.inference_mode():
        return TRACERS[checkpoint.kind](checkpoint, text_or_images, n_iters)


def _dragg(checkpoint: Checkpoint, text: str, n_iters: int | None) -> Trace:
    model = checkpoint.model
    encoded, known, about = _read_words(checkpoint, text)
    steps = list(model.steps(**encoded, n_iters=n_iters))
    logits = torch.cat([model.classify(s.capsules) for s in steps])
    arrays = {name: _stacked(steps, name) for name in FIELDS["dragg"]["layers"][0]}
    return replace(_trace(checkpoint, logits, [arrays], {"normalize": model.config.normalize} | known), **about)


def _cccaps(checkpoint: Checkpoint, text: str, n_iters: int | None) -> Trace:
    model, config = checkpoint.model, checkpoint.model.config
    encoded, known, about = _read_words(checkpoint, text)
    parts = model.parts(**encoded)
    steps = list(model.route(parts.sum(1), n_iters))
    arrays = {name: _stacked(steps, name) for name in FIELDS["cccaps"]["layers"][0]}
    extra = {"routing": config.routing, "embedding": config.embedding, "codes": _codes(model, encoded["words"][0])}
    extra["parts"] = parts[0].unflatten(-1, (config.n_features, config.d_feature)).tolist()
    trace = _trace(checkpoint, torch.zeros(1, config.n_classes), [arrays], extra | known)
    return replace(trace, probabilities=arrays["activation"], **about)


def _codes(model: CCCaps, words: torch.Tensor) -> list:
    """Shares of each codeword of each book for each word; of a word without a code, and in a plain table, none."""
    if model.config.embedding == "plain":
        return [[] for _ in words]
    own = words < model.config.n_words
    return (model.embedding.shares(words * own) * own[:, None, None]).tolist()


def _agt(checkpoint: Checkpoint, text: str, n_iters: int | None) -> Trace:
    if n_iters is not None:
        raise ValueError(f"{checkpoint.name} has layers, not iterations: their number is fixed.")
    encoded, known, about = _read_words(checkpoint, text)
    layers = checkpoint.model.layers(**encoded)
    logits = checkpoint.model.classify(layers.features[0])
    arrays = {name: _array(values[0]) for name, values in layers._asdict().items()}
    return replace(_trace(checkpoint, logits, [], arrays | known), **about)


def _drnn(checkpoint: Checkpoint, text: str, n_iters: int | None) -> Trace:
    if n_iters is not None:
        raise ValueError(f"{checkpoint.name} has windows, not iterations: every one is run.")
    encoded, known, about = _read_words(checkpoint, text)
    config = checkpoint.model.config
    windows = checkpoint.model.windows(**encoded, max_window=max(MOST_WINDOWS, config.window))
    most, winner = windows.parts[0].max(1)
    wins = torch.zeros_like(windows.parts[0][..., 0]).scatter_add(1, winner, (most > 0).to(most.dtype))
    extra = {"window": config.window, "unit": config.unit, "pooling": config.pooling, "components": config.d_mlp}
    extra |= {"wins": _array(wins), "evidence": _array(windows.evidence[0])}
    return replace(_trace(checkpoint, windows.logits[0], [], extra | known), **about)


def _em_sst(checkpoint: Checkpoint, text: str, n_iters: int | None) -> Trace:
    reader, model = checkpoint.reader, checkpoint.model
    words, notices = read(text)
    (pieces,) = reader.backbone.cut([text[: words[-1].end]])
    tokens, token_of = join(text, words, pieces.spans)
    if not tokens:
        raise ValueError("There is nothing in this text that the transformer reads. Type a sentence.")
    extra = {
        "backbone": reader.name,
        "n_layers": model.config.n_layers,
        "pieces": [text[start:end] for start, end in pieces.spans],
        "token_of": token_of,
    }
    trace = _routed_twice(checkpoint, list(model.steps(**reader.states([pieces]), n_iters=n_iters)), extra)
    end = pieces.spans[-1][1]
    if len(pieces.ids) >= reader.backbone.longest and end < words[-1].end:  # the narrower limit is the one that counts
        n_read = sum(word.start < end for word in words)
        notices = [f"Only the first {n_read} words were read: the transformer reads no further."]
    return replace(trace, **_typed(tokens), notices=notices)


def _em_smallnorb(checkpoint: Checkpoint, images: ndarray, n_iters: int | None) -> Trace:
    if images.ndim != 3 or max(images.shape) > LARGEST_IMAGE:
        wanted = f"one pair [2, y, x], y and x up to {LARGEST_IMAGE}"
        raise ValueError(f"images has shape {list(images.shape)}, wanted {wanted}")
    steps = list(checkpoint.model.steps(**checkpoint.encode(images[None]), n_iters=n_iters))
    where = {"grid": list(grid(*images.shape[1:])), "centres": {"first": FIRST, "step": STEP, "field": FIELD}}
    return _routed_twice(checkpoint, steps, where)


TRACERS = {
    "dragg": _dragg,
    "cccaps": _cccaps,
    "em-sst": _em_sst,
    "em-smallnorb": _em_smallnorb,
    "agt": _agt,
    "drnn": _drnn,
}  # by kind of network


def _routed_twice(checkpoint: Checkpoint, steps: list[TwoSteps], extra: dict[str, Any]) -> Trace:
    """The trace of a network of two EM routings, with the credit of the inputs of the first for the classes."""
    parts, classes = [s.parts for s in steps], [s.classes for s in steps]
    layers = [{name: _stacked(part, name) for name in _EM} for part in (parts, classes)]
    second = checkpoint.model.to_classes
    effect = [
        second.beta_use * s.use - second.beta_ign * s.ignore for s in classes
    ]  # bang per bit (eq. 8), input by input
    layers[1]["effect"] = _array(torch.cat(effect))
    credit = end_to_end(layers[0]["gate"][..., None] * layers[0]["coupling"], layers[1]["effect"])
    return _trace(checkpoint, torch.cat([s.scores for s in classes]), layers, extra | {"credit": credit})


def _trace(checkpoint: Checkpoint, logits: torch.Tensor, layers: list[dict], extra: dict[str, Any]) -> Trace:
    return Trace(
        model=checkpoint.name,
        task=checkpoint.task,
        device=str(checkpoint.device),
        tokens=[],
        spans=[],
        classes=list(checkpoint.classes),
        probabilities=_array(logits.softmax(-1)),
        steps=layers[0] if layers else {},
        layers=layers,
        extra=extra,
    )


def _read_words(checkpoint: Checkpoint, text: str) -> tuple[dict[str, Any], dict[str, list], dict[str, list]]:
    """What a network over word vectors takes, which words have one of their own, and what the trace says of them."""
    words, notices = read(text)
    normalized = [normalize(w.text) for w in words]
    known = {"known": [word in checkpoint.reader.vocabulary for word in normalized]}
    return checkpoint.encode([normalized]), known, _typed(words) | {"notices": notices}


def _typed(tokens: list[Word]) -> dict[str, list]:
    return {"tokens": [w.text for w in tokens], "spans": [(w.start, w.end) for w in tokens]}


def read(text: str) -> tuple[list[Word], list[str]]:
    """The words of a text that a model reads, and a notice where it does not read all of it."""
    words = list(islice(tokenize(text), LONGEST_TEXT + 1))
    if not words:
        raise ValueError("There is no word in this text. Type a sentence.")
    if len(words) > LONGEST_TEXT:
        return words[:LONGEST_TEXT], [f"Only the first {LONGEST_TEXT} words were read: a run takes no more."]
    return words, []


def _stacked(steps: list, name: str) -> ndarray:
    """A quantity of every step of one sample; a capsule's components are one axis."""
    array = _array(torch.cat([getattr(step, name) for step in steps]))
    return array.reshape(*array.shape[:2], -1) if array.ndim == 4 else array


def _array(tensor: torch.Tensor) -> ndarray:
    return tensor.float().cpu().numpy()
