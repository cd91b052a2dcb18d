"""Traces of DR-AGG (Gong et al. 2018): words routed to capsules, or to sentences and these to a document."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy import ndarray

from core.analysis.naming import Naming, Sides
from core.inputs.text import Word
from core.quantities import Quantities, array, routing
from core.trace import Trace
from core.traces.base import (
    arrays_of,
    concat_steps,
    cut_sentences,
    known_fields,
    largest,
    read_words,
    retyped,
    run_fields,
    to_array,
    token_fields,
)

if TYPE_CHECKING:
    import torch

    import core.checkpoint
    import core.edits
    import core.models.documents

LEFT_OUT_AT_ONCE = 16  # sentences; each one left out takes a copy of all votes
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
        normalize: "output" if the shares of each word sum to 1, "input" if those of each capsule do.
    """

    twins_differ_in: ClassVar[str] = "normalize"
    naming: ClassVar[Naming] = Naming(
        {"": Sides("word", "capsule")}, examples=("drop:{word}", "capsule:capsule 1", "couple:{word},capsule 1=0")
    )

    inputs_to_capsules: Shares = routing()
    normalize: str


@dataclass(frozen=True, kw_only=True, eq=False)
class DRAggTrace(OneRoutingTrace, kind="dragg"):
    """A run of DR-AGG.

    Args:
        known: whether a word is in the vocabulary.
    """

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
        effect: by how much the log-odds of class k fall without the vote of sentence s. It is measured after as many
            iterations as the network was trained with, however many the trace has.
    """

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

    @property
    def things(self) -> dict[str, list[str]]:
        return super().things | {"sentence": self.of_sentences().tokens}

    def of_sentences(self) -> OneRoutingTrace:
        """The second routing as a trace of its own, with sentences as its tokens."""
        words = [np.flatnonzero(self.sentence_of == s).tolist() for s in range(len(self.effect))]
        return self._one_routing(
            self.sentences_to_document,
            tokens=[self.as_typed(sentence[0], sentence[-1] + 1) for sentence in words],
            spans=[(self.spans[sentence[0]][0], self.spans[sentence[-1]][1]) for sentence in words],
        )

    def of_sentence(self, s: int) -> OneRoutingTrace:
        """The first routing of the words of sentence s, counted from 0, as a trace of its own."""
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
        common = {f.name: getattr(self, f.name) for f in fields(Trace)} | {"tokens": tokens, "spans": spans}
        return OneRoutingTrace(**common, inputs_to_capsules=shares, normalize=self.normalize)

    def summary(self) -> Iterator[str]:
        yield from super().summary()
        sentences = [f"sentence {s + 1}" for s in range(len(self.effect))]
        yield from _capsules(sentences, self.sentences_to_document)
        best = int(self.class_probabilities.argmax())
        lost = largest(sentences, self.effect[:, best], "+.2f")
        yield f"how far the log-odds of {self.classes[best]} fall without: {lost}"


def _capsules(inputs: list[str], routed: CapsuleRouting) -> Iterator[str]:
    """A line for each capsule that takes something from the inputs, and one that counts the others."""
    coupling, lengths = routed.coupling[-1], routed.activation[-1]
    taking = np.flatnonzero(coupling.sum(0) >= MIN_TAKEN)
    for j in taking:
        yield f"capsule {j + 1}, length {lengths[j]:.2f}, takes most of: {largest(inputs, coupling[:, j], '.2f')}"
    if len(taking) < len(lengths):
        n_idle = len(lengths) - len(taking)
        yield f"{n_idle} of {len(lengths)} capsules take{'s' * (n_idle == 1)} nothing"


def trace(
    checkpoint: "core.checkpoint.Checkpoint",
    text: str,
    n_iters: int | None = None,
    edits: Sequence["core.edits.Edit"] = (),
) -> DRAggTrace:
    """Run DR-AGG on a text and record every iteration. Arguments and errors as in ``core.explain``."""
    model = checkpoint.model
    inputs, about = read_words(checkpoint, text, edits)
    steps = list(model.steps(**inputs, n_iters=n_iters, edits=edits))
    logits = model.classify(concat_steps(steps, "capsules"))
    return DRAggTrace(
        inputs_to_capsules=_capsule_routing(steps),
        probabilities=to_array(logits.softmax(-1)),
        normalize=model.config.normalize,
        **about,
    )


def read_document(
    checkpoint: "core.checkpoint.Checkpoint", text: str, edits: Sequence["core.edits.Edit"] = ()
) -> tuple[dict[str, Any], list[list[Word]], list[str]]:
    """The arguments of the network, the words of each sentence, and a notice if the text was cut.

    Arguments and errors as in ``read_words``.
    """
    text = retyped(text, edits, lambda text: [word for sentence in cut_sentences(text)[0] for word in sentence])
    cut, notices = cut_sentences(text)
    return checkpoint.inputs([[[word.text for word in sentence] for sentence in cut]]), cut, notices


def sentences_of(checkpoint: "core.checkpoint.Checkpoint", text: str) -> list[list[Word]]:
    """The words of each sentence of a text. Errors as in ``cut_words``."""
    return cut_sentences(text)[0]


def trace_document(
    checkpoint: "core.checkpoint.Checkpoint",
    text: str,
    n_iters: int | None = None,
    edits: Sequence["core.edits.Edit"] = (),
) -> DocumentTrace:
    """Run DR-AGG on a document sentence by sentence and record every iteration of both routings.

    The second routing always starts from the sentences as they are after the number of iterations the network was
    trained with, however many are recorded. Arguments and errors as in ``core.explain``.
    """
    import torch

    from core.edits import of_routing
    from core.models.documents import SENTENCES

    model = checkpoint.model
    inputs, cut, notices = read_document(checkpoint, text, edits)
    trained_iters = model.config.n_iters
    n_iters = n_iters or trained_iters
    counts = inputs.pop("counts")
    groups = list(model.sentence_steps(**inputs, n_iters=max(n_iters, trained_iters), edits=edits))
    order = torch.cat([rows for rows, _ in groups]).argsort()
    vectors = torch.cat([steps[trained_iters - 1].capsules.flatten(1) for _, steps in groups])[order]
    votes, _ = model.document_votes(vectors, counts)
    edit = of_routing(edits, 1, default=SENTENCES)
    steps = list(model.routed(votes, n_iters=n_iters, edit=edit))
    logits = torch.cat([model.classify(step.capsules) for step in steps])
    words = [word for sentence in cut for word in sentence]
    ids = np.concatenate([row[: len(sentence)] for row, sentence in zip(inputs["words"].cpu(), cut, strict=True)])
    return DocumentTrace(
        **run_fields(checkpoint),
        **token_fields(words),
        **known_fields(words, ids < len(checkpoint.reader.vocabulary), notices),
        probabilities=to_array(logits.softmax(-1)),
        words_to_sentences=_sentence_routing([group[:n_iters] for _, group in groups], order.tolist(), cut),
        sentences_to_document=_capsule_routing(steps),
        normalize=model.config.normalize,
        sentence_of=np.repeat(np.arange(len(cut)), [len(sentence) for sentence in cut]),
        effect=to_array(_log_odds_lost(model, votes, edit)),
    )


def _capsule_routing(steps: list[Any]) -> CapsuleRouting:
    return CapsuleRouting(**arrays_of(steps, "coupling", "logits", "agreement", "capsules", "activation"))


def _sentence_routing(groups: list[list[Any]], order: list[int], cut: list[list[Any]]) -> SentenceRouting:
    """Put the routings of all sentences in the order of the text, without padding.

    Args:
        groups: the routing steps of each group of sentences of similar length.
        order: for each sentence of the text its row, counted through all groups.
        cut: the words of each sentence of the text.
    """

    def by_sentence(name: str) -> list[ndarray]:
        """A quantity of each sentence, [t, ...], in the order of the text."""
        rows = [row for steps in groups for row in np.stack([to_array(getattr(step, name)) for step in steps], 1)]
        return [rows[row] for row in order]

    def by_word(name: str) -> ndarray:
        """A quantity of each word, [t, i, ...]."""
        pairs = zip(by_sentence(name), cut, strict=True)
        return np.concatenate([row[:, : len(sentence)] for row, sentence in pairs], 1)

    return SentenceRouting(
        coupling=by_word("coupling"),
        logits=by_word("logits"),
        agreement=by_word("agreement"),
        activation=np.stack(by_sentence("activation"), 1),
    )


def _log_odds_lost(
    model: "core.models.documents.DocumentDRAgg", votes: "torch.Tensor", edit: Sequence["core.edits.Edit"]
) -> "torch.Tensor":
    """By how much the log-odds of each class fall when a sentence's vote is left out of the routing, [s, k].

    It is 0 for the only sentence of a document. The number of iterations is that of training.
    """
    import torch

    n, n_classes = votes.shape[1], model.config.n_classes
    if n == 1:
        return votes.new_zeros(1, n_classes)
    itself = torch.eye(n_classes, dtype=torch.bool, device=votes.device)

    def log_odds(votes: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        *_, last = model.routed(votes, mask, edit=edit)
        logits = model.classify(last.capsules)
        against = logits[:, None].masked_fill(itself, -torch.inf).logsumexp(-1)
        return logits - against  # without probabilities, which would be rounded to 1

    all_but_one = ~torch.eye(n, dtype=torch.bool, device=votes.device)
    without = [log_odds(votes, mask) for mask in all_but_one.split(LEFT_OUT_AT_ONCE)]
    return log_odds(votes) - torch.cat(without)
