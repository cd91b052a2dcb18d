"""Trains several routings on the same texts, and says which one to take and why."""

import dataclasses
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Bool
from numpy import ndarray

from core import engines
from core.analysis.intervals import interval_of_paired_difference, interval_of_share
from core.fit.progress import forget_states
from core.fit.run import FitTask, evidence_in, fit, measure_evidence
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
    """

    routing: str
    name: str
    right: Bool[ndarray, " n"]
    dev: Bool[ndarray, " d"]
    minutes: float
    parameters: int
    badge: Badge
    was_interrupted: bool

    @property
    def accuracy(self) -> float:
        """The share of test texts that it answers correctly."""
        return float(self.right.mean())


def difference(first: Bool[ndarray, " n"], second: Bool[ndarray, " n"]) -> tuple[float, float]:
    """The 95% interval of the difference of two accuracies on the same texts, first minus second."""
    return interval_of_paired_difference(first[None].astype(float), second[None].astype(float))


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
    evidence: int


def compare(
    work: FitTask,
    routings: Sequence[str],
    device: str = "auto",
    resume: bool = False,
    evidence: int = 0,
    engine: str = "local",
    address: str | None = None,
) -> list[Compared]:
    """Train each routing, as NAME-ROUTING, and return them in the given order.

    Args:
        work: training of one routing.
        routings: keys of ``core.fit.routes.ROUTES``.
        device, resume: as in ``fit``.
        evidence: number of test texts on which the evidence is measured; 0 for none.
        engine: "local", one after the other, or "ray".
        address: address of the Ray cluster's head.

    Raises:
        ValueError: a routing is named twice, or as in ``fit``.
    """
    if twice := next((name for name in routings if list(routings).count(name) > 1), None):
        raise ValueError(f"{twice} is named twice")
    models, path = str(user_folder().absolute()), work.path.absolute()
    cases = [
        Case(
            dataclasses.replace(work, path=path, routing=routing, name=f"{work.name}-{routing}", group=work.name),
            models,
            device,
            resume,
            evidence,
        )
        for routing in routings
    ]
    results: Iterator[dict[str, Any]]
    results = _in_turn(cases) if engine == "local" else engines.on_ray(run_case, cases, address)
    by_routing = {result["routing"]: result for result in results}
    compared = [_compared(by_routing[routing]) for routing in routings if routing in by_routing]
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
    if case.evidence:
        measure_evidence(case.work.name, case.work.path, case.evidence, case.device)
    known = {"routing": case.work.routing, "name": case.work.name, "folder": str(folder)}
    return known | {"right": result.right.tolist(), "dev": result.dev.tolist()}


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
    )


def table(compared: Sequence[Compared]) -> list[dict[str, Any]]:
    """One row for each routing: its accuracy, and its difference from the most accurate one."""
    best = max(compared, key=lambda one: one.accuracy)
    rows = []
    for one in compared:
        low, high = interval_of_share(one.accuracy, len(one.right))
        against_best = None if one is best else difference(one.right, best.right)
        rows.append(
            {
                "routing": one.routing,
                "accuracy": one.accuracy,
                "interval": (low, high),
                "minus best": against_best,
                "minutes": one.minutes,
                "parameters": one.parameters,
                "picture": one.badge.verdict,
                "name": one.name,
            }
        )
    return rows


def advise(compared: Sequence[Compared]) -> str:
    """One sentence: which routing to take, and why.

    Routings that are not less accurate than the best one beyond chance count as equally accurate. The advised one is
    that whose picture finds most of what matters; without evidence, it is the most accurate one. All this is judged on
    the dev texts, so that the accuracy on the test texts is not that of a winner on them. Only routings that are not
    worse on the test texts, either, are said to be no different.
    """
    best = max(compared, key=lambda one: one.dev.mean())
    equal = [one for one in compared if one is best or difference(one.dev, best.dev)[1] >= 0]
    advised = max(equal, key=lambda one: (one.badge.share or 0.0, one.dev.mean()))
    ties = [one for one in equal if one is not advised and difference(one.right, advised.right)[1] >= 0]
    others = " and ".join(one.routing for one in ties)
    rank = f"no different beyond chance from {others}" if others else "the best"
    picture = f", and its picture {_verdict(advised.badge)}" if advised.badge.is_measured else ""
    share = f"{advised.accuracy:.1%} of the test texts"
    return f"Take {advised.routing} ({share}): on the texts that chose the weights it is {rank}{picture}."


def _verdict(badge: Badge) -> str:
    return badge.verdict if badge.verdict.startswith("finds") else f"is {badge.verdict}"


def lines(compared: Sequence[Compared]) -> list[str]:
    """The table as text, and the advice."""
    head = ("accuracy", 9), ("95% interval", 18), ("minus best, points", 22), ("minutes", 9), ("parameters", 12)
    rows = [f"{'routing':<11}" + "".join(f"{name:>{width}}" for name, width in head) + "  picture"]
    for row in table(compared):
        low, high = row["interval"]
        against = row["minus best"]
        minus = "" if against is None else f"{100 * against[0]:+.1f} to {100 * against[1]:+.1f}"
        rows.append(
            f"{row['routing']:<11}{row['accuracy']:>9.1%}{f'{low:.1%} to {high:.1%}':>18}{minus:>22}"
            f"{row['minutes']:>9.1f}{row['parameters']:>12,}  {row['picture']}"
        )
    return [*rows, advise(compared)]
