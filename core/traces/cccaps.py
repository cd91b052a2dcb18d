"""Traces of CCCaps (Ren 2018): what words add to feature capsules, and how these are routed to class capsules."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from numpy import ndarray

from core.quantities import Quantities, array, routing
from core.trace import Trace
from core.traces.base import largest, read_words, stacked, to_array

if TYPE_CHECKING:
    import torch

    import core.checkpoint
    import core.models.cccaps


@dataclass(frozen=True, kw_only=True, eq=False)
class ClassRouting(Quantities):
    """coupling: c_ij. logits: b_ij. capsules: v_j. activation: |v_j|."""

    coupling: ndarray = array("t i j")
    logits: ndarray = array("t i j")
    capsules: ndarray = array("t j h")
    activation: ndarray = array("t j")


@dataclass(frozen=True, kw_only=True, eq=False)
class CCCapsTrace(Trace, kind="cccaps"):
    """i: feature capsules; n: words; q: codebooks and e: codewords, none of them where the word vectors are a table.

    routing, embedding: as in the configuration.
    parts: what word n adds to each feature capsule.
    codes: each codeword's share in the vector of word n; zeros where it has no code.
    known: whether a word has a vector of its own.
    """

    twins_differ_in: ClassVar[str] = "routing"

    features_to_classes: ClassRouting = routing(j="k")
    routing: str
    embedding: str
    parts: ndarray = array("n i d")
    codes: ndarray = array("n q e")
    known: ndarray = array("n", bool)

    def summary(self) -> Iterator[str]:
        yield from super().summary()
        features = [f"feature {i + 1}" for i in range(self.parts.shape[1])]
        coupling, lengths = self.features_to_classes.coupling[-1], self.features_to_classes.activation[-1]
        for name, length, shares in zip(self.classes, lengths, coupling.T, strict=True):
            yield f"the capsule of {name}, length {length:.2f}, takes most of: {largest(features, shares, '.2f')}"


def trace(checkpoint: "core.checkpoint.Checkpoint", text: str, n_iters: int | None = None) -> CCCapsTrace:
    """Every iteration of a run; arguments and errors as of ``core.explain``."""
    model, config = checkpoint.model, checkpoint.model.config
    encoded, about = read_words(checkpoint, text)
    parts = model.parts(**encoded)
    routed = stacked(list(model.route(parts.sum(1), n_iters)), "coupling", "logits", "capsules", "activation")
    return CCCapsTrace(
        features_to_classes=ClassRouting(**routed),
        probabilities=routed["activation"],
        routing=config.routing,
        embedding=config.embedding,
        parts=to_array(parts[0].unflatten(-1, (config.n_features, config.d_feature))),
        codes=_codes(model, encoded["words"][0]),
        **about,
    )


def _codes(model: "core.models.cccaps.CCCaps", words: "torch.Tensor") -> ndarray:
    """Shares of each codeword of each book for each word; zeros for a word without a code, no book in a plain table."""
    if model.config.embedding == "plain":
        return to_array(words.new_zeros(len(words), 0, 0))
    known = words < model.config.n_words
    return to_array(model.embedding.shares(words * known) * known[:, None, None])
