"""The record of a training on own texts, for metrics.json."""

import dataclasses
from typing import Any

import torch

from core.fit.training import OwnTraining
from core.training.metrics import hardware
from core.training.run import Trained


def record_of(command: str, data: str, training: OwnTraining, trained: Trained) -> dict[str, Any]:
    """The record of a training.

    Args:
        command: command, or Python call, that makes the checkpoint.
        data: texts that the network learned from, in words.
        training, trained: the training and its result.
    """
    return {
        "command": command,
        "data": data,
        "seed": training.seed,
        "schedule": dataclasses.asdict(training.schedule),
        "hardware": hardware(trained.checkpoint.device),
        "torch": str(torch.__version__),  # a class of its own, which a pickle would name
        "preparation_minutes": trained.preparation,
        **trained.run,
    }
