"""The paper's findings about windows (sections 4.3 to 4.5) beside those of the trainings here."""

import pandas as pd

from core.analysis.intervals import interval_of_difference
from dashboard.pages.drnn.swept import (
    ARCHITECTURES,
    BEST_OF_PAPER,
    CORPORA,
    POOLINGS,
    TABLE_5,
    TASKS,
    UNITS,
    table_5,
    tasks_in,
    varied_in,
)

Finding = tuple[str, str, bool | str]  # the paper's, ours, whether they agree


def findings(table: pd.DataFrame) -> pd.DataFrame:
    """One row for each finding that the trainings in the table can confirm or refute."""
    rows = [
        *_best_windows(table),
        *_architectures(table),
        *_collapse(table),
        *_pooling(table),
        *_tasks(table),
        *_sizes(table),
    ]
    compared = pd.DataFrame(rows, columns=["The paper found", "Here", "They agree"])
    words = {True: "yes", False: "no"}
    return compared.assign(**{"They agree": [words.get(agree, agree) for agree in compared["They agree"]]})


def _architectures(table: pd.DataFrame) -> list[Finding]:
    trained = table_5(table)
    if trained["architecture"].nunique() < len(ARCHITECTURES):
        return []
    n = int(trained["tested_on"].max())
    by_name = {name: group["test"].tolist() for name, group in trained.groupby("architecture")}
    rows: list[Finding] = []
    for unit in ("cnn", "whole gru", "whole lstm"):
        low, high = interval_of_difference(by_name[ARCHITECTURES["gru"]], by_name[ARCHITECTURES[unit]], n)
        ours = f"{50 * (low + high):+.2f} points ({100 * low:+.2f} to {100 * high:+.2f})"
        better = 100 * (TABLE_5[unit] - TABLE_5["gru"])
        claim = f"DRNN errs less than the {ARCHITECTURES[unit]}, by {better:.2f} points on AG's News"
        rows.append((claim, ours, True if low > 0 else False if high < 0 else "within chance"))
    return rows


def _best_windows(table: pd.DataFrame) -> list[Finding]:
    rows, units = [], _errors(table, "unit")
    for unit, theirs in BEST_OF_PAPER.items():
        if unit in units:
            best, error = units[unit].idxmin(), units[unit].min()
            at_theirs = f"; at {theirs} it is {units[unit][theirs]:.1%}" if theirs in units[unit] else ""
            ours = f"{UNITS[unit]}: {best}, error {error:.1%}{at_theirs}"
            near = bool(theirs / 2 <= best <= 2 * theirs)  # about a step of the windows that were tried
            rows.append((f"The best window of the {UNITS[unit]} on AG's News is {theirs}", ours, near))
    return rows


def _collapse(table: pd.DataFrame) -> list[Finding]:
    plain = _errors(table, "unit").get("rnn")
    if plain is None or plain.index.max() < 15:
        return []
    short, long = plain.loc[:10].min(), plain.loc[15:].min()
    ours = f"At its best it errs by {short:.1%} up to window 10, by {long:.1%} beyond"
    return [("The plain unit collapses beyond a window of 10", ours, bool(long > 1.5 * short))]


def _pooling(table: pd.DataFrame) -> list[Finding]:
    lowest = {name: errors.min() for name, errors in _errors(table, "pooling").items()}
    if len(lowest) < len(POOLINGS):
        return []
    ours = ", ".join(f"{name} {error:.1%}" for name, error in lowest.items()) + " at the best window of each"
    return [
        ("Max pooling is better than mean and attentive pooling", ours, min(lowest, key=lowest.__getitem__) == "max")
    ]


def _tasks(table: pd.DataFrame) -> list[Finding]:
    tasks = _errors_of(tasks_in(table), "corpus", table["window"].max())
    best = {name: int(errors.idxmin()) for name, errors in tasks.items()}
    if len(best) < 2:
        return []
    ours = ", ".join(f"{TASKS[name]} {window}" for name, window in best.items())
    topic, sentiment = ([w for n, w in best.items() if CORPORA[n].subject == kind] for kind in ("topic", "sentiment"))
    agree = bool(topic and sentiment) and max(topic) < min(sentiment)
    return [("Topics want a window near 15, sentiment one of 40 or more", ours, agree)]


def _sizes(table: pd.DataFrame) -> list[Finding]:
    best = {size: int(errors.idxmin()) for size, errors in _errors(table, "size").items()}
    if len(best) < 2:
        return []
    ours = ", ".join(f"{size:,} texts: {w}" if size else f"all: {w}" for size, w in sorted(best.items()))
    agree = max(best.values()) <= 2 * min(best.values())
    return [("The best window hardly depends on how many texts there are", ours, agree)]


def _errors(table: pd.DataFrame, column: str) -> dict:
    """``_errors_of`` the rows that vary in this column and the window only."""
    return _errors_of(varied_in(table, column), column, table["window"].max())


def _errors_of(rows: pd.DataFrame, column: str, largest: int) -> dict:
    """Mean error by window for each value of the column that has been trained up to the largest window."""
    errors = {value: 1 - group.groupby("window")["test"].mean() for value, group in rows.groupby(column)}
    return {value: error for value, error in errors.items() if error.index.max() == largest}
