"""Averages, over the held-out toys, how well viewing directions were predicted from features."""

import numpy as np
import pandas as pd

ALL = "all"  # all categories together


def summarize(rows: pd.DataFrame) -> pd.DataFrame:
    """Mean R2 over the held-out toys, with its 95% interval, per category and for all categories.

    Args:
        rows: arrays "readout" of ``core.measured.store`` as columns.

    Returns:
        One row per network, features, method, direction and category: r2, low, high. The interval is
        Student's, over toys; NaN for a single toy.
    """
    keys = ["network", "features", "method", "direction", "category"]
    with_all = pd.concat([rows, rows.assign(category=ALL)], ignore_index=True)
    groups = with_all.groupby(keys, sort=False)["r2"]
    summary = groups.agg(["mean", "std", "count"]).reset_index().rename(columns={"mean": "r2"})
    from scipy.stats import t  # takes half a second to import

    half = t.ppf(0.975, (summary["count"] - 1).clip(lower=1)) * summary["std"] / np.sqrt(summary["count"])
    return summary.assign(low=summary["r2"] - half, high=summary["r2"] + half)[[*keys, "r2", "low", "high"]]
