"""Runs that programs ask for: they belong to no session, and leave the caches of pages as they are."""

import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from numpy import ndarray

from core import Trace
from core.near import did_you_mean
from dashboard.runs.checkpoints import about, known
from dashboard.runs.loaded import devices, load, with_cpu_fallback, with_fallback_notice
from dashboard.sessions.turns import pass_on, turn

if TYPE_CHECKING:
    from core import zoo

LOG = logging.getLogger(__name__)
MAX_BYTES = 8 << 20  # of the arrays in one trace; as JSON, they take five times as many
MAX_SECONDS = 10.0  # for the cuts of one text
CHUNK_TEXTS, CHUNK_CHARACTERS = 16, 2_000  # texts that are run in one turn, and their length together


@dataclass(frozen=True)
class Asked:
    """A network and a way to run it.

    Args:
        name: name of the network.
        n_iters, edits: as in ``core.explain``.
    """

    name: str
    n_iters: int | None = None
    edits: tuple[str, ...] = ()


def check_name(name: str) -> None:
    """Raise ValueError unless this is the name of a network that all sessions share."""
    if name not in known():
        raise ValueError(f"There is no network {name!r}. {did_you_mean(name, known())}")


def classes_of(name: str) -> list[str]:
    """The names of a network's classes."""
    return list(about(name).classes)


def explain(asked: Asked, text: str) -> Trace:
    """The trace of a text.

    Raises:
        ValueError: as in ``core.explain``; there is no such network, or its trace is too large.
    """
    (trace,) = _explain_all(asked, [text])
    if isinstance(trace, Exception):
        raise trace
    return trace


def explain_many(asked: Asked, texts: Sequence[str]) -> Iterator[list[Trace | Exception]]:
    """Yield the traces of some texts at a time, or for each text the error that its run raises."""
    start = 0
    while start < len(texts):
        end, length = start + 1, len(texts[start])
        while end < min(len(texts), start + CHUNK_TEXTS) and length + len(texts[end]) <= CHUNK_CHARACTERS:
            length, end = length + len(texts[end]), end + 1
        yield _explain_all(asked, texts[start:end])
        start = end


def cuts(asked: Asked, text: str, by: Literal["cell", "input", "capsule"], routing: int | None) -> ndarray:
    """The fall of each class's log-odds without each coupling [i, j, k], as ``core.cuts`` returns it.

    Raises:
        ValueError: as in ``core.cuts``; there is no such network, or it takes too long.
    """
    check_name(asked.name)
    with turn(_NoSlot()):
        return with_cpu_fallback(_cuts, asked.name, _device(), asked, text, by, routing)[0]


def _explain_all(asked: Asked, texts: Sequence[str]) -> list[Trace | Exception]:
    check_name(asked.name)
    with turn(_NoSlot()):
        traces, fell_back = with_cpu_fallback(_explain, asked.name, _device(), asked, texts)
    checked = [_within_limit(trace) for trace in traces]
    return [with_fallback_notice(t) if fell_back and isinstance(t, Trace) else t for t in checked]


def _explain(name: str, version: str, device: str, asked: Asked, texts: Sequence[str]) -> list[Trace | Exception]:
    from core import explain, explain_many  # imports PyTorch

    checkpoint = _load(name, version, device)
    traces: list[Trace | Exception]
    if len(texts) > 1:
        traces = list(explain_many(checkpoint, texts, asked.n_iters, asked.edits))
    else:  # explain_many would read the text twice, the first time for its length
        try:
            traces = [explain(checkpoint, texts[0], asked.n_iters, asked.edits)]
        except (ValueError, RuntimeError) as error:
            traces = [error]
    if device != "cpu":  # an error of the GPU has the texts run on the CPU
        for error in (trace for trace in traces if isinstance(trace, RuntimeError)):
            raise error
    return traces


def _within_limit(trace: Trace | Exception) -> Trace | Exception:
    """The trace, or an error if it is too large."""
    if isinstance(trace, Exception) or trace.n_bytes <= MAX_BYTES:
        return trace
    size, most = trace.n_bytes / (1 << 20), MAX_BYTES >> 20
    return ValueError(f"This run has {size:.0f} MB of numbers, and an answer at most {most}: take a shorter text.")


def _cuts(name: str, version: str, device: str, asked: Asked, text: str, by: str, routing: int | None) -> ndarray:
    from core import cuts  # imports PyTorch

    began = time.monotonic()

    def go_on(share: float) -> None:
        if share < 1 and time.monotonic() - began > MAX_SECONDS:
            fewer = "take a shorter text" if by != "cell" else 'take a shorter text, or "by": "capsule"'
            raise ValueError(f"These cuts take more than {MAX_SECONDS:.0f} seconds: {fewer}.")
        pass_on()

    checkpoint = _load(name, version, device)
    return cuts(checkpoint, text, asked.n_iters, asked.edits, by=by, routing=routing, progress=go_on)


def _load(name: str, version: str, device: str) -> "zoo.Checkpoint":
    """Load a network. An error names its files, so programs only read that there is one."""
    try:
        return load(name, version, device)
    except (OSError, ValueError):
        LOG.exception("A network cannot be loaded")
        raise ValueError(f"The network {name} cannot be loaded on this server.") from None


def _device() -> str:
    """The device that runs are made on: a GPU if there is one."""
    return next(iter(devices()))


class _NoSlot:
    """A place for notices that nobody sees."""

    def info(self, *_: Any, **__: Any) -> None: ...

    def empty(self) -> None: ...
