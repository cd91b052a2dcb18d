"""Small functions and constants from modules of core that import PyTorch. They are imported only when called."""

import pandas as pd
import streamlit as st
from numpy import ndarray


def histogram(values: ndarray) -> ndarray:
    """The number of each layer's values [l, n], from 0 to 1, in each of twenty bins [l, bins]."""
    from core.measured.selections import histogram

    return histogram(values)


def longest_phrase() -> int:
    """The largest phrase length that is counted, in words; it includes all longer phrases."""
    from core.measured.selections import MAX_LENGTH

    return MAX_LENGTH


def largest_window() -> int:
    """The number of windows in the trace of a DRNN."""
    from core.traces.drnn import MAX_WINDOW

    return MAX_WINDOW


@st.cache_data(show_spinner=False)
def table_7() -> pd.DataFrame:
    """The parameters of CCCaps' networks on eight datasets, as ``core.ledger.table_7`` counts them."""
    from core.ledger.table_7 import count_parameters

    return count_parameters()


def count_trainings(sweep: str) -> tuple[int, int]:
    """Count the trainings that are missing in the table of a sweep, and the planned ones."""
    from core.sweep.sweeps import count_trainings

    return count_trainings(sweep)


def parameter_bill(n_words: int, d: int, n_books: int) -> tuple[int, int, int]:
    """Count the parameters of composed word vectors and of a plain table, and the codewords per codebook.

    Args:
        n_words: number of words.
        d: components of a word vector.
        n_books: number of codebooks.
    """
    from core.layers.compositional import parameter_bill

    return parameter_bill(n_words, d, n_books)
