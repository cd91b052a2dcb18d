"""The latest figures, which results.json keeps and README's table shows."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from core.files import write
from tests.benchmarks.figure import Figure

RESULTS = Path(__file__).with_name("results.json")


@dataclass(frozen=True)
class Result:
    """A figure, the benchmark that measures it, and the day it was measured (ISO 8601)."""

    benchmark: str
    figure: Figure
    date: str

    def to_row(self) -> dict:
        return {"benchmark": self.benchmark, **asdict(self.figure), "date": self.date}

    @classmethod
    def from_row(cls, row: dict) -> "Result":
        return cls(row["benchmark"], Figure(**{f.name: row[f.name] for f in fields(Figure)}), row["date"])


def read(path: Path = RESULTS) -> list[Result]:
    """The saved results."""
    return [Result.from_row(row) for row in json.loads(path.read_text(encoding="utf-8"))]


def keep(new: Iterable[Result], path: Path = RESULTS) -> None:
    """Save results in place of the older ones of the same benchmarks."""
    by_benchmark = _grouped(read(path)) | _grouped(new)
    rows = [json.dumps(r.to_row(), ensure_ascii=False) for results in by_benchmark.values() for r in results]
    write(path, ("[\n" + ",\n".join(rows) + "\n]\n").encode())


def _grouped(results: Iterable[Result]) -> dict[str, list[Result]]:
    """The results by benchmark, in order."""
    groups: dict[str, list[Result]] = {}
    for result in results:
        groups.setdefault(result.benchmark, []).append(result)
    return groups


def to_markdown(results: Iterable[Result]) -> str:
    """A table with one row per figure: its limit, and the used share of the limit."""
    lines = ["| figure | measured | bar | of the bar used | NAME | date |", "|---|---|---|---|---|---|"]
    for result in results:
        figure, bar, used = result.figure, "-", "-"
        if figure.bar is not None:
            bar, used = f"{'≥ ' if figure.at_least else ''}{figure.bar:,g} {figure.unit}", f"{figure.used_share:.2f}"
        lines.append(f"| {figure.name} | {_measured(figure)} | {bar} | {used} | `{result.benchmark}` | {result.date} |")
    return "\n".join(lines)


def _measured(figure: Figure) -> str:
    """The value with three digits, without an exponent, and its unit. A negative growth is "none"."""
    if figure.measured < 0:
        return f"none: {_digits(-figure.measured)} {figure.unit} less"
    return f"{_digits(figure.measured)} {figure.unit}"


def _digits(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
