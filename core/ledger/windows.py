"""The sweep of windows, split like the paper's figures and tables (Wang 2018, sections 4.3 to 4.5)."""

from typing import Any

import numpy as np
import pandas as pd

from core.analysis.intervals import QUANTILE
from core.datasets import CORPORA as ALL_CORPORA
from core.ledger.trainings import Trainings

UNITS = {"gru": "DGRU", "lstm": "DLSTM", "rnn": "plain DRNN", "cnn": "CNN"}
POOLINGS = {"max": "max", "mean": "mean", "attentive": "attentive"}
CORPORA = {name: ALL_CORPORA[name] for name in ("ag_news", "dbpedia", "trec", "sst", "imdb")}
TASKS = {name: f"{corpus.subject}, {corpus.title_in(2)}" for name, corpus in CORPORA.items()}
CENTRE = {"corpus": "ag_news", "unit": "gru", "pooling": "max", "size": 0}  # comparisons vary one of these at a time
N_PAPER = 120_000  # training texts of AG's News in the paper
# The paper's table 5, test errors on AG's News: a convolution, ordinary layers over the whole text, and DRNN.
TABLE_5 = {"cnn": 0.0630, "whole gru": 0.0625, "whole lstm": 0.0620, "gru": 0.0553}
ARCHITECTURES = {"cnn": "CNN", "whole gru": "GRU", "whole lstm": "LSTM", "gru": "DRNN (DGRU)"}
BEST_OF_PAPER = {"cnn": 3, "gru": 15, "lstm": 5}  # windows, on AG's News
BEST_OF_TASKS = (15, 40)  # best windows for topics and for sentiment
LONG = ("ag_news", "dbpedia", "imdb")  # corpora with texts long enough for ``BEST_OF_TASKS`` to make a difference


def varied_in(table: pd.DataFrame, column: str) -> pd.DataFrame:
    """The rows that differ from ``CENTRE`` only in this column and the window."""
    at_centre = [table[name].to_numpy() == value for name, value in CENTRE.items() if name != column]
    return table[np.logical_and.reduce(at_centre)]


def tasks_in(table: pd.DataFrame) -> pd.DataFrame:
    """The rows that compare tasks, all trained on the same number of texts."""
    rows = table[(table["unit"] == "gru") & (table["pooling"] == "max") & table["corpus"].isin(list(TASKS))]
    sizes = rows[rows["corpus"] != CENTRE["corpus"]]["size"]
    return rows[rows["size"] == (sizes.iloc[0] if len(sizes) else -1)]


def reductions(table: pd.DataFrame) -> pd.DataFrame:
    """The rows that compare tasks, with the error reduction as a share of the error at the smallest window."""
    rows = tasks_in(table)
    rows = rows.assign(error=1 - rows["test"]).sort_values("window")
    first = rows.groupby(["corpus", "seed"])["error"].transform("first")
    return rows.assign(reduction=1 - rows["error"] / first)


def table_5(table: pd.DataFrame) -> pd.DataFrame:
    """The trainings of each architecture on AG's News, with its best window on the dev split."""
    rows = []
    for unit, name in ARCHITECTURES.items():
        trained = varied_in(table, "unit")
        trained = trained[trained["unit"] == unit]
        if len(trained):
            window = best_window(trained)
            chosen = trained[trained["window"] == window]
            rows.append(chosen.assign(architecture=name, window=window, paper=1 - TABLE_5[unit]))
    return pd.concat(rows) if rows else table.iloc[:0].assign(architecture="", paper=0.0)


def by_size(table: pd.DataFrame) -> pd.DataFrame:
    """Error at the best window, with its standard deviation, by number of training texts from AG's News."""
    rows = varied_in(table, "size")
    best = rows.groupby("trained_on").apply(_error_at_best_window).reset_index()
    return best[["trained_on", "error", "deviation"]]


def _error_at_best_window(rows: pd.DataFrame) -> pd.Series:
    chosen = trainings_at(rows, best_window(rows))
    low, high = chosen.interval
    return pd.Series({"error": 1 - chosen.mean().shares[0], "deviation": (high - low) / 2 / QUANTILE})


def curves_by(table: pd.DataFrame, column: str) -> dict[Any, pd.DataFrame]:
    """``curves_in`` for the rows that differ from ``CENTRE`` only in this column and the window."""
    return curves_in(varied_in(table, column), column, int(table["window"].max()))


def curves_in(rows: pd.DataFrame, column: str, largest: int) -> dict[Any, pd.DataFrame]:
    """The rows by value of the column, for values that were trained up to the largest window."""
    return {value: curve for value, curve in rows.groupby(column) if curve["window"].max() == largest}


def best_window(curve: pd.DataFrame) -> int:
    """The window with the highest accuracy on the dev split, mean over seeds."""
    return int(curve.groupby("window")["dev"].mean().idxmax())


def trainings_at(curve: pd.DataFrame, *windows: int) -> Trainings:
    """The trainings with a window; with several windows, one mean per seed that was trained with all of them."""
    rows = curve[curve["window"].isin(windows)]
    whole = rows.groupby("seed")["window"].transform("nunique") == len(windows)
    return Trainings.by_seed(rows[whole]) if len(windows) > 1 else Trainings.of_rows(rows)


def common_windows(curve: pd.DataFrame, other: pd.DataFrame) -> list[int]:
    """The windows that both curves were trained with."""
    return sorted(set(curve["window"]) & set(other["window"]))
