"""Composed word vectors: the code of a word, and the parameters that codes save."""

import numpy as np
import pyarrow as pa
import streamlit as st

from core.sentences.words import quote
from core.traces.cccaps import CCCapsTrace
from dashboard.figures.codes import code_grid, parameter_curves
from dashboard.runs import texts
from dashboard.runs.pytorch import parameter_bill
from dashboard.screen.address import in_address
from dashboard.screen.inputs import MAX_SHOWN
from dashboard.screen.markdown import escape
from dashboard.screen.shown import Shown

NEAREST = 12  # words with similar codes to list
VOCABULARIES = [round(10 ** (k / 10)) for k in range(30, 71)]  # sizes from a thousand to ten million


def draw_code(shown: Shown, trace: CCCapsTrace, device: str, model: dict, word: int | None) -> None:
    """Draw the code of a word next to the parameters that codes save.

    Args:
        shown: record of the page.
        trace: trace of the run.
        device: device for finding the nearest words.
        model: settings of the network.
        word: index of the word; None if an edit took it out.
    """
    left, right = st.columns(2, gap="large")
    with left:
        if word is None:
            st.header("Code")
            st.info("Your edit took this word out of the text.")
        else:
            st.header(f"The code of {escape(quote(trace.tokens[word], MAX_SHOWN))}")
            _draw_word(shown, trace, device, word)
    with right:
        st.header("How many parameters codes save")
        first = min(VOCABULARIES, key=lambda n: abs(n - model["n_words"]))
        vocabulary = st.select_slider("Words", VOCABULARIES, first, format_func="{:,}".format, **in_address("words"))
        _draw_parameters(shown, model, vocabulary)


def _draw_word(shown: Shown, trace: CCCapsTrace, device: str, n: int) -> None:
    if not trace.known[n]:
        st.info("This word has no code: it is not in the vocabulary, so its vector comes from its word pieces.")
        return
    if trace.embedding == "plain":
        st.info("This network stores word vectors in a plain table, without codes.")
        return
    shares = trace.codes[n]
    shown.draw_heatmap("Code", code_grid(shares), "code", "The code of the chosen word")
    words, overlaps = zip(*texts.nearest(trace.model, device, shares, NEAREST), strict=True)
    st.markdown("**Nearest by code**")
    st.dataframe(pa.table({"word": words, "overlap": overlaps}), hide_index=True, height="content")


def _draw_parameters(shown: Shown, model: dict, n_words: int) -> None:
    d, books = model["d_word"], model["n_books"]
    composed, table, n_codewords = parameter_bill(n_words, d, books)
    st.markdown(
        f"The vectors of {n_words:,} words, with {d} components each, take **{composed:,}** parameters in {books} "
        f"codebooks of {n_codewords} codewords. A plain table takes **{table:,}** parameters. The codebooks need "
        f"{composed / table:.0%} of these."
    )
    bills = np.array([parameter_bill(n, d, books)[:2] for n in VOCABULARIES])
    figure = parameter_curves(np.array(VOCABULARIES), bills[:, 0], bills[:, 1], n_words)
    shown.draw_chart("Parameters", figure, "Parameters by the number of words")
