"""A claim of a paper, and what the measured files here say of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Literal

import pandas as pd

from core import manifest
from core.analysis.intervals import interval_of_difference, interval_of_mean
from core.measured import store

Verdict = Literal["agrees", "does not agree", "within chance", "not measured"]


@dataclass(frozen=True)
class Measured:
    """What was measured here for a claim.

    Args:
        text: the measurement in words, with its unit.
        verdict: whether it agrees with the claim.
        low, high: ends of the 95% interval, in the unit of the text; None where there is none.
    """

    text: str
    verdict: Verdict
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Claim:
    """One row of the ledger.

    Args:
        paper: a key of ``core.ledger.PAPERS``.
        place: where the paper says it, such as "table 3".
        claim: a sentence.
        theirs: the paper's number, with its unit; "" if it gives none.
        command: makes the file.
        file: that holds what was measured, under pretrained/; "" if nothing here can say.
        measure: reads the file; None if it is not there or lacks the rows.
        why: the reason that nothing is measured; "" otherwise.
    """

    paper: str
    place: str
    claim: str
    theirs: str
    command: str = ""
    file: str = ""
    measure: Callable[[], Measured | None] = lambda: None
    why: str = ""

    def row(self) -> dict[str, Any]:
        """The claim with what was measured, as a row of a table."""
        here = self.measure() or Measured(self.why or "not measured yet", "not measured")
        return {
            "paper": self.paper,
            "place": self.place,
            "claim": self.claim,
            "the paper's": self.theirs,
            "here": here.text,
            "from": here.low,
            "to": here.high,
            "verdict": here.verdict,
            "command": self.command,
            "file": self.file,
        }


def of_checkpoint(paper: str, place: str, claim: str, name: str) -> Claim:
    """A claim about the accuracy of a shipped network; the paper's and ours stand in its metrics.json."""

    def measure() -> Measured | None:
        try:
            metrics = manifest.describe(name).metrics
        except ValueError:
            return None
        if metrics.test.interval is None or metrics.paper.accuracy is None:
            return None
        return _beside(metrics.test.accuracy, metrics.test.interval, metrics.paper.accuracy, f"{name}: ")

    theirs = manifest.describe(name).metrics.paper.accuracy if name in manifest.folders() else None
    command = f"python -m core.training {name} --data DIR"
    return Claim(paper, place, claim, _percent(theirs), command, f"{name}/metrics.json", measure)


def of_mean(paper: str, place: str, claim: str, sweep: str, where: Mapping[str, Any], theirs: float) -> Claim:
    """A claim about the accuracy of one kind of network in a sweep.

    Args:
        where: the values of columns that choose its rows.
        theirs: the paper's accuracy.
    """

    def measure() -> Measured | None:
        rows = select(sweep, where)
        if rows is None:
            return None
        shares = rows["test"].tolist()
        interval = interval_of_mean(shares, int(rows["tested_on"].max()))
        return _beside(fmean(shares), interval, theirs, "")

    return Claim(paper, place, claim, _percent(theirs), command_of(sweep), f"sweeps/{sweep}.parquet", measure)


def of_difference(
    paper: str,
    place: str,
    claim: str,
    sweep: str,
    better: Mapping[str, Any],
    worse: Mapping[str, Any],
    theirs: float,
) -> Claim:
    """A claim that one kind of network in a sweep is more accurate than another one.

    Args:
        better, worse: the values of columns that choose the rows of each.
        theirs: the paper's difference of the two accuracies.
    """

    def measure() -> Measured | None:
        first, second = select(sweep, better), select(sweep, worse)
        if first is None or second is None:
            return None
        n = int(first["tested_on"].max())
        low, high = interval_of_difference(first["test"].tolist(), second["test"].tolist(), n)
        return points(low, high)

    points_of_paper = f"{100 * theirs:+.2f} points"
    return Claim(paper, place, claim, points_of_paper, command_of(sweep), f"sweeps/{sweep}.parquet", measure)


def points(low: float, high: float) -> Measured:
    """A difference of accuracies, from its interval; it agrees if all of the interval is above 0."""
    verdict: Verdict = "agrees" if low > 0 else "does not agree" if high < 0 else "within chance"
    return Measured(f"{50 * (low + high):+.2f} points", verdict, 100 * low, 100 * high)


def select(sweep: str, where: Mapping[str, Any]) -> pd.DataFrame | None:
    """The rows of a sweep's table that have these values; None if there are none."""
    table = store.read_sweep(sweep)
    if table is None:
        return None
    for column, value in where.items():
        table = table[table[column] == value]
    return table if len(table) else None


def command_of(sweep: str) -> str:
    """The command that makes the table of a sweep."""
    return f"python -m core.sweep {sweep} --data DIR"


def _beside(ours: float, interval: tuple[float, float], theirs: float, before: str) -> Measured:
    """An accuracy beside the paper's: within chance if the paper's lies in the interval; agrees if ours is higher."""
    low, high = interval
    verdict: Verdict = "within chance" if low <= theirs <= high else "agrees" if ours > theirs else "does not agree"
    return Measured(f"{before}{ours:.1%}", verdict, 100 * low, 100 * high)


def _percent(accuracy: float | None) -> str:
    return "" if accuracy is None else f"{accuracy:.2%}".replace("0%", "%")
