"""Runs many texts through a network at once; the numbers equal those of single runs."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import torch
from numpy import ndarray

from core.checkpoint import Checkpoint
from core.edits import Edit
from core.networks.admit import admit_edits
from core.networks.base import Network, network_of
from core.networks.run import check, check_network, explain, finish, remember
from core.networks.summary import Summary
from core.trace import Trace

MAX_BATCH = 64  # texts in a batch
MAX_POSITIONS = 4096  # positions in a batch, with padding
MAX_TRACED = 512  # positions in a batch with traces: larger ones exceed a processor's cache
MAX_AHEAD = 256  # traces in memory at once, because batches are not in the order of the texts


def explain_many(
    checkpoint: Checkpoint,
    texts: Iterable[str | ndarray],
    n_iters: int | None = None,
    edits: Sequence[Edit | str] = (),
) -> Iterator[Trace | Exception]:
    """Yield the traces of many texts, run in batches of similar length: faster than one ``explain`` per text.

    Traces are large, so at most ``MAX_AHEAD`` of them are in memory at once.

    Args:
        checkpoint, n_iters: as in ``core.explain``.
        texts: texts, or pairs of pictures for a network that reads these.
        edits: edits of every run, as in ``core.explain``. If an edit names a word, or another input that differs from
            text to text, the texts are run one by one.

    Returns:
        The trace of each text, in order, or the error that ``core.explain`` raises for it. The numbers differ from
        those of ``core.explain`` by rounding errors.

    Raises:
        TypeError: checkpoint is not a loaded network, texts is one text, or edits is one edit.
        ValueError: n_iters is out of range.
    """
    check_network(checkpoint, n_iters)
    if isinstance(texts, str | ndarray):
        raise TypeError("explain_many takes a list of texts, wanted core.explain for one")
    try:
        changes = admit_edits(checkpoint, edits)
    except ValueError:  # for example, it names a word that only some texts have
        changes = None
    return _explain_in_batches(checkpoint, iter(texts), n_iters, edits or (), changes)


def _explain_in_batches(
    checkpoint: Checkpoint,
    texts: Iterator[str | ndarray],
    n_iters: int | None,
    edits: Sequence[Edit | str],
    changes: list[Edit] | None,
) -> Iterator[Trace | Exception]:
    """Yield the traces or errors; ``changes`` are the parsed edits, or None if they differ from text to text."""
    network = network_of(checkpoint)
    shared = None if changes is None or any(map(network.names_an_input_of_one_sample, changes)) else changes
    while chunk := list(islice(texts, 1 if shared is None else MAX_AHEAD)):
        lengths, explained = {}, {}
        for k, text in enumerate(chunk):
            try:
                check(checkpoint, text, n_iters)
                lengths[k] = network.length(checkpoint, text) if isinstance(text, str) else 1
            except (TypeError, ValueError) as error:
                explained[k] = error
        for batch in batches(lengths, MAX_TRACED):
            samples = [chunk[k] for k in batch]
            traces = None
            if shared is not None and len(samples) > 1:
                traces = _traces(network, checkpoint, samples, n_iters, shared)
            traces = traces or [_explain(checkpoint, sample, n_iters, edits) for sample in samples]
            explained |= zip(batch, traces, strict=True)
        yield from (explained[k] for k in range(len(chunk)))


@torch.inference_mode()
def _traces(
    network: Network, checkpoint: Checkpoint, samples: list[str | ndarray], n_iters: int | None, edits: list[Edit]
) -> list[Trace] | None:
    """The traces of a batch; None if it fails, so that its texts are run one by one and one cannot spoil the others."""
    try:
        traces = [finish(trace, edits) for trace in network.traces(checkpoint, samples, n_iters, edits)]
    except (ValueError, RuntimeError):
        return None
    return [remember(trace, checkpoint, text, n_iters) for trace, text in zip(traces, samples, strict=True)]


def _explain(
    checkpoint: Checkpoint, sample: str | ndarray, n_iters: int | None, edits: Sequence[Edit | str]
) -> Trace | Exception:
    """The trace of one text, or the error that its run raises."""
    try:
        return explain(checkpoint, sample, n_iters, edits)
    except (ValueError, RuntimeError) as error:
        return error


@dataclass(frozen=True, eq=False)
class Result:
    """The result of one text: its summary, or an error."""

    summary: Summary | None
    error: str = ""


def run_texts(checkpoint: Checkpoint, texts: Sequence[str]) -> list[Result]:
    """Run texts in batches of similar length, with as many iterations as in training.

    No traces are made, which saves time: ``explain_many`` takes a quarter longer for EM, and twice as long for DRNN.

    Returns:
        One result per text, in the order of the texts.

    Raises:
        ValueError: the checkpoint does not read text.
    """
    checkpoint.check(list(texts))
    network = network_of(checkpoint)
    results: dict[int, Result] = {}
    lengths: dict[int, int] = {}
    for k, text in enumerate(texts):
        try:
            lengths[k] = network.length(checkpoint, text)
        except ValueError as error:
            results[k] = failure(error)
    for batch in batches(lengths):
        results |= zip(batch, _run(network, checkpoint, [texts[k] for k in batch]), strict=True)
    return [results[k] for k in range(len(texts))]


def failure(error: Exception) -> Result:
    """The result of a text that could not be run."""
    return Result(None, error=(str(error).splitlines() or [type(error).__name__])[0])


def batches(lengths: dict[int, int], max_positions: int = MAX_POSITIONS) -> Iterator[list[int]]:
    """Yield batches of indices of texts of similar length, at most ``MAX_BATCH`` per batch.

    Args:
        lengths: length of each text, by its index.
        max_positions: positions in a batch, with padding.
    """
    batch: list[int] = []
    for k in sorted(lengths, key=lengths.__getitem__):
        if batch and (len(batch) == MAX_BATCH or (len(batch) + 1) * lengths[k] > max_positions):
            yield batch
            batch = []
        batch.append(k)
    if batch:
        yield batch


@torch.inference_mode()
def _run(network: Network, checkpoint: Checkpoint, texts: list[str]) -> list[Result]:
    """Run a batch; if it fails, run its texts one by one, so that one text cannot spoil the others."""
    try:
        return [Result(summary) for summary in network.summaries(checkpoint, texts)]
    except (ValueError, RuntimeError) as error:
        if len(texts) == 1:
            return [failure(error)]
        return [_run(network, checkpoint, [text])[0] for text in texts]
