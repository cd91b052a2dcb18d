"""Claims of Wang 2018 (DRNN)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import hypot, log

import pandas as pd

from core.analysis.intervals import interval_of_average, interval_of_difference
from core.ledger.claim import Claim, Measured, Verdict, command_of, of_checkpoint, points
from core.ledger.windows import (
    ARCHITECTURES,
    BEST_OF_PAPER,
    BEST_OF_TASKS,
    CORPORA,
    POOLINGS,
    TABLE_5,
    TASKS,
    UNITS,
    best_window,
    curves_by,
    curves_in,
    gain,
    shares_at,
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


# What a window that differs from the paper's says, by what it gains over the paper's.
_DIFFERS: dict[Verdict, Verdict] = {
    "agrees": "does not agree",
    "within chance": "within chance",
    "does not agree": "within chance",
}


def _yes(text: str, agrees: bool) -> Measured:
    return Measured(text, "agrees" if agrees else "does not agree")


def _best_window(table: pd.DataFrame, unit: str) -> Measured | None:
    """Agrees if the best window is within a factor of two of the paper's, about one step of the windows tried."""
    curve = curves_by(table, "unit").get(unit)
    if curve is None:
        return None
    best, theirs = best_window(curve), BEST_OF_PAPER[unit]
    agrees = theirs / 2 <= best <= 2 * theirs
    if theirs not in set(curve["window"]):
        return _yes(f"{best}", agrees)
    more = points(*gain(curve, best, theirs))
    return replace(
        more,
        text=f"{best}, whose accuracy beside that of {theirs} is {more.text}",
        verdict="agrees" if agrees else _DIFFERS[more.verdict],
    )


def _less_error(table: pd.DataFrame, unit: str) -> Measured | None:
    """DRNN beside another architecture, each with its best window."""
    trained = table_5(table)
    shares = {name: group["test"].tolist() for name, group in trained.groupby("architecture")}
    ours, other = shares.get(ARCHITECTURES["gru"]), shares.get(ARCHITECTURES[unit])
    if ours is None or other is None:
        return None
    return points(*interval_of_difference(ours, other, int(trained["tested_on"].max())))


def _always_better(table: pd.DataFrame, better: str, worse: str) -> Measured | None:
    """One unit beside another, mean over the windows that both were trained with."""
    curves = curves_by(table, "unit")
    if not {better, worse} <= set(curves):
        return None
    first, second = (curves[unit].pivot_table("test", "seed", "window").dropna() for unit in (better, worse))
    windows = first.columns.intersection(second.columns)
    ahead = int((first[windows].mean() > second[windows].mean()).sum())
    means = (curve[windows].mean(axis=1).tolist() for curve in (first, second))
    here = points(*interval_of_difference(*means, int(table["tested_on"].max())))
    return replace(here, text=f"{here.text}, mean over {len(windows)} windows; it is ahead with {ahead} of them")


def _collapse(table: pd.DataFrame) -> Measured | None:
    curve = curves_by(table, "unit").get("rnn")
    if curve is None or curve["window"].max() < 15:
        return None
    errors = 1 - curve.groupby("window")["test"].mean()
    short, long = errors.loc[:10].min(), errors.loc[15:].min()
    return _yes(f"error {short:.1%} at best up to window 10, {long:.1%} beyond", bool(long > 1.5 * short))


def _better_pooling(table: pd.DataFrame, other: str) -> Measured | None:
    """Max pooling beside another one, each with the window that is best on the dev split."""
    curves = curves_by(table, "pooling")
    if not {"max", other} <= set(curves):
        return None
    ours, others = (shares_at(curve, best_window(curve)) for curve in (curves["max"], curves[other]))
    return points(*interval_of_difference(ours, others, int(curves["max"]["tested_on"].max())))


def _mean_pooling(table: pd.DataFrame) -> Measured | None:
    """What mean pooling loses from the smallest window of more than one word to the largest."""
    curve = curves_by(table, "pooling").get("mean")
    if curve is None:
        return None
    windows = sorted(set(curve["window"]) - {1})
    here = points(*gain(curve, windows[0], windows[-1]))
    return replace(here, text=f"{here.text}, window {windows[0]} beside {windows[-1]}")


def _tasks(table: pd.DataFrame) -> Measured | None:
    """How much more sentiment gains than topics, from about the paper's best window of topics to that of sentiment."""
    curves = curves_in(tasks_in(table), "corpus", int(table["window"].max()))
    topics, sentiment = ([c for n, c in curves.items() if CORPORA[n].subject == s] for s in ("topic", "sentiment"))
    if not (topics and sentiment):
        return None
    tried = set.intersection(*(set(curve["window"]) for curve in curves.values()))
    small, large = (min(tried, key=lambda window: abs(log(window / theirs))) for theirs in BEST_OF_TASKS)
    gains = (interval_of_average([gain(curve, large, small) for curve in of_kind]) for of_kind in (sentiment, topics))
    (low, high), (low_2, high_2) = gains
    middle, half = (low + high - low_2 - high_2) / 2, hypot(high - low, high_2 - low_2) / 2
    here = points(middle - half, middle + half)
    best = ", ".join(f"{task} {best_window(curves[name])}" for name, task in TASKS.items() if name in curves)
    return replace(here, text=f"from {small} to {large} words sentiment gains {here.text} more; best window: {best}")


def _sizes(table: pd.DataFrame) -> Measured | None:
    """Agrees if the best windows are within a factor of two of each other."""
    curves = curves_by(table, "size")
    best = {size: best_window(curve) for size, curve in sorted(curves.items())}
    if len(best) < 2:
        return None
    text = ", ".join(f"{size:,} texts: {window}" if size else f"all: {window}" for size, window in best.items())
    if max(best.values()) <= 2 * min(best.values()):
        return _yes(text, True)
    of_most_texts = best[0 if 0 in best else max(best)]
    others = {size: window for size, window in best.items() if window != of_most_texts}
    gains = {size: gain(curves[size], window, of_most_texts) for size, window in others.items()}
    most = max(gains, key=gains.__getitem__)
    here = points(*gains[most])
    text = f"{text}; with {most:,} texts {here.text} beside a window of {of_most_texts}"
    return replace(here, text=text, verdict=_DIFFERS[here.verdict])


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
    _of_windows(
        "section 4.4",
        "DGRU is better than DLSTM",
        "at every window",
        partial(_always_better, better="gru", worse="lstm"),
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
    _of_windows("figure 5b", "Mean pooling becomes worse as the window grows", "", _mean_pooling),
    _of_windows("figure 6a", "Topics want a smaller window than sentiment", "15 and 40 words", _tasks),
    _of_windows("figures 6b, 6c", "The best window hardly depends on the number of training texts", "", _sizes),
    Claim(PAPER, "table 4", "DRNN's error on Yelp's polarity", "2.73%", why="Yelp's reviews are not read here"),
    Claim(PAPER, "table 4", "DRNN's error on DBpedia", "0.81%", why="no DRNN is shipped for DBpedia"),
)
