"""Trains several routings on the same texts."""

import dataclasses
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Bool
from numpy import ndarray

from core import engines
from core.fit.mistakes import measure_mistakes
from core.fit.progress import forget_states
from core.fit.routes import ROUTES
from core.fit.run import FitTask, evidence_in, fit, measure_evidence
from core.fit.units import measure_units
from core.manifest import describe_folder, user_folder
from core.measured.evidence.badge import Badge, badge_of


@dataclass(frozen=True, eq=False)
class Compared:
    """One routing of a comparison.

    Args:
        routing: a key of ``core.fit.routes.ROUTES``.
        name: name of its checkpoint.
        right: whether it answers each test text correctly.
        dev: whether it answers each text correctly that chose its weights.
        minutes: minutes of its training.
        parameters: number of its parameters.
        badge: whether its picture finds the words that matter.
        was_interrupted: whether an interrupt ended its training.
        others: whether each simpler model answers each test text correctly, by its name (``core.fit.baselines``).
    """

    routing: str
    name: str
    right: Bool[ndarray, " n"]
    dev: Bool[ndarray, " d"]
    minutes: float
    parameters: int
    badge: Badge
    was_interrupted: bool
    others: dict[str, Bool[ndarray, " n"]] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The name of the routing in a sentence."""
        return ROUTES[self.routing].title

    @property
    def accuracy(self) -> float:
        """The share of test texts that it answers correctly."""
        return float(self.right.mean())


@dataclass(frozen=True)
class Case:
    """A training of a comparison, as an engine runs it.

    Args:
        models: folder of the user's checkpoints, which a worker must reach.
    """

    work: FitTask
    models: str
    device: str
    resume: bool
    units: int
    mistakes: int
    evidence: int
    workers: int = 1


def compare(
    work: FitTask,
    routings: Sequence[str],
    device: str = "auto",
    resume: bool = False,
    units: int = 0,
    mistakes: int = 0,
    evidence: int = 0,
    engine: str = "local",
    address: str | None = None,
    workers: int = 1,
    finished: Callable[[list[Compared]], object] = lambda compared: None,
) -> list[Compared]:
    """Train each routing, as NAME-ROUTING, and return them in the given order.

    Args:
        work: training of one routing.
        routings: keys of ``core.fit.routes.ROUTES``.
        device, resume: as in ``fit``.
        units, evidence: number of test texts on which units, and the evidence, are measured; 0 for none.
        mistakes: number of wrong answers whose words are masked; 0 for none.
        engine: "local", one after the other, or "ray".
        address: address of the Ray cluster's head.
        workers: number of processes that measure units and evidence.
        finished: function to call after each routing, with all that are finished. What it keeps outlasts an error.

    Raises:
        ValueError: a routing is named twice, or as in ``fit``.
    """
    if twice := next((name for name in routings if list(routings).count(name) > 1), None):
        raise ValueError(f"{twice} is named twice")
    models, path = str(user_folder().absolute()), work.path.absolute()
    group = work.name if engine == "local" else ""  # two trainings at once must not fill the same file of states
    cases = [
        Case(
            dataclasses.replace(work, path=path, routing=routing, name=f"{work.name}-{routing}", group=group),
            models,
            device,
            resume,
            units,
            mistakes,
            evidence,
            workers if engine == "local" else 1,  # Ray gives each case one core
        )
        for routing in routings
    ]
    results: Iterator[dict[str, Any]]
    results = _in_turn(cases) if engine == "local" else engines.on_ray(run_case, cases, address)
    by_routing: dict[str, Compared] = {}
    compared: list[Compared] = []
    for result in results:
        by_routing[result["routing"]] = _compared(result)
        compared = [by_routing[routing] for routing in routings if routing in by_routing]
        finished(compared)
    if not any(one.was_interrupted for one in compared):
        forget_states(cases[0].work.scratch)
    return compared


def _in_turn(cases: Sequence[Case]) -> Iterator[dict[str, Any]]:
    """Run cases one after the other, up to one that is interrupted."""
    for case in cases:
        result = run_case(case)
        yield result
        if _compared(result).was_interrupted:
            return


def run_case(case: Case) -> dict[str, Any]:
    """Train and measure one routing."""
    os.environ["ROUTESCOPE_MODELS"] = case.models  # a worker on a cluster has not inherited it
    folder, result = fit(case.work, case.device, case.resume)
    if case.mistakes:
        measure_mistakes(case.work.name, case.work.path, case.mistakes, case.device)
    if case.units:
        measure_units(case.work.name, case.work.path, case.units, case.device, case.workers)
    if case.evidence:
        measure_evidence(case.work.name, case.work.path, case.evidence, case.device, case.workers)
    known = {"routing": case.work.routing, "name": case.work.name, "folder": str(folder)}
    others = {name: right.tolist() for name, right in result.others.items()}
    return known | {"right": result.right.tolist(), "dev": result.dev.tolist(), "others": others}


def _compared(result: dict[str, Any]) -> Compared:
    folder = Path(result["folder"])
    about = describe_folder(folder)
    return Compared(
        routing=result["routing"],
        name=result["name"],
        right=np.array(result["right"]),
        dev=np.array(result["dev"]),
        minutes=float(about.metrics.training["minutes"]),
        parameters=about.metrics.parameters,
        badge=badge_of(evidence_in(folder)),
        was_interrupted="interrupted" in about.metrics.training,
        others={name: np.array(right) for name, right in result["others"].items()},
    )
