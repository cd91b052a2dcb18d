"""Whether AGT's layers come to select phrases, by what its training may be blamed for (Guo 2017, section 3.1)."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from core.measured import selections
from core.sweep.attention import BASE
from core.sweep.sweep import Row, Sweep, name_of
from core.sweep.table import train_and_test
from core.training.recipes.sst import AGTTraining
from core.training.run import Trained
from core.training.schedules import Adadelta

NOT_PERTURBED = replace(BASE.schedule, perturbation=0.0)
PAPERS: Mapping[str, Any] = {"batch": 50, "dropout": 0.2, "sentence_weight": 1}
TRIALS: dict[str, Mapping[str, Any]] = {  # what differs from the shipped network's training by labels alone
    "as shipped, from labels alone": {},
    "gate bias -1": {"gate_bias": -1.0},
    "gate bias 0": {"gate_bias": 0.0},
    "gate bias 2": {"gate_bias": 2.0},
    "gate bias 3": {"gate_bias": 3.0},
    "no adversarial step": {"schedule": NOT_PERTURBED},
    "temperature 4": {"temperature": 4.0},
    "temperature 16": {"temperature": 16.0},
    "8 layers": {"n_layers": 8, "n_attending": 8},
    "the paper's: Adadelta at 0.0005": PAPERS | {"schedule": Adadelta(epochs=3, lr=0.0005, warmup=0)},
    "the paper's, but Adadelta at 1": PAPERS | {"schedule": Adadelta(epochs=3, lr=1.0, warmup=0)},
}


@dataclass(frozen=True)
class Case:
    """One training.

    Args:
        trial: a key of ``TRIALS``.
    """

    trial: str
    seed: int


def cases(seeds: int) -> Iterator[Case]:
    """Every trial with every seed; all cases of a seed come before the next seed."""
    for seed, trial in product(range(seeds), TRIALS):
        yield Case(trial, seed)


def measure(case: Case, data: Path, device: str = "cpu", scratch: Path | None = None) -> Row:
    """Train and test the network of a case, and return its row of the table.

    "lengths" holds, for every layer, the mean number of words of a phrase that it selects in the dev sentences, and
    "selected" the mean number of words that it selects in one of them.
    """
    return asdict(case) | train_and_test(training(case), data, name_of(case), device, scratch, _phrase_lengths)


def training(case: Case) -> AGTTraining:
    """The training of a case."""
    return replace(BASE, seed=case.seed, **TRIALS[case.trial])


def _phrase_lengths(trained: Trained) -> Row:
    counts = selections.measure(trained.checkpoint, trained.dev)["lengths"]
    words = counts @ np.arange(1, counts.shape[1] + 1)
    return {"lengths": (words / counts.sum(1)).tolist(), "selected": (words / len(trained.dev)).tolist()}


SWEEP = Sweep(
    name="composition",
    help="AGT by gate bias, optimizer, adversarial step, temperature and depth",
    description=__doc__,
    case=Case,
    cases=cases,
    measure=measure,
    corpus="sst",
    seeds=1,
)
