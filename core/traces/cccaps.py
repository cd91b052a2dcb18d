"""Traces of CCCaps (Ren, Lu 2022): each word's contribution to the feature capsules, routed to class capsules."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy import ndarray

from core.quantities import Quantities, array, routing
from core.sentences.naming import Naming, Sides
from core.sentences.routing_names import name_of
from core.sentences.words import capital
from core.tables import Cells, numbered
from core.trace import Trace, largest


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
        codes: share of each codeword in the vector of word n; zeros for a word without a code.
        known: whether a word is in the vocabulary.
    """

    paper: ClassVar[str] = "ren2022"
    page: ClassVar[str] = "kmeans"
    inner_unit: ClassVar[str] = "feature capsule"
    has_lengths: ClassVar[bool] = True
    has_votes: ClassVar[bool] = True
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

    @classmethod
    def title_of(cls, settings: Mapping[str, Any], task: str) -> str:
        name = name_of(settings.get("routing", "kmeans"))
        return "k-means routing" if name == "k-means" else f"{capital(name)} routing in the k-means network"

    @classmethod
    def weighs_by(cls, settings: Mapping[str, Any]) -> str:
        return name_of(settings.get("routing", "kmeans"))

    @property
    def contributions(self) -> ndarray:
        """The contribution of each word to each feature capsule, along the capsule's direction, [n, i].

        The sum over the words is the length of the capsule.
        """
        parts = self.parts.astype(np.float64)
        capsules = parts.sum(0)
        lengths = np.linalg.norm(capsules, axis=1, keepdims=True)
        return np.einsum("nid,id->ni", parts, capsules / np.maximum(lengths, 1e-12))

    @property
    def cells(self) -> Cells:
        return Cells(
            "coupling",
            self.features_to_classes.coupling,
            {"feature": numbered("feature", self.parts.shape[1]), "class": self.classes},
        )

    def summary(self) -> Iterator[str]:
        yield from super().summary()
        features = [f"feature {i + 1}" for i in range(self.parts.shape[1])]
        coupling, lengths = self.features_to_classes.coupling[-1], self.features_to_classes.activation[-1]
        for name, length, shares in zip(self.classes, lengths, coupling.T, strict=True):
            yield f"the capsule of {name}, length {length:.2f}, takes most of: {largest(features, shares, '.2f')}"
