"""Words for the claims, on the Ledger page and on the command line."""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from core.analysis.verdict import Verdict
from core.ledger import PAPERS


def count(claims: pd.DataFrame) -> str:
    """Count the claims, in total and per verdict."""
    n = claims["verdict"].value_counts()
    by_verdict = ", ".join(f"{verdict} {n.get(verdict.value, 0)}" for verdict in Verdict)
    return f"{len(claims)} claim{'' if len(claims) == 1 else 's'}: {by_verdict}."


def details(row: Mapping[str, Any]) -> str:
    """Describe a claim's place in its paper, its measurement and the verdict."""
    paper, place, theirs = row["paper"], row["place"], row["the paper's"]
    source = f"({PAPERS[paper]}, {place}{f'; the paper: {theirs}' if theirs else ''})."
    here = with_interval(row, ", 95% interval {}")
    if row["verdict"] == Verdict.NOT_MEASURED:
        return f"{source} {here[:1].upper()}{here[1:]}."
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
