"""Words for the claims, on the Ledger page and on the command line."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from core.analysis.verdict import Verdict
from core.ledger import PAPERS
from core.ledger.claim import COUNT
from core.sentences.words import capital, listed

SAYS = {  # of one finding, and of several
    Verdict.REPRODUCED: ("{} is reproduced", "{} are reproduced"),
    Verdict.DOES_NOT_HOLD: ("{} does not hold", "{} do not hold"),
    Verdict.INCONCLUSIVE: ("{} is inconclusive", "{} are inconclusive"),
    Verdict.OTHER_CONDITIONS: ("{} was tested under other conditions", "{} were tested under other conditions"),
}
OPEN = " A test under other conditions says nothing about the paper."


def count(claims: pd.DataFrame) -> str:
    """Count the findings by their verdict. Numbers of parameters are no findings, so they are counted separately."""
    is_count = claims["kind"] == COUNT
    n = Counter(claims[~is_count]["verdict"])
    total, tested = n.total(), n.total() - n[Verdict.NOT_MEASURED]
    said = [(n[verdict], *forms) for verdict, forms in SAYS.items() if n[verdict]]
    parts = [(one if k == 1 else many).format(k) for k, one, many in said]
    findings = f"We tested {tested} of {total} published finding{'' if total == 1 else 's'}"
    findings += f": {listed(parts)}." if parts else "."
    findings += OPEN if n[Verdict.OTHER_CONDITIONS] else ""
    n_equal, n_counts = int((claims[is_count]["verdict"] == Verdict.REPRODUCED).sum()), int(is_count.sum())
    how_many = f"All {n_counts}" if n_equal == n_counts else f"{n_equal} of {n_counts}"
    agree = f"{how_many} published numbers of parameters, counted apart, agree with ours."
    counts = agree if n_counts else ""
    return f"{findings} {counts}".strip()


def details(row: Mapping[str, Any]) -> str:
    """Describe a claim's place in its paper, its measurement and the verdict."""
    paper, place, theirs = row["paper"], row["place"], row["the paper's"]
    source = f"({PAPERS[paper]}, {place}{f'; the paper: {theirs}' if theirs else ''})."
    here = with_interval(row, ", 95% interval {}")
    if row["verdict"] == Verdict.NOT_MEASURED:
        return f"{source} {capital(here)}."
    form = ": {}" if row["verdict"] == Verdict.OTHER_CONDITIONS else " ({})"
    note = form.format(row["note"]) if row["note"] else ""
    return f"{source} Here: {here}. {row['verdict'].capitalize()}{note}."


def with_interval(row: Mapping[str, Any], form: str) -> str:
    """The measurement for a claim, with its interval after the figure. The placeholder in ``form`` is the interval."""
    figure, mark, rest = row["here"].partition(";")
    interval = interval_of(row)
    return f"{figure}{form.format(interval)}{mark}{rest}" if interval else row["here"]


def interval_of(row: Mapping[str, Any]) -> str:
    """The interval of a claim's measurement, in its unit; "" if there is none."""
    if pd.isna(row["from"]):
        return ""
    form = ".1f" if "%" in row["here"] and "points" not in row["here"] else "+.2f"
    return f"{row['from']:{form}} to {row['to']:{form}}"


def lines(claims: pd.DataFrame) -> Iterator[str]:
    """Yield the claims as lines of text, grouped by verdict."""
    yield count(claims)
    for verdict in Verdict:
        rows = claims[claims["verdict"] == verdict.value]
        if len(rows):
            yield f"\n{verdict.capitalize()}: {len(rows)}"
            yield from (f"- {row['claim']} {details(row)}" for row in rows.to_dict("records"))
