"""Dev accuracy of DRNN while it learns, with disconnected GRUs and LSTMs (Wang 2018, section 4.4)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from core.sweep import windows
from core.sweep.sweep import Row, Sweep

if TYPE_CHECKING:
    from core.training.run import Trained

UNITS = ("gru", "lstm")
WINDOW = 15  # words, as in the paper's networks for topics
EVALUATIONS = 10  # points of a curve, for each epoch


@dataclass(frozen=True)
class ConvergenceCase:
    """One training. With the same seed, both units see the same batches."""

    unit: str
    seed: int


def cases(seeds: int) -> Iterator[ConvergenceCase]:
    """Yield both units, seed by seed."""
    for seed, unit in product(range(seeds), UNITS):
        yield ConvergenceCase(unit, seed)


def training(case: ConvergenceCase) -> windows.WindowTraining:
    """The training of a case on AG's News: that of the sweep of windows, evaluated more often."""
    usual = windows.training(windows.WindowCase("ag_news", case.unit, "max", 0, WINDOW, case.seed))
    return replace(usual, schedule=replace(usual.schedule, evaluations=EVALUATIONS))


def measure(case: ConvergenceCase, trained: "Trained", data: Path) -> Row:
    """The steps and the dev accuracies of the curve, each as numbers with spaces between."""
    history = trained.run["history"]
    return {
        "steps": " ".join(str(point["step"]) for point in history),
        "curve": " ".join(f"{point['dev_accuracy']:.4f}" for point in history),
    }


SWEEP = Sweep(
    name="convergence",
    help="DRNN's accuracy while it learns, with GRUs and with LSTMs",
    description=__doc__,
    case=ConvergenceCase,
    cases=cases,
    training=training,
    measure=measure,
    corpus="ag_news",
    fixed={"window": WINDOW, "d": windows.D},
    columns=lambda case: {"window": WINDOW, "d": windows.D},
)
