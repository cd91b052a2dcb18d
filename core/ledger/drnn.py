"""Claims of Wang 2018 (DRNN)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import hypot, log
from statistics import fmean

import pandas as pd

from core import manifest
from core.analysis.intervals import interval_of_average, interval_of_few
from core.analysis.verdict import Verdict, judge_direction
from core.ledger.claim import (
    Claim,
    Measured,
    checkpoint_claim,
    command_for_each,
    compare_share,
    gain,
    gain_over_others,
    judge_difference,
    observed,
    sweep_command,
    weakest,
)
from core.ledger.trainings import UNPAIRED, Trainings, near_best
from core.ledger.windows import (
    ARCHITECTURES,
    BEST_OF_PAPER,
    BEST_OF_TASKS,
    CORPORA,
    LONG,
    POOLINGS,
    TABLE_5,
    UNITS,
    best_window,
    common_windows,
    curves_by,
    curves_in,
    table_5,
    tasks_in,
    trainings_at,
)
from core.measured import store

PAPER = "DRNN"
SHORT = 5  # words; smaller windows count as short
NEARLY = 0.99  # share of the best dev accuracy at which a training counts as converged
DBPEDIA = 0.0081  # the paper's error on DBpedia


def _windows_claim(
    place: str, claim: str, theirs: str, judge: Callable[[pd.DataFrame], Measured | None], differs: str = ""
) -> Claim:
    """A claim that the table of the sweep of windows can judge."""

    def measure() -> Measured | None:
        table = store.read_sweep("windows")
        return None if table is None else judge(table)

    command, file = sweep_command("windows"), "sweeps/windows.parquet"
    return Claim(PAPER, place, claim, theirs, command, file, measure, differs=differs)


def _best_window(table: pd.DataFrame, unit: str) -> Measured | None:
    """The gain of the paper's window over the best other one; None if one of them was not trained."""
    curve, theirs = curves_by(table, "unit").get(unit), BEST_OF_PAPER[unit]
    if curve is None or not {theirs} < set(curve["window"]):
        return None
    best, near = near_best(curve, "window")
    rival, here = gain_over_others(curve, "window", theirs)
    listed = ", ".join(map(str, near))
    compared = f"{here.text} with window {theirs} instead of {rival}"
    return replace(here, text=f"{compared}; best: {best}; within one standard error of the best: {listed}")


def _converges_faster() -> Measured | None:
    """The steps by which GRUs reach a level earlier than LSTMs: ``NEARLY`` of the lower of both best dev accuracies."""
    table = store.read_sweep("convergence")
    if table is None:
        return None
    reached: dict[str, list[int]] = {"gru": [], "lstm": []}
    for _, rows in table.groupby("seed"):
        if set(rows["unit"]) == set(reached):
            curves = {row.unit: _curve(row.steps, row.curve) for row in rows.itertuples()}
            level = NEARLY * min(max(curve.values()) for curve in curves.values())
            for unit, curve in curves.items():
                reached[unit].append(next(step for step, accuracy in curve.items() if accuracy >= level))
    if len(reached["gru"]) < 2:
        return None
    earlier = [lstm - gru for gru, lstm in zip(*reached.values(), strict=True)]
    low, high = interval_of_few(earlier)
    means = ", ".join(f"{unit.upper()} after {fmean(steps):.0f}" for unit, steps in reached.items())
    by = f"{'earlier' if fmean(earlier) >= 0 else 'later'} by {abs(fmean(earlier)):.0f} steps"
    text = f"GRUs {by}; {means}; to {NEARLY:.0%} of the lower best dev accuracy"
    return Measured(text, judge_direction(low, high), low, high)


def _curve(steps: str, accuracies: str) -> dict[int, float]:
    """The dev accuracy at each step, from the texts of a row."""
    return dict(zip(map(int, steps.split()), map(float, accuracies.split()), strict=True))


def _less_error(table: pd.DataFrame, unit: str) -> Measured | None:
    """The gain of DRNN over another architecture, each with its best window."""
    samples = {name: Trainings.of_rows(rows) for name, rows in table_5(table).groupby("architecture")}
    ours, other = samples.get(ARCHITECTURES["gru"]), samples.get(ARCHITECTURES[unit])
    return None if ours is None or other is None else gain(ours, other)


def _better(table: pd.DataFrame, column: str, better: str, worse: str) -> Measured | None:
    """The gain of one unit or pooling over another, over the windows that both were trained with.

    The claim is reproduced if the mean gain over these windows is beyond chance. It does not hold if the mean, or the
    gain at any window, is a loss beyond chance.
    """
    curves = curves_by(table, column)
    if not {better, worse} <= set(curves):
        return None
    first, second = curves[better], curves[worse]
    windows = common_windows(first, second)
    mean = gain(trainings_at(first, *windows), trainings_at(second, *windows))
    by_window = {k: gain(trainings_at(first, k), trainings_at(second, k)) for k in windows}
    window = min(by_window, key=lambda k: by_window[k].high)
    worst = by_window[window]
    in_mean, at_worst = (
        f"{mean.text} on average over {len(windows)} windows",
        f"{worst.text} with window {window}, the worst one",
    )
    points = ", ".join(f"{round((here.low + here.high) / 2, 1) + 0.0:+.1f}" for here in by_window.values())
    along = f"windows {windows[0]} to {windows[-1]}: {points}"
    if worst.verdict is Verdict.DOES_NOT_HOLD:
        return replace(worst, text=f"{at_worst}; {in_mean}; {along}")
    return replace(mean, text=f"{in_mean}; {at_worst}; {along}")


def _collapse(table: pd.DataFrame) -> Measured | None:
    """Observe whether the plain unit has many more errors beyond a window of 10."""
    curve = curves_by(table, "unit").get("rnn")
    if curve is None or curve["window"].max() < 15:
        return None
    errors = 1 - curve.groupby("window")["test"].mean()
    short, long = errors.loc[:10].mean(), errors.loc[15:].mean()
    worst = errors.loc[15:]
    means = f"mean error {short:.1%} with windows up to 10, {long:.1%} with larger ones"
    text = f"{means}; worst: {worst.max():.1%} with window {worst.idxmax()}"
    return observed(text, bool(long > 1.5 * short))


def _short_windows(table: pd.DataFrame) -> Measured | None:
    """The loss of the plain unit against the gated ones, at short windows and at longer ones."""
    curves = curves_by(table, "unit")
    if not {"rnn", "gru", "lstm"} <= set(curves):
        return None
    errors = pd.DataFrame({unit: 1 - curves[unit].groupby("window")["test"].mean() for unit in ("rnn", "gru", "lstm")})
    loss = (errors["rnn"] - errors[["gru", "lstm"]].mean(axis=1)).dropna()
    short, long = loss[loss.index < SHORT].mean(), loss[loss.index >= SHORT].mean()
    text = f"{100 * short:.2f} points more error with windows below {SHORT}, {100 * long:.2f} with other windows"
    rule = "the rule: “a little” is less than half of the points with other windows"
    return observed(text, bool(short < long / 2), rule)


def _overfits(table: pd.DataFrame) -> Measured | None:
    """The loss of a convolution from its best window to the largest."""
    curve = curves_by(table, "unit").get("cnn")
    if curve is None:
        return None
    (best, _), largest = near_best(curve, "window"), int(curve["window"].max())
    here = gain(trainings_at(curve, best), trainings_at(curve, largest))
    return replace(here, text=f"{here.text} with window {best} instead of {largest}")


def _mean_pooling(table: pd.DataFrame) -> Measured | None:
    """The loss of mean pooling from the smallest window of at least two words to the largest."""
    curve = curves_by(table, "pooling").get("mean")
    if curve is None:
        return None
    windows = sorted(set(curve["window"]) - {1})
    here = gain(trainings_at(curve, windows[0]), trainings_at(curve, windows[-1]))
    errors = 1 - curve.groupby("window")["test"].mean()
    measured = f"errors of all windows: {errors.min():.1%} to {errors.max():.1%}"
    text = f"{here.text} with window {windows[0]} instead of {windows[-1]}; {measured}"
    return replace(here, text=text)


def _tasks(table: pd.DataFrame) -> Measured | None:
    """The gain of sentiment minus the gain of topics, from a larger window.

    The window grows from about the paper's best one for topics to about its best one for sentiment.
    """
    curves = curves_in(tasks_in(table), "corpus", int(table["window"].max()))
    by_subject = {
        subject: [curve for name, curve in curves.items() if name in LONG and CORPORA[name].subject == subject]
        for subject in ("sentiment", "topic")
    }
    if not all(by_subject.values()):
        return None
    tried = set.intersection(*(set(curve["window"]) for its_curves in by_subject.values() for curve in its_curves))
    small, large = (min(tried, key=lambda window: abs(log(window / theirs))) for theirs in BEST_OF_TASKS)
    gains = {
        subject: [trainings_at(curve, large).over(trainings_at(curve, small)) for curve in its_curves]
        for subject, its_curves in by_subject.items()
    }
    (low, high), (low_2, high_2) = (
        interval_of_average([(low, high) for low, high, _ in its_gains]) for its_gains in gains.values()
    )
    middle, half = (low + high - low_2 - high_2) / 2, hypot(high - low, high_2 - low_2) / 2
    unpaired = UNPAIRED if any(note for its_gains in gains.values() for _, _, note in its_gains) else ""
    here = judge_difference(middle - half, middle + half, unpaired)
    compared = f"the gain from window {small} to {large} on sentiment, minus the same gain on topics"
    best = ", ".join(
        f"{near_best(curves[name], 'window')[0]} on {CORPORA[name].title}" for name in LONG if name in curves
    )
    return replace(here, text=f"{here.text}, {compared}; best windows: {best}")


def _sizes(table: pd.DataFrame) -> Measured | None:
    """The gain of the best window for the most texts over the others, for the number of texts with the worst gain.

    Only windows that were trained for every number of texts count.
    """
    curves = dict(sorted(curves_by(table, "size").items()))
    common = set.intersection(*(set(curve["window"]) for curve in curves.values())) if curves else set()
    if len(curves) < 2 or len(common) < 2:
        return None
    curves = {size: curve[curve["window"].isin(common)] for size, curve in curves.items()}
    names = {size: f"{size:,} texts" if size else "all texts" for size in curves}
    best = {size: near_best(curve, "window")[0] for size, curve in curves.items()}
    window = best[0 if 0 in best else max(best)]
    gains = {size: gain_over_others(curve, "window", window) for size, curve in curves.items()}
    size = weakest({size: here for size, (_, here) in gains.items()})
    rival, here = gains[size]
    listed = ", ".join(f"{window} for {names[size]}" for size, window in best.items())
    compared = f"with window {window} instead of {rival}, trained on {names[size]}"
    text = f"{here.text} {compared}; best of {len(common)} windows: {listed}"
    return replace(here, text=text)


def _on_dbpedia(table: pd.DataFrame) -> Measured | None:
    """The error on DBpedia at the best window."""
    curve = tasks_in(table).query("corpus == 'dbpedia'")
    if not len(curve):
        return None
    window = best_window(curve)
    sample = trainings_at(curve, window)
    low, high = sample.interval
    error, n = 1 - sample.mean().shares[0], int(curve["trained_on"].max())
    trained = f"trained on {n:,} of 560,000 texts, without titles"
    differs = f"{trained}; tested on {sample.n:,} other texts of the training split"
    return compare_share(f"{error:.1%} with window {window}", (1 - high, 1 - low), DBPEDIA, differs)


def _read_example(name: str, example: str) -> tuple[str, float] | None:
    """The answer of a network on an example of its page, and its probability; None if it was not measured."""
    measured = store.read("examples", name)
    if measured is None or example not in measured["names"]:
        return None
    (probabilities,) = measured["probabilities"][measured["names"] == example]
    best = int(probabilities.argmax())
    return manifest.describe(name).classes[best], float(probabilities[best])


def _both_orders() -> Measured | None:
    """The answers on the two orders of one sentence."""
    early, late = (_read_example("drnn-ag", f"Table 1, phrase {place}") for place in ("early", "late"))
    if early is None or late is None:
        return None
    text = f"phrase early: {early[0]} ({early[1]:.1%}); phrase late: {late[0]} ({late[1]:.1%})"
    return observed(text, early[0] == late[0], "one sentence in two orders")


def _both_reviews() -> Measured | None:
    """The answers on the two reviews, of which other networks of the paper miss one each."""
    answers = {label: _read_example("drnn-imdb", f"Table 6, {label}") for label in ("negative", "positive")}
    given = {label: answer for label, answer in answers.items() if answer is not None}
    if len(given) < len(answers):
        return None
    text = "; ".join(f"the {label} one: {answer} ({share:.1%})" for label, (answer, share) in given.items())
    right = all(label == answer for label, (answer, _) in given.items())
    return observed(text, right, "trained on film reviews; these are of a hotel and a shop")


CLAIMS = (
    checkpoint_claim(PAPER, "table 4", "DRNN's accuracy on AG's News", "drnn-ag"),
    *(
        _windows_claim(
            "table 5",
            f"DRNN makes fewer errors than {'an' if unit == 'whole lstm' else 'a'} {ARCHITECTURES[unit]} on AG's News",
            f"{100 * (TABLE_5[unit] - TABLE_5['gru']):+.2f} points",
            partial(_less_error, unit=unit),
        )
        for unit in ("cnn", "whole gru", "whole lstm")
    ),
    *(
        _windows_claim(
            "section 4.3" if unit == "cnn" else "sections 4.3, 4.4",
            f"The best window of the {UNITS[unit]} on AG's News",
            f"{window} words",
            partial(_best_window, unit=unit),
        )
        for unit, window in BEST_OF_PAPER.items()
    ),
    _windows_claim(
        "section 4.4",
        "DGRU is better than DLSTM",
        "at every window",
        partial(_better, column="unit", better="gru", worse="lstm"),
    ),
    _windows_claim(
        "section 4.4", "Below a window of 5, the plain unit is only a little worse than gated units", "", _short_windows
    ),
    _windows_claim("figure 5a", "The plain unit collapses beyond a window of 10", "error above 20%", _collapse),
    _windows_claim("figure 4", "A convolution with a large window overfits", "", _overfits),
    *(
        _windows_claim(
            "figure 5b",
            f"Max pooling is better than {POOLINGS[other]} pooling",
            "",
            partial(_better, column="pooling", better="max", worse=other),
        )
        for other in ("mean", "attentive")
    ),
    _windows_claim("figure 5b", "Mean pooling becomes worse as the window grows", "", _mean_pooling),
    _windows_claim(
        "figure 6a", "Topics want a smaller window than sentiment", "15 and 40 words", _tasks, "on IMDB instead of Yelp"
    ),
    _windows_claim(
        "figures 6b, 6c",
        "The best window hardly depends on the number of training texts",
        "",
        _sizes,
        "on AG's News instead of DBpedia and Yelp",
    ),
    _windows_claim("table 4", "DRNN's error on DBpedia", f"{DBPEDIA:.2%}", _on_dbpedia),
    Claim(
        PAPER,
        "table 1",
        "A key phrase early or late in the sentence leads to the same class",
        "same class",
        command_for_each("python -m core.measured examples {}", "drnn-ag"),
        "drnn-ag/examples.npz",
        _both_orders,
    ),
    Claim(
        PAPER,
        "table 6",
        "DRNN classifies both printed reviews correctly",
        "both",
        command_for_each("python -m core.measured examples {}", "drnn-imdb"),
        "drnn-imdb/examples.npz",
        _both_reviews,
        differs="trained on IMDB instead of Yelp",
    ),
    Claim(
        PAPER,
        "section 4.4",
        "DGRU converges faster than DLSTM",
        "",
        sweep_command("convergence"),
        "sweeps/convergence.parquet",
        _converges_faster,
    ),
    Claim(PAPER, "table 4", "DRNN's error on Yelp's polarity", "2.73%", why="Routescope does not read Yelp's reviews"),
)
