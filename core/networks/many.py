"""Runs many texts through a network at once, with the numbers that a run of each alone has."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from core.checkpoint import Checkpoint
from core.networks.base import Network, Reading, network_of
from core.networks.summary import Summary

MAX_BATCH = 64  # texts
MAX_POSITIONS = 4096  # of a batch, padding included


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
    network = network_of(checkpoint)
    results: dict[int, Result] = {}
    samples: dict[int, Reading] = {}
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
def _run(network: Network, checkpoint: Checkpoint, samples: list[Reading]) -> list[Result]:
    """Run a batch; if it fails, its texts one by one, so that one text spoils no other."""
    try:
        summaries = network.summaries(checkpoint, [sample.content for sample in samples])
    except (ValueError, RuntimeError) as error:
        if len(samples) == 1:
            return [failure(error)]
        return [_run(network, checkpoint, [sample])[0] for sample in samples]
    return [Result(summary, sample.notices) for summary, sample in zip(summaries, samples, strict=True)]
