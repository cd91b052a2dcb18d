"""A claim from a paper, and how our measurements bear on it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

import pandas as pd

from core import manifest
from core.analysis.intervals import interval_of_paired_difference
from core.analysis.verdict import Verdict, judge_direction, judge_number, judge_observation
from core.json_files import read_json
from core.ledger.trainings import Trainings, near_best
from core.measured import answers, store
from core.measured.evidence.record import Evidence

COLUMNS = ("paper", "place", "claim", "the paper's", "here", "from", "to", "verdict", "note", "command", "file", "kind")
ONE_TRAINING = "one training each"
FINDING, COUNT = "finding", "parameter count"  # kinds of claims


@dataclass(frozen=True)
class Measured:
    """Our measurement for a claim.

    Args:
        text: measurement in words, with its unit. The interval belongs to the part before the first semicolon.
        verdict: verdict on the claim.
        low, high: ends of the 95% interval, in the unit of the text; None if there is none.
        note: main difference from the paper's conditions, or the remark that a difference is unpaired; "" otherwise.
    """

    text: str
    verdict: Verdict
    low: float | None = None
    high: float | None = None
    note: str = ""


@dataclass(frozen=True)
class Claim:
    """One row of the ledger.

    Args:
        paper: a key of ``core.ledger.PAPERS``.
        place: place in the paper, such as "table 3".
        claim: claim as a sentence.
        theirs: the paper's number, with its unit; "" if it gives none.
        command: command that makes the file; several are joined by "&&".
        file: file with the measurement, under pretrained/; "" if nothing here can judge the claim.
        measure: function that reads the file, and returns None if the file is missing or lacks the rows.
        why: reason why nothing is measured; "" otherwise.
        differs: difference of our data or protocol from the paper's, which leaves the claim open; "" if there is none.
        kind: ``FINDING``, or ``COUNT`` of parameters, which is no finding.
    """

    paper: str
    place: str
    claim: str
    theirs: str
    command: str = ""
    file: str = ""
    measure: Callable[[], Measured | None] = lambda: None
    why: str = ""
    differs: str = ""
    kind: str = FINDING

    def row(self) -> dict[str, Any]:
        """The claim and its measurement, as a row of a table."""
        measured = self.measure()
        here = (
            under_other_conditions(measured, self.differs)
            if measured
            else Measured(self.why or "not measured yet", Verdict.NOT_MEASURED)
        )
        numbers = (here.text, here.low, here.high, here.verdict.value, here.note)
        values = (self.paper, self.place, self.claim, self.theirs, *numbers, self.command, self.file, self.kind)
        return dict(zip(COLUMNS, values, strict=True))


def under_other_conditions(here: Measured, differs: str) -> Measured:
    """The measurement without a verdict on the claim if data or protocol differ from the paper's, with the reason."""
    if not differs:
        return here
    return replace(here, verdict=Verdict.OTHER_CONDITIONS, note="; ".join(filter(None, (differs, here.note))))


def differs_of(name: str) -> str:
    """The main difference of a shipped network's training from the paper's; "" if none is known."""
    return manifest.describe(name).metrics.paper.differs if name in manifest.folders() else ""


def checkpoint_claim(paper: str, place: str, claim: str, name: str) -> Claim:
    """A claim about the accuracy of a shipped network. The paper's number and ours are in its metrics.json."""

    def measure() -> Measured | None:
        try:
            metrics = manifest.describe(name).metrics
        except ValueError:
            return None
        if metrics.test.interval is None or metrics.paper.accuracy is None:
            return None
        text = f"{name}: {metrics.test.accuracy:.1%}"
        return compare_share(text, metrics.test.interval, metrics.paper.accuracy, metrics.paper.differs)

    theirs = manifest.describe(name).metrics.paper.accuracy if name in manifest.folders() else None
    command = f"python -m core.training {name} --data DIR"
    return Claim(paper, place, claim, _percent(theirs), command, f"{name}/metrics.json", measure)


def mean_claim(
    paper: str, place: str, claim: str, sweep: str, where: Mapping[str, Any], theirs: float, differs: str
) -> Claim:
    """A claim about the accuracy of one kind of network in a sweep.

    Args:
        where: column values that choose its rows.
        theirs: accuracy in the paper.
        differs: main difference from the paper's conditions.
    """

    def measure() -> Measured | None:
        rows = select(sweep, where)
        if rows is None:
            return None
        sample = Trainings.of_rows(rows)
        return compare_share(f"{fmean(sample.shares):.1%}", sample.interval, theirs, differs)

    return Claim(paper, place, claim, _percent(theirs), sweep_command(sweep), f"sweeps/{sweep}.parquet", measure)


def difference_claim(
    paper: str,
    place: str,
    claim: str,
    sweep: str,
    better: Mapping[str, Any],
    worse: Mapping[str, Any],
    theirs: float,
    differs: str = "",
) -> Claim:
    """A claim that one kind of network in a sweep is more accurate than another.

    Args:
        better, worse: column values that choose the rows of each.
        theirs: difference between the two accuracies in the paper.
        differs: as in ``Claim``; what our two networks share, unlike the paper's.
    """

    def measure() -> Measured | None:
        first, second = select(sweep, better), select(sweep, worse)
        if first is None or second is None:
            return None
        return gain(Trainings.of_rows(first), Trainings.of_rows(second))

    in_paper, file = f"{100 * theirs:+.2f} points", f"sweeps/{sweep}.parquet"
    return Claim(paper, place, claim, in_paper, sweep_command(sweep), file, measure, differs=differs)


def pair_claim(paper: str, place: str, claim: str, better: str, worse: str, theirs: float, differs: str = "") -> Claim:
    """A claim that one shipped network is more accurate than another, on the test texts that both answered.

    Args:
        better, worse: names of the checkpoints.
        theirs: difference between the two accuracies in the paper.
        differs: as in ``Claim``.
    """

    def measure() -> Measured | None:
        here = compare_pair(better, worse)
        return here and replace(here, text=f"{here.text}; {better} over {worse}")

    command = command_for_each("python -m core evaluate {} --keep --data DIR", better, worse)
    in_paper, file = f"{100 * theirs:+.2f} points", f"{better}/answers.npz"
    return Claim(paper, place, claim, in_paper, command, file, measure, differs=differs)


def compare_pair(better: str, worse: str) -> Measured | None:
    """The gain of one shipped network over another on the test texts that both answered; None if one was not kept."""
    first, second = answers.read(better), answers.read(worse)
    if first is None or second is None or first[1] != second[1] or len(first[0]) != len(second[0]):
        return None
    return judge_difference(*interval_of_paired_difference(first[0][None], second[0][None]), ONE_TRAINING)


def judge_difference(low: float, high: float, note: str = "") -> Measured:
    """Judge the claim that a difference of accuracies is above 0, by the ends of its interval."""
    return Measured(f"{50 * (low + high):+.2f} points", judge_direction(low, high), 100 * low, 100 * high, note)


def gain(sample: Trainings, other: Trainings) -> Measured:
    """Judge the claim that networks gain accuracy over others."""
    low, high, unpaired = sample.over(other)
    return judge_difference(low, high, unpaired)


def gain_over_others(rows: pd.DataFrame, column: str, value: int) -> tuple[int, Measured]:
    """The best other value of a column by test accuracy, and the gain of ``value`` over it."""
    rival, _ = near_best(rows[rows[column] != value], column)
    ours, other = (Trainings.of_rows(rows[rows[column] == chosen]) for chosen in (value, rival))
    return rival, gain(ours, other)


def weakest(gains: Mapping[int, Measured]) -> int:
    """The key of the gain that decides a claim on all: a loss beyond chance, or else the gain closest to a loss."""
    return min(gains, key=lambda key: (gains[key].high >= 0, gains[key].low))


def observed(text: str, is_true: bool, note: str = "") -> Measured:
    """An observation of the paper, and whether we observe it too."""
    return Measured(text, judge_observation(is_true), note=note)


def evidence_of(name: str) -> Evidence | None:
    """The evidence of a checkpoint from ``python -m core evidence``; None if its weights were not measured."""
    try:
        evidence = Evidence.read(read_json(manifest.folder_of(name) / "evidence.json"))
        return evidence if evidence.weights == manifest.describe(name).sha256 else None
    except ValueError:
        return None


def select(sweep: str, where: Mapping[str, Any]) -> pd.DataFrame | None:
    """The rows with these values in a sweep's table; None if there are none."""
    table = store.read_sweep(sweep)
    if table is None:
        return None
    for column, value in where.items():
        table = table[table[column] == value]
    return table if len(table) else None


def sweep_command(sweep: str) -> str:
    """The command that makes the table of a sweep."""
    return f"python -m core.sweep {sweep} --data DIR"


def command_for_each(command: str, *names: str) -> str:
    """A line for the shell that runs the command for each of these checkpoints."""
    return " && ".join(command.format(name) for name in names)


def compare_share(text: str, interval: tuple[float, float], theirs: float, differs: str) -> Measured:
    """Compare a share, such as an accuracy, with the paper's; ``differs`` is as in ``judge_number``."""
    low, high = interval
    return Measured(text, judge_number(theirs, high, differs), 100 * low, 100 * high, differs)


def _percent(accuracy: float | None) -> str:
    """An accuracy in percent, with one decimal or two as the paper has it; "" if there is none."""
    return "" if accuracy is None else f"{accuracy:.2%}".replace("0%", "%")
