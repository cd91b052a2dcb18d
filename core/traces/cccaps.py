"""Traces of CCCaps (Ren, Lu 2022): each word's contribution to the feature capsules, routed to class capsules."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy import ndarray

from core.analysis.naming import Naming, Sides
from core.quantities import Quantities, array, routing
from core.trace import Trace
from core.traces.base import arrays_of, largest, read_words, to_array

if TYPE_CHECKING:
    import torch

    import core.checkpoint
    import core.edits
    import core.models.cccaps


@dataclass(frozen=True, kw_only=True, eq=False)
class ClassRouting(Quantities):
    """Routing of feature capsules to class capsules.

    Args:
        coupling: c_ij.
        logits: b_ij.
        capsules: v_j.
        activation: |v_j|.
    """

    coupling: ndarray = array("t i j")
    logits: ndarray = array("t i j")
    capsules: ndarray = array("t j h")
    activation: ndarray = array("t j")


@dataclass(frozen=True, kw_only=True, eq=False)
class CCCapsTrace(Trace, kind="cccaps"):
    """A run of CCCaps.

    Axes: i, feature capsules; n, words; q, codebooks; e, codewords of a book. q and e have size 0 for a network whose
    word vectors are a plain table.

    Args:
        routing, embedding: as in ``CCCapsConfig``.
        parts: the contribution of each word to each feature capsule; contributions sum to the capsule.
        codes: each codeword's share in the vector of word n; zeros for a word without a code.
        known: whether a word is in the vocabulary.
    """

    twins_differ_in: ClassVar[str] = "routing"
    naming: ClassVar[Naming] = Naming(
        {"": Sides("feature", "class")}, examples=("drop:feature 1", "capsule:{of_class}", "replace:{word}=TEXT")
    )

    features_to_classes: ClassRouting = routing(j="k")
    routing: str
    embedding: str
    parts: ndarray = array("n i d")
    codes: ndarray = array("n q e")
    known: ndarray = array("n", bool)

    @property
    def contributions(self) -> ndarray:
        """How far each word moves each feature capsule along the capsule's direction [n, i].

        The sum over the words is the length of the capsule.
        """
        parts = self.parts.astype(np.float64)
        capsules = parts.sum(0)
        lengths = np.linalg.norm(capsules, axis=1, keepdims=True)
        return np.einsum("nid,id->ni", parts, capsules / np.maximum(lengths, 1e-12))

    def summary(self) -> Iterator[str]:
        yield from super().summary()
        features = [f"feature {i + 1}" for i in range(self.parts.shape[1])]
        coupling, lengths = self.features_to_classes.coupling[-1], self.features_to_classes.activation[-1]
        for name, length, shares in zip(self.classes, lengths, coupling.T, strict=True):
            yield f"the capsule of {name}, length {length:.2f}, takes most of: {largest(features, shares, '.2f')}"


def trace(
    checkpoint: "core.checkpoint.Checkpoint",
    text: str,
    n_iters: int | None = None,
    edits: Sequence["core.edits.Edit"] = (),
) -> CCCapsTrace:
    """Run CCCaps on a text and record every iteration. Arguments and errors as in ``core.explain``."""
    model, config = checkpoint.model, checkpoint.model.config
    inputs, about = read_words(checkpoint, text, edits)
    contributions = model.contributions(**inputs)
    steps = list(model.route(contributions.sum(1), n_iters, edits))
    routed = arrays_of(steps, "coupling", "logits", "capsules", "activation")
    return CCCapsTrace(
        features_to_classes=ClassRouting(**routed),
        probabilities=routed["activation"],
        routing=config.routing,
        embedding=config.embedding,
        parts=to_array(contributions[0].unflatten(-1, (config.n_features, config.d_feature))),
        codes=_codes(model, inputs["words"][0]),
        **about,
    )


def _codes(model: "core.models.cccaps.CCCaps", words: "torch.Tensor") -> ndarray:
    """Each word's shares of the codewords, [n, q, e]: zeros for a word without a code, empty for a plain table."""
    if model.config.embedding == "plain":
        return to_array(words.new_zeros(len(words), 0, 0))
    known = words < model.config.n_words
    return to_array(model.embedding.shares(words * known) * known[:, None, None])
