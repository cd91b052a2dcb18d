"""What the k-means page shows of composed word vectors: the code of a word, and what they cost."""

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

from dashboard import runs, trainings, widgets
from dashboard.figures import codes as figures
from dashboard.figures.figure import Figure
from dashboard.theme import shorten

NEAREST = 12  # words
VOCABULARIES = [round(10 ** (k / 10)) for k in range(30, 71)]  # sizes, a thousand to ten million


def code(trace: runs.Trace, device: str) -> dict[str, Figure]:
    """Draws the code of a chosen word and the words nearest to it; the figure by its title."""
    st.header("The code of a word")
    column, beside = st.columns([1, 2])
    with column:
        n = widgets.one_of(len(trace.tokens), "Word", "word")
        st.text(f"“{shorten(trace.tokens[n])}”")
    if not trace.extra["known"][n] or not trace.extra["codes"][n]:
        st.info(
            "This word has no code: it is outside the vocabulary, and its vector is what its word pieces suggest."
            if not trace.extra["known"][n]
            else "This network holds a plain table of word vectors: there are no codes."
        )
        return {}
    shares = np.array(trace.extra["codes"][n])
    figure = figures.code_grid(shares)
    with beside:
        st.vega_lite_chart(*figure, width="content", alt="The code of the chosen word")
    near = runs.nearest(trace.model, device, shares, NEAREST)
    with column:
        st.markdown("**Nearest by code**")
        st.dataframe(pa.table(dict(zip(("word", "overlap"), zip(*near, strict=True), strict=True))), hide_index=True)
    return {"Code": figure}


def bill(model: dict) -> dict[str, Figure]:
    """Draws what composed word vectors cost beside a table of as many; the figure by its title."""
    st.header("What it saves")
    own = min(VOCABULARIES, key=lambda n: abs(n - model["n_words"]))
    words = st.select_slider("Words", VOCABULARIES, own, format_func="{:,}".format, key="words", **widgets.IN_ADDRESS)
    d, books = model["d_word"], model["n_books"]
    composed, table, base = runs.parameter_bill(words, d, books)
    st.markdown(
        f"{words:,} words of {d} components: **{composed:,}** parameters in {books} codebooks of {base} codewords, "
        f"**{table:,}** in a plain table, {composed / table:.0%} of them."
    )
    found = np.array([runs.parameter_bill(n, d, books)[:2] for n in VOCABULARIES])
    figure = figures.bill(np.array(VOCABULARIES), found[:, 0], found[:, 1], words)
    st.vega_lite_chart(*figure, alt="Parameters by the number of words")
    return {"Parameters": figure}


def worth() -> dict[str, pd.DataFrame]:
    """Draws the paper's tables 4 to 6 beside ours, where the trainings were made; the table by its title."""
    return _worth(runs.stamp("capsules"))


@runs.draw_once
def _worth(stamp: tuple[str, int]) -> dict[str, pd.DataFrame]:
    st.header("What each part is worth, measured")
    table = runs.swept("capsules")
    if table is None:
        trainings.to_be_measured("What embedding, routing and loss are worth", "capsules")
        return {}
    trainings.means(table, ["embedding", "routing", "loss"])
    st.caption(
        f"Test accuracy on AG's News, trained on {table['trained_on'].iloc[0]:,} items where the paper has 120,000: "
        "compare differences, not heights. A training a seed, weights chosen on texts held out of training. Networks "
        "without routing have a linear layer, and cross entropy. A row of table 4 stands here once it is measured. "
        f"Made by `{trainings.command('capsules')}`."
    )
    return {"tables 4 to 6": table}
