"""Measured trainings: what makes the layers select phrases of several words."""

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.figures import attention
from dashboard.shared.shown import Shown
from dashboard.shared.trainings import command, of_sweep


@of_sweep("composition", "What makes the layers select phrases")
def draw_trials(shown: Shown, table: pd.DataFrame) -> None:
    """Accuracy and length of phrases by what was changed in the training."""
    st.header("What makes the layers select phrases?")
    summary = summarize(table)
    percent, length = (st.column_config.NumberColumn(format=format) for format in ("percent", "%.2f"))
    columns = {"dev": percent, "test": percent, "mean length": length, "longest": length}
    st.dataframe(summary, hide_index=True, height="content", column_config=columns)
    shown.add_table("composition", lambda: summary)
    by_layer = attention.lengths_by_layer([list(row) for row in table["lengths"]], table["trial"].tolist())
    shown.draw_charts({"Length of the phrases that each layer selects": by_layer}, columns=1)
    longest = table.loc[summary["longest"].idxmax(), "trial"]
    st.caption(
        "The paper's layers come to select phrases of several words; to its author a gate bias of 1 encouraged this. "
        "Length: the mean number of words of a phrase that a layer selects in the dev sentences, over the layers, and "
        f"in the layer where it is largest. Longest phrases here: {longest}. All learned from labels alone; a row says "
        f"what differs from the shipped network's training. One training each: `{command('composition')}`."
    )


def summarize(table: pd.DataFrame) -> pd.DataFrame:
    """A row for each trial: accuracies, the mean length of phrases over the layers, and its largest in a layer."""
    lengths = np.stack(table["lengths"].map(lambda row: (np.mean(row), np.max(row), 1 + np.argmax(row))))
    return pd.DataFrame(
        {
            "trial": table["trial"],
            "dev": table["dev"],
            "test": table["test"],
            "mean length": lengths[:, 0],
            "longest": lengths[:, 1],
            "in layer": lengths[:, 2].astype(int),
        }
    )
