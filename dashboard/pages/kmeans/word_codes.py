"""Composed word vectors: the code of a word, and what they save."""

import numpy as np
import pyarrow as pa
import streamlit as st

from core.traces.cccaps import CCCapsTrace
from dashboard import runs
from dashboard.figures.codes import code_grid, parameter_curves
from dashboard.shared.inputs import IN_ADDRESS, choose_number
from dashboard.shared.shown import Shown
from dashboard.shared.theme import shorten

NEAREST = 12  # words
VOCABULARIES = [round(10 ** (k / 10)) for k in range(30, 71)]  # sizes, a thousand to ten million


def draw_code(shown: Shown, trace: CCCapsTrace, device: str) -> None:
    """The code of a chosen word, and the words nearest to it."""
    st.header("The code of a word")
    left, right = st.columns([1, 2])
    with left:
        n = choose_number(len(trace.tokens), "Word", "word")
        st.text(f"“{shorten(trace.tokens[n])}”")
    if not trace.known[n]:
        st.info("This word has no code: it is not in the vocabulary, so its vector comes from its word pieces.")
        return
    if trace.embedding == "plain":
        st.info("This network stores word vectors in a plain table, without codes.")
        return
    shares = trace.codes[n]
    with right:
        shown.draw_heatmap("Code", code_grid(shares), "code", "The code of the chosen word")
    words, overlaps = zip(*runs.nearest(trace.model, device, shares, NEAREST), strict=True)
    with left:
        st.markdown("**Nearest by code**")
        st.dataframe(pa.table({"word": words, "overlap": overlaps}), hide_index=True)


def draw_parameter_bill(shown: Shown, model: dict) -> None:
    """How many parameters composed word vectors need beside a plain table. model: settings of the network."""
    st.header("How many parameters codes save")
    its_size = min(VOCABULARIES, key=lambda n: abs(n - model["n_words"]))
    words = st.select_slider("Words", VOCABULARIES, its_size, format_func="{:,}".format, key="words", **IN_ADDRESS)
    d, books = model["d_word"], model["n_books"]
    composed, table, base = runs.parameter_bill(words, d, books)
    st.markdown(
        f"{words:,} words of {d} components: **{composed:,}** parameters in {books} codebooks of {base} codewords, "
        f"against **{table:,}** in a plain table: {composed / table:.0%} of them."
    )
    bills = np.array([runs.parameter_bill(n, d, books)[:2] for n in VOCABULARIES])
    figure = parameter_curves(np.array(VOCABULARIES), bills[:, 0], bills[:, 1], words)
    shown.draw_chart("Parameters", figure, "Parameters by the number of words")
