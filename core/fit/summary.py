"""The lines that the command prints about a trained network."""

from collections.abc import Sequence
from pathlib import Path

from core.analysis.intervals import interval_of_share
from core.fit.answers import Answers
from core.fit.card import conclude
from core.fit.data import OwnData
from core.fit.run import evidence_in
from core.measured.evidence.badge import badge_of


def lines(folder: Path, data: OwnData, result: Answers, notes: Sequence[str] = ()) -> list[str]:
    """The accuracy and those of the comparisons, what the picture is worth, further notes, and what to do next."""
    rows = [("this network", result.right), *result.others.items()]
    found = [f"{folder.name}, {len(data.test):,} test texts:"]
    for name, right in rows:
        low, high = interval_of_share(float(right.mean()), len(right))
        found.append(f"  {name:<30}{right.mean():>7.1%} ({low:.1%} to {high:.1%})")
    found.append(f"  macro F1 of this network        {result.macro_f1(len(data.classes)):.3f}")
    found.append(conclude(result))
    if evidence := evidence_in(folder):
        badge = badge_of(evidence)
        found.append(f"Its picture: {badge.verdict} ({badge.n} texts).")
    return [
        *found,
        *notes,
        f'See it: python -m core explain {folder.name} "your text", or the dashboard. Card: {folder / "README.md"}',
    ]
