"""A table of the share of selected phrases that are constituents in the treebank's trees."""

import pandas as pd
import streamlit as st

from core.analysis.constituents import ALL, table
from dashboard.runs import checkpoints
from dashboard.screen.markdown import escape
from dashboard.screen.shown import Shown, draw_once

COMMAND = "python -m core.measured constituents NAME --data DIR"
# Columns of the table with shares, and with numbers of words.
SHARES = ("constituents", "by chance", "difference", "from", "to")
LENGTHS = ("words selected per sentence", "mean length", "mean length by chance")


def draw_constituents(shown: Shown, name: str) -> None:
    """Draw the share of constituents among the phrases of each layer and by chance, if it was measured.

    Args:
        shown: record of the page.
        name: name of the checkpoint.
    """
    st.header("Are the selected phrases constituents of the sentence?")
    if checkpoints.measured("constituents", name) is None:
        st.caption(f"The answer appears here once it has been measured for these weights: `{COMMAND}`.")
    else:
        _draw_table(shown, name, checkpoints.stamp_of_weights("constituents", name))


@draw_once
def _draw_table(shown: Shown, name: str, stamp: tuple) -> None:
    measured = checkpoints.measured("constituents", name)
    by_layer = table(measured)
    total = by_layer.iloc[-1]  # the row of all layers
    n, low, high = (total[column] for column in ("phrases of 2 words or more", "from", "to"))
    shares = f"{total['constituents']:.0%} are constituents. By chance, {total['by chance']:.0%} would be"
    difference = f"The difference is {100 * low:+.0f} to {100 * high:+.0f} points (95% interval over sentences)"
    st.markdown(f"The layers select {n:,} phrases with two or more words in all. Of these, {shares}. {difference}.")
    percent, length = (st.column_config.NumberColumn(format=format) for format in ("percent", "%.2f"))
    columns = dict.fromkeys(SHARES, percent) | dict.fromkeys(LENGTHS, length)
    st.dataframe(by_layer, hide_index=True, height="content", column_config=columns)
    st.caption(
        f"Measured on {escape(str(measured['data']))}. A constituent is a phrase of the sentence's tree in the "
        "treebank. By chance, we select runs of the same lengths at random places in the same sentences. “Mean length "
        "by chance” is for the same number of random words. Each layer scores a word without its neighbours. So a "
        "layer that selects adjectives and nouns beats chance, although it knows no constituent."
    )
    shown.add_table("constituents", lambda: by_layer)


def draw_comparison(shown: Shown) -> None:
    """Draw what selecting phrases costs or gains: accuracy and constituents of each network that was measured."""
    names = [name for name in checkpoints.models("agt") if checkpoints.measured("constituents", name) is not None]
    if len(names) < 2:
        return
    st.header("What do phrases cost?")
    rows = pd.DataFrame([_row(name) for name in names])
    percent, words = (st.column_config.NumberColumn(format=format) for format in ("percent", "%.1f"))
    columns = dict.fromkeys(("accuracy", *SHARES), percent) | {"words per layer": words}
    st.dataframe(rows, hide_index=True, height="content", column_config=columns)
    st.caption(
        "One row per network: its test accuracy, the words that a layer selects per sentence, and its phrases of two "
        "words or more. The interval is that of the difference between the shares. The networks differ in their "
        "teachers, too, so the trainings above compare the starts alone."
    )
    shown.add_table("networks", lambda: rows)


def _row(name: str) -> dict[str, object]:
    """The row of a network in the comparison."""
    by_layer = table(checkpoints.measured("constituents", name))
    total = by_layer[by_layer["layer"] == ALL].iloc[0]
    words = by_layer["words selected per sentence"].mean()
    about = {"network": checkpoints.title(name), "accuracy": checkpoints.about(name).metrics.test.accuracy}
    return about | {"words per layer": words} | {c: total[c] for c in ("phrases of 2 words or more", *SHARES)}
