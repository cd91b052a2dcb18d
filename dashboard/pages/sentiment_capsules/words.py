"""The words of a text as the routings see them: layers of word pieces."""

import numpy as np
import streamlit as st

from core.analysis.credit import by_token
from core.traces.em import EMTextTrace
from dashboard.figures.em import credit_heatmap, token_table
from dashboard.shared.shown import Shown


def draw_credit(shown: Shown, trace: EMTextTrace) -> None:
    """The credit of every word for every class."""
    st.header("Which words make up each class's score")
    credit = by_word(trace, trace.credit).sum(2)
    figure = credit_heatmap(credit, trace.tokens, pieces_of_words(trace), trace.classes)
    shown.draw_heatmap("Credit of words", figure, "credit", "Credit of each word for each class, through both routings")
    shown.add_table("credit", lambda: token_table({"credit": credit}, trace.tokens, trace.classes, "class"))


def by_word(trace: EMTextTrace, values: np.ndarray) -> np.ndarray:
    """[t, i, ..] to [t, word, layer, ..], summed over a word's pieces."""
    return by_token(values, trace.token_of.tolist(), trace.n_layers)


def mean_by_word(trace: EMTextTrace, values: np.ndarray) -> np.ndarray:
    """[t, i] to [t, word, layer], the mean over a word's pieces."""
    return by_word(trace, values) / np.bincount(trace.token_of)[:, None]


def pieces_of_words(trace: EMTextTrace) -> list[str]:
    """Each word as the transformer cuts it, dots between its pieces."""
    pieces: list[list[str]] = [[] for _ in trace.tokens]
    for piece, token in zip(trace.pieces, trace.token_of, strict=True):
        pieces[token].append(piece)
    return ["·".join(of_word) for of_word in pieces]
