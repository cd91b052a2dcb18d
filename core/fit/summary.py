"""The lines that the command prints about a trained network."""

from pathlib import Path

from core.analysis.intervals import interval_of_share
from core.fit.answers import Answers
from core.fit.card import conclude, verdict
from core.fit.data import OwnData
from core.fit.routes import ROUTES
from core.fit.run import evidence_in
from core.measured.evidence.badge import badge_of


def lines(folder: Path, routing: str, data: OwnData, result: Answers) -> list[str]:
    """The accuracy and those of the comparisons, what the picture is worth, and what to do next."""
    rows = [("this network", result.right), *result.others.items()]
    found = [f"{folder.name}, {len(data.test):,} test texts:"]
    for name, right in rows:
        low, high = interval_of_share(float(right.mean()), len(right))
        found.append(f"  {name:<30}{right.mean():>7.1%} ({low:.1%} to {high:.1%})")
    found.append(f"  macro F1 of this network        {result.macro_f1(len(data.classes)):.3f}")
    found.append(conclude(result))
    found.append(verdict(ROUTES[routing].title, result).replace("**", ""))
    if evidence := evidence_in(folder):
        badge = badge_of(evidence)
        found.append(f"Its picture: {badge.verdict} ({badge.n} texts).")
    return [
        *found,
        f'See it: python -m core explain {folder.name} "your text", or the dashboard. Card: {folder / "README.md"}',
    ]
