"""Everything a page shows of one run, as CPU arrays under tested names.

``FIELDS`` is the contract: which arrays a trace of each model holds, and their axes.
"""

import io
import json
from dataclasses import asdict, dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy import ndarray

EM = {
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
    # i: words, routed to their sentence s; then sentences, routed to the document. effect: by how much the log-odds of
    # each class fall without a sentence's vote, after the model's own count of iterations whatever t is.
    "dragg-documents": {
        "layers": [
            {"coupling": "t i j", "logits": "t i j", "agreement": "t i j", "activation": "t s j"},
            {"coupling": "t s j", "logits": "t s j", "agreement": "t s j", "capsules": "t j h", "activation": "t j"},
        ],
        "extra": {"normalize": "", "known": "i", "sentence_of": "i", "effect": "s k"},
    },
    "cccaps": {  # i: feature capsules; parts: what word n adds to each; codes: shares of codewords, none of an unknown
        "layers": [{"coupling": "t i j", "logits": "t i j", "capsules": "t j h", "activation": "t j"}],
        "extra": {"routing": "", "embedding": "", "parts": "n i d", "codes": "n q e", "known": "n"},
    },
    "em-sst": {
        "layers": [EM, EM | {"effect": "t i j"}],
        "extra": {"backbone": "", "n_layers": "", "pieces": "n", "token_of": "n", "credit": "t i k"},
    },
    "em-smallnorb": {  # grid: rows, columns of locations; centres: pixel of the first, pixels to the next and seen
        "layers": [EM, EM | {"effect": "t i j"}],
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

    weights: the sha256 of the file with the model's.
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
    weights: str
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

    def of_sentences(self) -> "Trace":
        """The second routing of a document's trace: sentences stand for words."""
        whose = np.array(self.extra["sentence_of"])
        words = [np.flatnonzero(whose == s).tolist() for s in range(whose[-1] + 1)]
        return replace(
            self,
            tokens=[self._joined(those) for those in words],
            spans=[(self.spans[those[0]][0], self.spans[those[-1]][1]) for those in words],
            steps=self.layers[1],
        )

    def _joined(self, words: list[int]) -> str:
        """Words in a row, a space wherever something was between them."""
        apart = [self.spans[i][1] < self.spans[j][0] for i, j in pairwise(words)]
        return "".join(self.tokens[i] + " " * space for i, space in zip(words, [*apart, False], strict=True))

    def of_sentence(self, s: int) -> "Trace":
        """The first routing of a document's trace, of the words of sentence s, from 0."""
        (those,) = np.nonzero(np.array(self.extra["sentence_of"]) == s)
        steps = {name: a[:, those] for name, a in self.layers[0].items() if name != "activation"}
        return replace(
            self,
            tokens=[self.tokens[i] for i in those],
            spans=[self.spans[i] for i in those],
            steps=steps | {"activation": self.layers[0]["activation"][:, s]},
        )

    def to_json(self) -> str:
        return json.dumps(asdict(self), default=ndarray.tolist)

    @classmethod
    def from_json(cls, text: str) -> "Trace":
        """What ``to_json`` wrote of a network that routes words; ``extra`` stays as JSON has it."""
        whole = json.loads(text)
        layers = [{name: np.array(a, np.float32) for name, a in layer.items()} for layer in whole.pop("layers")]
        spans = [(start, end) for start, end in whole.pop("spans")]
        probabilities = np.array(whole.pop("probabilities"), np.float32)
        return cls(**whole | {"spans": spans, "probabilities": probabilities, "layers": layers, "steps": layers[0]})

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
