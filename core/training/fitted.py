"""From a recipe to a trained network that is not saved yet."""

import dataclasses
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import torch

from core import zoo
from core.datasets import Split, ViewSubset
from core.device import pick_device
from core.training.loop import fit
from core.training.metrics import accuracy
from core.training.recipes import Recipe


class Fitted(NamedTuple):
    """checkpoint: with the weights that were best on dev. n: samples trained on. run: as ``fit`` tells it.

    preparation: minutes before the first step. close: to be called when all is saved.
    """

    checkpoint: zoo.Checkpoint
    dev: Split | ViewSubset
    test: Split | ViewSubset
    n: int
    run: dict[str, float]
    preparation: float
    close: Callable[[], None]


def fitted(
    recipe: Recipe, data: Path, scratch: Path, device: str = "auto", resume: bool = False, limit: int | None = None
) -> Fitted:
    """Train by a recipe that knows its data.

    Args:
        data: the dataset as released.
        scratch: a folder for the state of the run, which goes on from there with ``resume``, and for large files.
        limit: a trial on so many samples.

    Raises:
        ValueError: the folder does not hold the data, or ``scratch`` belongs to another run.
    """
    split, dev, test = recipe.splits(data)
    if limit is not None:
        split = split.first(limit)
    place = pick_device(device)
    torch.manual_seed(recipe.seed)
    began = time.monotonic()
    job = recipe.start(split, place, scratch)
    preparation = round((time.monotonic() - began) / 60, 1)
    known: dict[str, Any] = {name: getattr(recipe, name) for name in ("name", "kind", "corpus", "task")}
    checkpoint = zoo.Checkpoint(**known, classes=split.classes, model=job.model, reader=job.reader, device=place)

    def evaluate(model: torch.nn.Module) -> float:
        job.settle(model)
        return accuracy(dataclasses.replace(checkpoint, model=model), dev)

    run = fit(
        job.model,
        epoch_batches=job.epoch_batches,
        prepare=job.prepare,
        evaluate=evaluate,
        schedule=recipe.schedule,
        state_file=scratch / f"{recipe.name}.pt",
        resume=resume,
        attacked=job.attacked,
        loss=job.loss,
        fingerprint=f"{recipe} limit={limit} device={place.type}",
    )
    return Fitted(checkpoint, dev, test, len(split), run, preparation, job.close)
