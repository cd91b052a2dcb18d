"""Traces of DR-AGG (Gong et al. 2018): words routed to capsules, or to sentences and these to a document."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np
from numpy import ndarray

from core.quantities import Quantities, array, routing
from core.sentences.naming import Naming, Sides
from core.tables import Cells, numbered
from core.trace import Trace, largest

USUAL_CAPSULES = 5
MIN_TAKEN = 0.05  # sum of a capsule's couplings below which it counts as idle


@dataclass(frozen=True, kw_only=True, eq=False)
class Shares(Quantities):
    """The quantities of dynamic routing without the capsules themselves.

    Args:
        coupling: c_ij.
        logits: b_ij.
        agreement: v_j . u_ij.
        activation: |v_j|.
    """

    coupling: ndarray = array("t i j")
    logits: ndarray = array("t i j")
    agreement: ndarray = array("t i j")
    activation: ndarray = array("t j")


@dataclass(frozen=True, kw_only=True, eq=False)
class CapsuleRouting(Shares):
    """The quantities of dynamic routing, with the output capsules v_j."""

    capsules: ndarray = array("t j h")


@dataclass(frozen=True, kw_only=True, eq=False)
class SentenceRouting(Shares):
    """Routing of the words of every sentence s of a document; i runs over the words of all sentences in order."""

    activation: ndarray = array("t s j")


@dataclass(frozen=True, kw_only=True, eq=False)
class OneRoutingTrace(Trace):
    """One routing of i words, or of i sentences, to j capsules.

    Args:
        normalize: "output" if the shares of each word sum to 1, "input" if the shares of each capsule do.
    """

    paper: ClassVar[str] = "gong2018"
    page: ClassVar[str] = "routing"
    twins_differ_in: ClassVar[str] = "normalize"
    naming: ClassVar[Naming] = Naming(
        {"": Sides("word", "capsule")}, examples=("drop:{word}", "capsule:capsule 1", "couple:{word},capsule 1=0")
    )

    inputs_to_capsules: Shares = routing()
    normalize: str

    @classmethod
    def title_of(cls, settings: Mapping[str, Any], task: str) -> str:
        return _title(settings)

    @classmethod
    def weighs_by(cls, settings: Mapping[str, Any]) -> str:
        return _direction(settings)

    @property
    def cells(self) -> Cells:
        coupling = self.inputs_to_capsules.coupling
        return Cells(
            "coupling", coupling, {"word": self.names_of_words, "capsule": numbered("capsule", coupling.shape[2])}
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class DRAggTrace(OneRoutingTrace, kind="dragg"):
    """A run of DR-AGG.

    Args:
        known: whether a word is in the vocabulary.
    """

    has_votes: ClassVar[bool] = True
    inner_unit: ClassVar[str] = "capsule"

    inputs_to_capsules: CapsuleRouting = routing()
    known: ndarray = array("i", bool)

    def summary(self) -> Iterator[str]:
        yield from super().summary()
        yield from _capsules(self.names_of_words, self.inputs_to_capsules)


@dataclass(frozen=True, kw_only=True, eq=False)
class DocumentTrace(Trace, kind="dragg-documents"):
    """A run of DR-AGG on a document. Axes: i, words, routed to their sentence; s, sentences, routed to the document.

    Args:
        normalize, known: as in ``DRAggTrace``.
        sentence_of: the number of each word's sentence, ascending from 0.
        effect: fall of the log-odds of class k without the vote of sentence s, after the trained number of iterations,
            however many the trace has.
    """

    paper: ClassVar[str] = "gong2018"
    page: ClassVar[str] = "routing"
    ranked_unit: ClassVar[str] = "sentence"
    inner_unit: ClassVar[str] = "sentence capsule"
    twins_differ_in: ClassVar[str] = "normalize"
    naming: ClassVar[Naming] = Naming(
        {
            "": Sides("sentence", "capsule"),
            "0": Sides("word", "capsule", "words to sentences"),
            "1": Sides("sentence", "capsule"),
        },
        examples=("drop:sentence 1", "drop:{word}", "capsule:capsule 1"),
    )

    words_to_sentences: SentenceRouting = routing()
    sentences_to_document: CapsuleRouting = routing(i="s")
    normalize: str
    known: ndarray = array("i", bool)
    sentence_of: ndarray = array("i", int)
    effect: ndarray = array("s k")

    @classmethod
    def title_of(cls, settings: Mapping[str, Any], task: str) -> str:
        return f"{_title(settings)} in two levels"

    @classmethod
    def weighs_by(cls, settings: Mapping[str, Any]) -> str:
        return _direction(settings)

    @property
    def things(self) -> dict[str, list[str]]:
        return super().things | {"sentence": self.of_sentences().tokens}

    def of_sentences(self) -> OneRoutingTrace:
        """The second routing as a separate trace, whose tokens are the sentences."""
        words = [np.flatnonzero(self.sentence_of == s).tolist() for s in range(len(self.effect))]
        return self._one_routing(
            self.sentences_to_document,
            tokens=[self.as_typed(sentence[0], sentence[-1] + 1) for sentence in words],
            spans=[(self.spans[sentence[0]][0], self.spans[sentence[-1]][1]) for sentence in words],
        )

    def of_sentence(self, s: int) -> OneRoutingTrace:
        """The first routing, of only the words of sentence s (counted from 0), as a separate trace."""
        (words,) = np.nonzero(self.sentence_of == s)
        first = self.words_to_sentences
        return self._one_routing(
            Shares(
                coupling=first.coupling[:, words],
                logits=first.logits[:, words],
                agreement=first.agreement[:, words],
                activation=first.activation[:, s],
            ),
            tokens=[self.tokens[i] for i in words],
            spans=[self.spans[i] for i in words],
        )

    def _one_routing(self, shares: Shares, tokens: list[str], spans: list[tuple[int, int]]) -> OneRoutingTrace:
        """A trace with the other fields of this one."""
        common = {f.name: getattr(self, f.name) for f in fields(Trace)} | {"tokens": tokens, "spans": spans}
        return OneRoutingTrace(**common, inputs_to_capsules=shares, normalize=self.normalize)

    @property
    def last_couplings(self) -> list[ndarray]:
        of_words = self.words_to_sentences.coupling[-1]
        return [of_words[self.sentence_of == s] for s in range(len(self.effect))]

    @property
    def cells(self) -> Cells:
        return Cells(
            "coupling",
            self.sentences_to_document.coupling,
            {
                "sentence": numbered("sentence", len(self.effect)),
                "capsule": numbered("capsule", self.sentences_to_document.coupling.shape[2]),
            },
        )

    def summary(self) -> Iterator[str]:
        yield from super().summary()
        sentences = [f"sentence {s + 1}" for s in range(len(self.effect))]
        yield from _capsules(sentences, self.sentences_to_document)
        best = int(self.class_probabilities.argmax())
        lost = largest(sentences, self.effect[:, best], "+.2f")
        yield f"how far the log-odds of {self.classes[best]} fall without: {lost}"


def _title(settings: Mapping[str, Any]) -> str:
    """The kind of dynamic routing, and the number of capsules if it is not the usual one."""
    kind = "Reversed" if settings.get("normalize") == "input" else "Standard"
    n = settings.get("n_capsules", USUAL_CAPSULES)
    return f"{kind} dynamic routing" + ("" if n == USUAL_CAPSULES else f" to {n!s:.20} capsules")


def _direction(settings: Mapping[str, Any]) -> str:
    """The kind of dynamic routing, in a word."""
    return "reversed" if settings.get("normalize") == "input" else "dynamic"


def _capsules(inputs: list[str], routed: CapsuleRouting) -> Iterator[str]:
    """A line for each capsule that takes something from the inputs, and one that counts the others."""
    coupling, lengths = routed.coupling[-1], routed.activation[-1]
    taking = np.flatnonzero(coupling.sum(0) >= MIN_TAKEN)
    for j in taking:
        yield f"capsule {j + 1}, length {lengths[j]:.2f}, takes most of: {largest(inputs, coupling[:, j], '.2f')}"
    if len(taking) < len(lengths):
        n_idle = len(lengths) - len(taking)
        yield f"{n_idle} of {len(lengths)} capsules take{'s' * (n_idle == 1)} nothing"
