"""Run a network: on one input with every step recorded, or on many pairs of pictures for their class capsules."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from numbers import Integral
from typing import NamedTuple
from weakref import ref

import torch
from jaxtyping import Float, UInt8
from numpy import ndarray

from core.checkpoint import Checkpoint
from core.edits import Edit, FreezeAfter
from core.networks.admit import admit_edits
from core.networks.base import network_of
from core.quantities import check_finite
from core.trace import Origin, Trace

MAX_ITERATIONS = 50
BATCH_SIZE = 18  # pairs of pictures: a full turn of a toy


def explain(
    checkpoint: Checkpoint,
    text_or_images: str | ndarray,
    n_iters: int | None = None,
    edits: Sequence[Edit | str] | None = (),
) -> Trace:
    """Run a network on a text or a pair of pictures and return the trace of every step.

    Args:
        checkpoint: checkpoint from ``core.zoo.load``.
        text_or_images: any text, in which <br> is a line break; a text beyond the limits in
            ``core.networks.reading`` is cut, with a notice in the trace. For a network that reads pictures, the left
            and right picture in grey, uint8 [2, y, x].
        n_iters: routing iterations; the number the network was trained with if None. Must be None for a network
            without routing.
        edits: changes inside the run, applied in order: classes of ``core.edits``, or their form on the command line
            with indices from 0 ("drop:11", "capsule:0") or names ("drop:never", "capsule:capsule 1").

    Raises:
        TypeError: an argument has the wrong type, such as a list of texts.
        ValueError: the text has no word, the pair has another shape, the network reads the other kind of input,
            n_iters is not between 1 and ``MAX_ITERATIONS`` or is given for a network without routing, the network does
            not have an edit or it is out of range, or the network's numbers overflow.
    """
    check(checkpoint, text_or_images, n_iters)
    changes = admit_edits(checkpoint, edits, text_or_images)
    with torch.inference_mode():
        try:
            trace = network_of(checkpoint).trace(checkpoint, text_or_images, n_iters, changes)
        except ValueError as error:  # its message has indices, so say which names they stand for
            if renamed := [
                f"{was} is {now}" for was, now in zip(edits or (), changes, strict=True) if str(was) != str(now)
            ]:
                error.args = (f"{error} ({', '.join(renamed)})",)
            raise
    return remember(finish(trace, changes), checkpoint, text_or_images, n_iters)


def remember(trace: Trace, checkpoint: Checkpoint, sample: str | ndarray, n_iters: int | None) -> Trace:
    """Let a trace of a text know its run. It does not keep the network in memory, which is loaded again if need be."""
    if not isinstance(sample, str):
        return trace
    network = ref(checkpoint), checkpoint.name, checkpoint.device, checkpoint.sha256
    return trace.with_origin(Origin(sample, partial(_open, *network, sample, n_iters)))


def _open(
    kept: "ref[Checkpoint]", name: str, device: torch.device, sha256: str, text: str, n_iters: int | None
) -> Callable[[Sequence[Edit | str]], Trace]:
    """A function that runs the text with edits; ValueError if there is no network with these weights any more."""
    checkpoint = kept() or Trace.load_network(name, device)
    if checkpoint.sha256 != sha256:
        raise ValueError(f"The weights of {name} have changed since this run. Explain the text again.")
    return lambda edits: explain(checkpoint, text, n_iters, edits)


def finish(trace: Trace, edits: Sequence[Edit]) -> Trace:
    """Add the edits to the trace of a run, and a notice of those that come too late; ValueError if numbers overflow."""
    trace.check_finite()
    if not edits:
        return trace
    late = [edit for edit in edits if isinstance(edit, FreezeAfter) and edit.t >= trace.n_steps]
    notices = [f"{edit} changes nothing: the last iteration of this run is {trace.n_steps}." for edit in late]
    return replace(trace, edits=[str(edit) for edit in edits], notices=[*trace.notices, *notices])


def check(checkpoint: Checkpoint, text_or_images: str | ndarray, n_iters: int | None) -> None:
    """Raise unless the network can read the sample and run this number of iterations.

    Raises:
        TypeError: checkpoint is not a loaded network, or the sample is not one text or one pair of pictures.
        ValueError: the network reads the other kind of input, or n_iters is out of range.
    """
    check_network(checkpoint, n_iters)
    if isinstance(text_or_images, list | tuple):
        raise TypeError("a run takes one text: call core.explain_many for a list of texts; join words with spaces")
    if not isinstance(text_or_images, str | ndarray):
        given = type(text_or_images).__name__
        raise TypeError(
            f"the sample is of type {given}, wanted a text, or a NumPy array of two pictures, uint8 [2, y, x]"
        )
    checkpoint.check(text_or_images)


def check_network(checkpoint: Checkpoint, n_iters: int | None) -> None:
    """Raise unless ``checkpoint`` is a network and ``n_iters`` a number of iterations. Errors as in ``check``."""
    if not isinstance(checkpoint, Checkpoint):
        wanted = "a loaded network, such as core.zoo.load('dragg-sst5')"
        raise TypeError(f"checkpoint is {checkpoint!r:.60}, wanted {wanted}")
    if n_iters is not None and not (_is_whole(n_iters) and 1 <= n_iters <= MAX_ITERATIONS):
        raise ValueError(f"The number of iterations is {n_iters!r}, wanted 1 to {MAX_ITERATIONS}.")


def _is_whole(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


class ClassCapsules(NamedTuple):
    """A network's output for each pair, after the trained number of iterations."""

    probabilities: Float[ndarray, "n classes"]
    poses: Float[ndarray, "n classes c h"]  # the class capsules' means


def class_capsules(checkpoint: Checkpoint, images: UInt8[ndarray, "n 2 y x"]) -> ClassCapsules:
    """Run a network that reads pictures on pairs of them, in batches of ``BATCH_SIZE``.

    Raises:
        ValueError: the network reads text, its numbers overflow, or images has another shape or dtype or no pair.
    """
    checkpoint.check(images)
    batches = []
    with torch.inference_mode():
        for start in range(0, max(1, len(images)), BATCH_SIZE):
            inputs = checkpoint.inputs(images[start : start + BATCH_SIZE])
            scores, means, _ = checkpoint.model.class_capsules(**inputs)
            batches.append((scores.softmax(-1), means))
    capsules = ClassCapsules(*(torch.cat(tensors).float().cpu().numpy() for tensors in zip(*batches, strict=True)))
    check_finite(*capsules)
    return capsules
