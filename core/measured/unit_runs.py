"""Runs the units of many samples: in batches of similar length, in several processes or on a Ray cluster."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tqdm import tqdm

from core import zoo
from core.checkpoint import Checkpoint
from core.manifest import user_folder
from core.measured.evidence.measure import Engine
from core.networks.base import Network, UnitRun, network_of
from core.networks.many import batches
from core.networks.run import check

MAX_POSITIONS = 1024  # positions in a batch, with padding: larger ones are no faster
CHUNK = 256  # texts that a process takes at once
BAR = "units"  # title of the bar


def run_units(checkpoint: Checkpoint, samples: Sequence[Any]) -> Iterator[tuple[int, UnitRun | None]]:
    """Yield the number and the units of each sample, batch by batch; None for a sample that cannot be run.

    Raises:
        TypeError: a sample is neither a text nor a pair of pictures.
    """
    network, lengths = network_of(checkpoint), {}
    for k, sample in enumerate(samples):
        try:
            check(checkpoint, sample, None)
            lengths[k] = network.length(checkpoint, sample) if isinstance(sample, str) else MAX_POSITIONS
        except ValueError:
            yield k, None
    for batch in batches(lengths, MAX_POSITIONS):
        yield from zip(batch, _run(network, checkpoint, [samples[k] for k in batch]), strict=True)


def _run(network: Network, checkpoint: Checkpoint, samples: list[Any]) -> list[UnitRun | None]:
    """The units of a batch; if it fails, of each sample by itself, so that one cannot spoil the others."""
    try:
        return list(network.unit_runs(checkpoint, samples))
    except ValueError:
        return [None] if len(samples) == 1 else [_run(network, checkpoint, [sample])[0] for sample in samples]


@dataclass(frozen=True)
class Chunk:
    """Some texts, as an engine runs them.

    Args:
        name: name of the checkpoint.
        models: folder of the user's checkpoints, which a worker must reach.
        start: number of the first text.
    """

    name: str
    models: str
    device: str
    start: int
    texts: tuple[str, ...]


def run_chunk(chunk: Chunk) -> dict[int, UnitRun | None]:
    """The units of the texts of a chunk, by number."""
    os.environ["ROUTESCOPE_MODELS"] = chunk.models  # a worker on a cluster has not inherited it
    return {chunk.start + k: run for k, run in run_units(_load(chunk.name, chunk.device), chunk.texts)}


@lru_cache(maxsize=1)
def _load(name: str, device: str) -> Checkpoint:
    """Load a checkpoint once per process."""
    return zoo.load(name, device)


def run_texts(checkpoint: Checkpoint, texts: Sequence[str], device: str, engine: Engine) -> list[UnitRun | None]:
    """The units of many texts, with a bar; None for a text that cannot be run.

    Args:
        checkpoint: network, which each process of the engine loads by its name.
        device: as in ``core.device.pick_device``.
        engine: function that runs chunks.

    Raises:
        ValueError: the network has no units, or reads no texts; or as the engine does.
    """
    checkpoint.check("a")
    network_of(checkpoint).unit_runs(checkpoint, ["a"])  # raises what is wrong with the network or this machine
    models = str(user_folder().absolute())
    chunks = [
        Chunk(checkpoint.name, models, device, start, tuple(texts[start : start + CHUNK]))
        for start in range(0, len(texts), CHUNK)
    ]
    runs: dict[int, UnitRun | None] = {}
    with tqdm(total=len(texts), unit="text", desc=BAR) as bar:
        for finished in engine(run_chunk, chunks):
            runs |= finished
            bar.update(len(finished))
    return [runs[k] for k in range(len(texts))]
