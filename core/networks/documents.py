"""DR-AGG on a document (Gong et al. 2018): words are routed to sentences, and sentences to the document."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
from numpy import ndarray
from torch import Tensor

from core.checkpoint import Checkpoint
from core.edits import COUPLING_EDITS, DropCapsule, DropInput, Edit, ReplaceWord, edits_of_routing
from core.inputs.readers import DocumentReader
from core.inputs.text import Word
from core.models.documents import SENTENCES, DocumentDRAgg
from core.models.dragg import DRAggConfig
from core.networks.arrays import record_routing, stack_values, to_array
from core.networks.base import Differentiable, Inputs, Network, Reruns, Step, UnitRun
from core.networks.cost import N_SENTENCES, Cost, iterations
from core.networks.dragg import cost_of_words, probe_votes, reruns_of
from core.networks.probe import Probe, batched
from core.networks.reading import cut_sentences, read_documents
from core.networks.summary import Summary, summarize
from core.networks.units import as_spans
from core.traces.dragg import CapsuleRouting, DocumentTrace, SentenceRouting

LEFT_OUT_AT_ONCE = 16  # sentences; each takes a copy of all votes


class DocumentNetwork(Network[DocumentDRAgg, DocumentReader, DocumentTrace], record=DocumentTrace):
    model, config, reader = DocumentDRAgg, DRAggConfig, DocumentReader
    edits = (DropInput, ReplaceWord, *COUPLING_EDITS)
    n_routings = 2
    runs_by_part = False  # documents have few sentences

    def trace(
        self,
        checkpoint: Checkpoint[DocumentDRAgg, DocumentReader],
        text: str,
        n_iters: int | None = None,
        edits: Sequence[Edit] = (),
    ) -> DocumentTrace:
        """Run DR-AGG on a document sentence by sentence and record every iteration of both routings.

        The second routing always starts from the sentence vectors after the trained number of iterations, whatever
        number is recorded.
        """
        model = checkpoint.model
        inputs, (cut,), (about,) = read_documents(checkpoint, [text], edits)
        trained_iters = model.config.n_iters
        n_iters = n_iters or trained_iters
        counts = inputs.pop("counts")
        groups = list(model.sentence_steps(**inputs, n_iters=max(n_iters, trained_iters), edits=edits))
        order = torch.cat([rows for rows, _ in groups]).argsort()
        vectors = torch.cat([steps[trained_iters - 1].capsules.flatten(1) for _, steps in groups])[order]
        votes, _ = model.document_votes(vectors, counts)
        edit = edits_of_routing(edits, 1, default=SENTENCES)
        steps = list(model.route(votes, n_iters=n_iters, edit=edit))
        logits = torch.cat([model.classify(step.capsules) for step in steps])
        return DocumentTrace(
            **about,
            probabilities=to_array(logits.softmax(-1)),
            words_to_sentences=_sentence_routing([group[:n_iters] for _, group in groups], order.tolist(), cut),
            sentences_to_document=record_routing(CapsuleRouting, steps, [len(cut)])[0],
            normalize=model.config.normalize,
            sentence_of=np.repeat(np.arange(len(cut)), [len(sentence) for sentence in cut]),
            effect=to_array(_log_odds_lost(model, votes, edit)),
        )

    def words(self, checkpoint: Checkpoint[DocumentDRAgg, DocumentReader], text: str) -> list[list[Word]]:
        return cut_sentences(text)[0]

    def summaries(self, checkpoint: Checkpoint[DocumentDRAgg, DocumentReader], texts: list[str]) -> list[Summary]:
        """``Network.summaries`` without the effect of each sentence, which only traces need."""
        model = checkpoint.model
        inputs, cut, about = read_documents(checkpoint, texts)
        counts = inputs.pop("counts")
        groups = [(rows, steps[-1]) for rows, steps in model.sentence_steps(**inputs)]
        order = torch.cat([rows for rows, _ in groups]).argsort()
        sentences = torch.cat([step.capsules.flatten(1) for _, step in groups])[order]
        steps = list(model.document_steps(sentences, counts))
        probabilities = stack_values([model.classify(step.capsules).softmax(-1) for step in steps])
        couplings = [row for _, step in groups for row in to_array(step.coupling)]
        in_order = iter([couplings[row] for row in order.tolist()])
        return [
            summarize(p, [next(in_order)[: len(words)] for words in text], model.config.normalize, fields["notices"])
            for p, text, fields in zip(probabilities, cut, about, strict=True)
        ]

    def reruns(self, checkpoint: Checkpoint[DocumentDRAgg, DocumentReader], text: str, edits: Sequence[Edit]) -> Reruns:
        """The second routing, which runs many times over votes of sentences. Edits of the first are applied once."""
        model = checkpoint.model
        inputs, _, _ = read_documents(checkpoint, [text], edits)
        counts = inputs.pop("counts")
        votes, _ = model.document_votes(model.sentences(**inputs, edits=edits), counts)
        return reruns_of(model, votes, SENTENCES)

    def is_routed(self, model: DocumentDRAgg) -> bool:
        return True

    def steps(self, model: DocumentDRAgg, inputs: Inputs, n_iters: int, edits: Sequence[Edit]) -> Iterator[Step]:
        counts = inputs["counts"]
        real = torch.arange(int(counts.max()), device=counts.device) < counts[:, None]
        vectors = model.sentences(inputs["words"], inputs["mask"], inputs["unknown"])
        for step in model.document_steps(vectors, counts, n_iters, edits):
            yield Step(model.classify(step.capsules), step.coupling, real, step.activation, step.capsules)

    def typed_parts(self, checkpoint: Checkpoint[DocumentDRAgg, DocumentReader], text: str) -> list[list[str]]:
        return [[word.text for word in sentence] for sentence in self.words(checkpoint, text)]

    def cost(self, c: DRAggConfig) -> Cost:
        one_level, n_routed = cost_of_words(c), c.n_capsules * c.d_capsule
        encoded = N_SENTENCES * 8 * c.d_hidden * (n_routed + c.d_hidden)
        numbers = N_SENTENCES * iterations(c) * n_routed  # each sentence after each iteration
        return one_level._replace(products=2 * one_level.products + encoded, numbers=2 * one_level.numbers + numbers)

    def probe(self, checkpoint: Checkpoint[DocumentDRAgg, DocumentReader], sentences: list[list[str]]) -> Probe:
        model, inputs = checkpoint.model, checkpoint.inputs([sentences])
        vectors = model.sentences(inputs["words"], inputs["mask"], inputs["unknown"])
        votes, _ = model.document_votes(vectors, inputs["counts"])

        def removed(mask: Tensor) -> Tensor:  # no sentence's vector depends on the other sentences
            left = torch.cat([vectors[row] for row in mask])
            *_, last = model.document_steps(left, mask.sum(1))
            return model.classify(last.capsules).softmax(-1)

        return probe_votes(checkpoint, votes, [" ".join(words) for words in sentences], batched(checkpoint, removed))

    @torch.inference_mode()
    def unit_runs(self, checkpoint: Checkpoint[DocumentDRAgg, DocumentReader], texts: Sequence[str]) -> list[UnitRun]:
        """The capsules of the sentences. A unit is removed from all sentences; its activation is its mean over them."""
        return [self._unit_run(checkpoint, text) for text in texts]

    def _unit_run(self, checkpoint: Checkpoint[DocumentDRAgg, DocumentReader], text: str) -> UnitRun:
        trace = self.trace(checkpoint, text)
        routed = trace.words_to_sentences
        edits = [DropCapsule(j, routing=0) for j in range(checkpoint.model.config.n_capsules)]
        without = [self.trace(checkpoint, text, edits=[edit]).class_probabilities for edit in edits]
        last = routed.coupling[-1].T, routed.activation[-1].mean(0)
        return UnitRun(as_spans(trace.spans), *last, trace.class_probabilities, np.stack(without))

    def differentiable(
        self, checkpoint: Checkpoint[DocumentDRAgg, DocumentReader], sentences: list[list[str]]
    ) -> Differentiable:
        """The scores as a function of the vectors of the sentences."""
        model, inputs = checkpoint.model, checkpoint.inputs([sentences])
        with torch.no_grad():
            x = model.sentences(inputs["words"], inputs["mask"], inputs["unknown"])

        def score(vectors: Tensor) -> Tensor:
            *_, last = model.document_steps(vectors.flatten(0, 1), inputs["counts"].expand(len(vectors)))
            return model.classify(last.capsules)

        return Differentiable(x[None], score, lambda attributed: attributed.sum(-1))


def _sentence_routing(groups: list[list[Any]], order: list[int], cut: list[list[Any]]) -> SentenceRouting:
    """Put the routings of all sentences in the order of the text, without padding.

    Args:
        groups: routing steps of each group of sentences of similar length.
        order: row of each sentence of the text, counted through all groups.
        cut: words of each sentence of the text.
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


def _log_odds_lost(model: DocumentDRAgg, votes: Tensor, edit: Sequence[Edit]) -> Tensor:
    """The fall of each class's log-odds when a sentence's vote is left out of the routing, [s, k].

    It is 0 for the only sentence of a document. The routing takes the trained number of iterations.
    """
    n, n_classes = votes.shape[1], model.config.n_classes
    if n == 1:
        return votes.new_zeros(1, n_classes)
    itself = torch.eye(n_classes, dtype=torch.bool, device=votes.device)

    def log_odds(votes: Tensor, mask: Tensor | None = None) -> Tensor:
        *_, last = model.route(votes, mask, edit=edit)
        logits = model.classify(last.capsules)
        against = logits[:, None].masked_fill(itself, -torch.inf).logsumexp(-1)
        return logits - against  # not from probabilities, which would be rounded to 1

    all_but_one = ~torch.eye(n, dtype=torch.bool, device=votes.device)
    without = [log_odds(votes, mask) for mask in all_but_one.split(LEFT_OUT_AT_ONCE)]
    return log_odds(votes) - torch.cat(without)
