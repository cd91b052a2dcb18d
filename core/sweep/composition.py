"""The phrases that AGT's layers learn to select, for several changes of its training (Guo 2017, section 3.1)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

from core.analysis.constituents import Constituents
from core.measured import constituents
from core.sweep.attention import BASE
from core.sweep.sweep import Row, Sweep
from core.training.recipes import NOT_PERTURBED
from core.training.recipes.sst import AGTTraining
from core.training.run import Trained
from core.training.schedules import Adadelta

PAPER_SETTINGS: Mapping[str, Any] = {"batch": 50, "dropout": 0.2, "sentence_weight": 1}
TRIALS: dict[str, Mapping[str, Any]] = {  # differences from the first; agt-sst5 is the last of those with alignment
    "usual start": {},
    "gate bias -1": {"gate_bias": -1.0},
    "gate bias 0": {"gate_bias": 0.0},
    "gate bias 2": {"gate_bias": 2.0},
    "gate bias 3": {"gate_bias": 3.0},
    "no adversarial step": {"schedule": NOT_PERTURBED},
    "temperature 4": {"temperature": 4.0},
    "temperature 16": {"temperature": 16.0},
    "aligned attention": {"aligned": 10.0},
    "aligned attention, GloVe": {"aligned": 10.0, "glove": True},
    "aligned attention, no adversarial step": {"aligned": 10.0, "schedule": NOT_PERTURBED},
    "8 layers": {"n_layers": 8, "n_attending": 8},
    "the paper's: Adadelta at 0.0005": PAPER_SETTINGS | {"schedule": Adadelta(epochs=3, lr=0.0005, warmup=0)},
    "the paper's, but Adadelta at 1": PAPER_SETTINGS | {"schedule": Adadelta(epochs=3, lr=1.0, warmup=0)},
}


@dataclass(frozen=True)
class CompositionCase:
    """One training.

    Args:
        trial: a key of ``TRIALS``.
    """

    trial: str
    seed: int


def cases(seeds: int) -> Iterator[CompositionCase]:
    """Yield every trial, seed by seed."""
    for seed, trial in product(range(seeds), TRIALS):
        yield CompositionCase(trial, seed)


def training(case: CompositionCase) -> AGTTraining:
    """The training of a case."""
    return replace(BASE, seed=case.seed, **TRIALS[case.trial])


def measure(case: CompositionCase, trained: Trained, data: Path) -> Row:
    """The columns on what the layers select in the dev sentences.

    "lengths" holds the mean number of words per selected phrase for every layer, and "selected" the mean number of
    selected words per sentence. "phrases" is the number of phrases of two words or more in all layers, "constituents"
    the share of constituents among them, and "by_chance" that share among runs of the same lengths at random places.
    "low" and "high" are the ends of the 95% interval of the difference between these shares.
    """
    arrays, _ = constituents.measure_split(trained.checkpoint, data, "dev")  # the last row is for all layers
    total = Constituents(*(arrays[name][-1].item() for name in Constituents.__annotations__))
    return {
        "lengths": arrays["length"].tolist(),
        "selected": arrays["selected"].tolist(),
        "phrases": total.n,
        "constituents": total.share,
        "by_chance": total.by_chance,
        "low": total.low,
        "high": total.high,
    }


SWEEP = Sweep(
    name="composition",
    help="AGT by gate bias, optimizer, adversarial step, temperature, depth and start of attention",
    description=__doc__,
    case=CompositionCase,
    cases=cases,
    training=training,
    measure=measure,
    corpus="sst",
    seeds=1,
)
