"""Runs many texts through a network at once, with the numbers that a run of each alone has.

A kind of network that is not in ``NETWORKS`` runs one text after the other.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from core.batch.summary import Summary, summarize, summarize_trace
from core.checkpoint import Checkpoint
from core.inputs.text import Word
from core.inputs.transformers import Pieces
from core.run import explain
from core.traces.base import cut_sentences, cut_words, known_fields, to_array
from core.traces.em_inputs import read_pieces

MAX_BATCH = 64  # texts
MAX_POSITIONS = 4096  # of a batch, padding included


@dataclass(frozen=True)
class Sample:
    """A text as a network reads it.

    Args:
        content: its words, sentences or word pieces; or its summary, if the text is run as it is read.
        length: number of positions in the network.
        notices: sentences such as that the text was cut.
    """

    content: Any
    length: int
    notices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Network:
    """How a kind of network reads one text, and how it runs a list of contents, none empty, to their summaries."""

    read: Callable[[Checkpoint, str], Sample]
    run: Callable[[Checkpoint, list[Any]], list[Summary]]


@dataclass(frozen=True, eq=False)
class Result:
    """The run of one text: its summary, or the error that there was instead."""

    summary: Summary | None
    notices: tuple[str, ...] = ()
    error: str = ""


def run_texts(checkpoint: Checkpoint, texts: Sequence[str]) -> list[Result]:
    """Run texts in batches of similar length, as many iterations as in training.

    Returns:
        A result for each text, in the order of the texts.

    Raises:
        ValueError: the checkpoint does not read text.
    """
    checkpoint.check(list(texts))
    network = NETWORKS.get(checkpoint.kind, ONE_BY_ONE)
    results: dict[int, Result] = {}
    samples: dict[int, Sample] = {}
    for k, text in enumerate(texts):
        try:
            samples[k] = network.read(checkpoint, text)
        except ValueError as error:
            results[k] = failure(error)
    for batch in batches({k: sample.length for k, sample in samples.items()}):
        results |= zip(batch, _run(network, checkpoint, [samples[k] for k in batch]), strict=True)
    return [results[k] for k in range(len(texts))]


def failure(error: Exception) -> Result:
    """The result of a text that could not be run."""
    return Result(None, error=(str(error).splitlines() or [type(error).__name__])[0])


def batches(lengths: dict[int, int]) -> Iterator[list[int]]:
    """Numbers of texts of similar length, at most ``MAX_BATCH`` and ``MAX_POSITIONS`` together.

    Args:
        lengths: of each text, by its number.
    """
    batch: list[int] = []
    for k in sorted(lengths, key=lengths.__getitem__):
        if batch and (len(batch) == MAX_BATCH or (len(batch) + 1) * lengths[k] > MAX_POSITIONS):
            yield batch
            batch = []
        batch.append(k)
    if batch:
        yield batch


@torch.inference_mode()
def _run(network: Network, checkpoint: Checkpoint, samples: list[Sample]) -> list[Result]:
    """Run a batch; if it fails, its texts one by one, so that one text spoils no other."""
    try:
        summaries = network.run(checkpoint, [sample.content for sample in samples])
    except (ValueError, RuntimeError) as error:
        if len(samples) == 1:
            return [failure(error)]
        return [_run(network, checkpoint, [sample])[0] for sample in samples]
    return [Result(summary, sample.notices) for summary, sample in zip(summaries, samples, strict=True)]


def _read_words(checkpoint: Checkpoint, text: str) -> Sample:
    words, notices = cut_words(text)
    return Sample([word.text for word in words], len(words), _notices(checkpoint, words, notices))


def _read_sentences(checkpoint: Checkpoint, text: str) -> Sample:
    sentences, notices = cut_sentences(text)
    content = [[word.text for word in sentence] for sentence in sentences]
    words = [word for sentence in sentences for word in sentence]
    return Sample(content, len(words), _notices(checkpoint, words, notices))


def _notices(checkpoint: Checkpoint, words: list[Word], notices: list[str]) -> tuple[str, ...]:
    """The notices of a trace of these words: one more if the network knows few of them."""
    vocabulary = checkpoint.reader.vocabulary
    ids, _ = vocabulary.ids_of([word.text for word in words])
    return tuple(known_fields(words, np.array(ids) < len(vocabulary), notices)["notices"])


def _read_pieces(checkpoint: Checkpoint, text: str) -> Sample:
    pieces, _, _, notices = read_pieces(checkpoint.reader, text)
    return Sample(pieces, len(pieces.ids), tuple(notices))


def _run_dragg(checkpoint: Checkpoint, sentences: list[list[str]]) -> list[Summary]:
    model = checkpoint.model
    steps = list(model.steps(**checkpoint.inputs(sentences)))
    probabilities = _over_steps([model.classify(step.capsules).softmax(-1) for step in steps])
    coupling = to_array(steps[-1].coupling)
    lengths = map(len, sentences)
    normalize = model.config.normalize
    return [summarize(p, [c[:n]], normalize) for p, c, n in zip(probabilities, coupling, lengths, strict=True)]


def _run_documents(checkpoint: Checkpoint, documents: list[list[list[str]]]) -> list[Summary]:
    model, inputs = checkpoint.model, checkpoint.inputs(documents)
    counts = inputs.pop("counts")
    groups = [(rows, steps[-1]) for rows, steps in model.sentence_steps(**inputs)]
    order = torch.cat([rows for rows, _ in groups]).argsort()
    sentences = torch.cat([step.capsules.flatten(1) for _, step in groups])[order]
    steps = list(model.document_steps(sentences, counts))
    probabilities = _over_steps([model.classify(step.capsules).softmax(-1) for step in steps])
    couplings = [row for _, step in groups for row in to_array(step.coupling)]
    in_order = iter([couplings[row] for row in order.tolist()])
    return [
        summarize(p, [next(in_order)[: len(words)] for words in document], model.config.normalize)
        for p, document in zip(probabilities, documents, strict=True)
    ]


def _run_cccaps(checkpoint: Checkpoint, sentences: list[list[str]]) -> list[Summary]:
    model = checkpoint.model
    steps = list(model.route(model.contributions(**checkpoint.inputs(sentences)).sum(1)))
    probabilities, coupling = _over_steps([step.activation for step in steps]), to_array(steps[-1].coupling)
    return [summarize(p, [c]) for p, c in zip(probabilities, coupling, strict=True)]


def _run_em(checkpoint: Checkpoint, texts: list[Pieces]) -> list[Summary]:
    model = checkpoint.model
    steps = list(model.steps(**checkpoint.reader.states(texts)))
    probabilities = _over_steps([step.to_classes.scores.softmax(-1) for step in steps])
    coupling = to_array(steps[-1].to_parts.coupling)
    n_inputs = [len(pieces) * model.config.n_layers for pieces in texts]
    return [summarize(p, [c[:n]]) for p, c, n in zip(probabilities, coupling, n_inputs, strict=True)]


def _run_agt(checkpoint: Checkpoint, sentences: list[list[str]]) -> list[Summary]:
    layers = checkpoint.model.layers(**checkpoint.inputs(sentences))
    return [summarize(p) for p in to_array(checkpoint.model.classify(layers.features).softmax(-1))]


def _run_drnn(checkpoint: Checkpoint, sentences: list[list[str]]) -> list[Summary]:
    model = checkpoint.model
    windows = model.windows(**checkpoint.inputs(sentences), max_window=model.config.window)
    return [summarize(p) for p in to_array(windows.logits.softmax(-1))]


def _run_alone(checkpoint: Checkpoint, text: str) -> Sample:
    trace = explain(checkpoint, text)
    return Sample(summarize_trace(trace), 1, tuple(trace.notices))


def _over_steps(values: list[torch.Tensor]) -> Any:
    """Values [b, k] of each step as an array [b, t, k]."""
    return to_array(torch.stack(values, 1))


ONE_BY_ONE = Network(_run_alone, lambda checkpoint, summaries: summaries)
NETWORKS = {  # by kind
    "dragg": Network(_read_words, _run_dragg),
    "dragg-documents": Network(_read_sentences, _run_documents),
    "cccaps": Network(_read_words, _run_cccaps),
    "em-sst": Network(_read_pieces, _run_em),
    "agt": Network(_read_words, _run_agt),
    "drnn": Network(_read_words, _run_drnn),
}
