"""Small functions and constants of core whose modules import PyTorch: imported when called, not before."""

import pandas as pd
import streamlit as st
from numpy import ndarray


def histogram(values: ndarray) -> ndarray:
    """How many of each layer's values [l, n], 0 to 1, fall into each twentieth [l, bins]."""
    from core.measured.selections import histogram

    return histogram(values)


def longest_phrase() -> int:
    """The number of words from which on phrases are counted together."""
    from core.measured.selections import MAX_LENGTH

    return MAX_LENGTH


def largest_window() -> int:
    """How many windows the trace of a DRNN has."""
    from core.traces.drnn import MAX_WINDOW

    return MAX_WINDOW


@st.cache_data(show_spinner=False)
def table_7() -> pd.DataFrame:
    """The parameters of CCCaps' networks on eight datasets, as ``core.ledger.table_7`` counts them."""
    from core.ledger.table_7 import count_parameters

    return count_parameters()


def count_trainings(sweep: str) -> tuple[int, int]:
    """How many of a sweep's trainings its table lacks, and how many are planned."""
    from core.sweep.sweeps import count_trainings

    return count_trainings(sweep)


def parameter_bill(n_words: int, d: int, n_books: int) -> tuple[int, int, int]:
    """Parameters of composed word vectors, of a plain table of as many words, and the codewords of a codebook.

    Args:
        d: components of a word vector.
        n_books: codebooks.
    """
    from core.layers.compositional import parameter_bill

    return parameter_bill(n_words, d, n_books)
