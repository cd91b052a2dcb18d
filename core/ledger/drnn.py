"""Claims of Wang 2018 (DRNN)."""

from collections.abc import Callable
from functools import partial

import pandas as pd

from core.analysis.intervals import interval_of_difference
from core.ledger.claim import Claim, Measured, command_of, of_checkpoint, points
from core.ledger.windows import (
    ARCHITECTURES,
    BEST_OF_PAPER,
    CORPORA,
    POOLINGS,
    TABLE_5,
    TASKS,
    UNITS,
    errors_by,
    errors_of,
    table_5,
    tasks_in,
)
from core.measured import store

PAPER = "DRNN"


def _of_windows(place: str, claim: str, theirs: str, judge: Callable[[pd.DataFrame], Measured | None]) -> Claim:
    """A claim that the table of the sweep of windows can judge."""

    def measure() -> Measured | None:
        table = store.read_sweep("windows")
        return None if table is None else judge(table)

    return Claim(PAPER, place, claim, theirs, command_of("windows"), "sweeps/windows.parquet", measure)


def _yes(text: str, agrees: bool) -> Measured:
    return Measured(text, "agrees" if agrees else "does not agree")


def _best_window(table: pd.DataFrame, unit: str) -> Measured | None:
    """Agrees if the best window is within a factor of two of the paper's, about one step of the windows tried."""
    errors = errors_by(table, "unit").get(unit)
    if errors is None:
        return None
    best, theirs = int(errors.idxmin()), BEST_OF_PAPER[unit]
    at_theirs = f"; {errors[theirs]:.1%} at {theirs}" if theirs in errors else ""
    return _yes(f"{best}, with an error of {errors.min():.1%}{at_theirs}", theirs / 2 <= best <= 2 * theirs)


def _less_error(table: pd.DataFrame, unit: str) -> Measured | None:
    """DRNN beside another architecture, each with its best window."""
    trained = table_5(table)
    shares = {name: group["test"].tolist() for name, group in trained.groupby("architecture")}
    ours, other = shares.get(ARCHITECTURES["gru"]), shares.get(ARCHITECTURES[unit])
    if ours is None or other is None:
        return None
    return points(*interval_of_difference(ours, other, int(trained["tested_on"].max())))


def _collapse(table: pd.DataFrame) -> Measured | None:
    plain = errors_by(table, "unit").get("rnn")
    if plain is None or plain.index.max() < 15:
        return None
    short, long = plain.loc[:10].min(), plain.loc[15:].min()
    return _yes(f"error {short:.1%} at best up to window 10, {long:.1%} beyond", bool(long > 1.5 * short))


def _better_pooling(table: pd.DataFrame, other: str) -> Measured | None:
    """Max pooling beside another one, each with the window that is best on the dev split."""
    rows = table[(table["corpus"] == "ag_news") & (table["unit"] == "gru") & (table["size"] == 0)]
    if not {"max", other} <= set(errors_by(table, "pooling")):
        return None
    best = rows.groupby(["pooling", "window"])["dev"].mean().groupby("pooling").idxmax()
    first, second = (
        rows[(rows["pooling"] == pooling) & (rows["window"] == best[pooling][1])]["test"].tolist()
        for pooling in ("max", other)
    )
    return points(*interval_of_difference(first, second, int(rows["tested_on"].max())))


def _tasks(table: pd.DataFrame) -> Measured | None:
    errors = errors_of(tasks_in(table), "corpus", int(table["window"].max()))
    best = {name: int(by_window.idxmin()) for name, by_window in errors.items()}
    topic, sentiment = ([w for n, w in best.items() if CORPORA[n].subject == kind] for kind in ("topic", "sentiment"))
    if not (topic and sentiment):
        return None
    return _yes(", ".join(f"{TASKS[name]} {window}" for name, window in best.items()), max(topic) < min(sentiment))


def _sizes(table: pd.DataFrame) -> Measured | None:
    best = {size: int(errors.idxmin()) for size, errors in errors_by(table, "size").items()}
    if len(best) < 2:
        return None
    text = ", ".join(f"{size:,} texts: {w}" if size else f"all: {w}" for size, w in sorted(best.items()))
    return _yes(text, max(best.values()) <= 2 * min(best.values()))


CLAIMS = (
    of_checkpoint(PAPER, "table 4", "DRNN's accuracy on AG's News", "drnn-ag"),
    *(
        _of_windows(
            "table 5",
            f"DRNN errs less than {'an' if unit == 'whole lstm' else 'a'} {ARCHITECTURES[unit]} on AG's News",
            f"{100 * (TABLE_5[unit] - TABLE_5['gru']):+.2f} points",
            partial(_less_error, unit=unit),
        )
        for unit in ("cnn", "whole gru", "whole lstm")
    ),
    *(
        _of_windows(
            "section 4.3" if unit == "cnn" else "sections 4.3, 4.4",
            f"The best window of the {UNITS[unit]} on AG's News",
            f"{window} words",
            partial(_best_window, unit=unit),
        )
        for unit, window in BEST_OF_PAPER.items()
    ),
    _of_windows("figure 5a", "The plain unit collapses beyond a window of 10", "error above 20%", _collapse),
    *(
        _of_windows(
            "figure 5b",
            f"Max pooling is better than {POOLINGS[other]} pooling",
            "",
            partial(_better_pooling, other=other),
        )
        for other in ("mean", "attentive")
    ),
    _of_windows("figure 6a", "Topics want a smaller window than sentiment", "15 and 40 words", _tasks),
    _of_windows("figures 6b, 6c", "The best window hardly depends on the number of training texts", "", _sizes),
    Claim(PAPER, "table 4", "DRNN's error on Yelp's polarity", "2.73%", why="Yelp's reviews are not read here"),
    Claim(PAPER, "table 4", "DRNN's error on DBpedia", "0.81%", why="no DRNN is shipped for DBpedia"),
)
