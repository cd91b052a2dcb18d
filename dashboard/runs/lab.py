"""The Lab's routings, and the votes of a text for them."""

from typing import Any

import streamlit as st
from numpy import ndarray

from core.sentences.comparison import Routed, TextVotes
from core.worked import WorkedStep
from dashboard.runs.loaded import load, with_cpu_fallback


def names() -> list[str]:
    """The names of all routings, as ``core.lab.names`` has them."""
    from core.lab import names

    return names()


def compare(votes: ndarray, n_iters: int, sharpness: float, beta_use: float, beta_ign: float) -> list[Routed]:
    """Run votes [i, j, h] through all routings, as ``core.lab.compare`` does."""
    from core.device import use_one_thread
    from core.lab import compare

    use_one_thread()
    return compare(votes, n_iters, sharpness, beta_use, beta_ign)


def count_choices(
    votes: ndarray, whole: int, n_iters: int, sharpness: float, beta_use: float, beta_ign: float
) -> dict[str, list[int]]:
    """In how many sets of votes [n, i, j, h] each routing chooses a capsule, as ``core.lab.count_choices`` does."""
    from core.device import use_one_thread
    from core.lab import count_choices

    use_one_thread()
    return count_choices(votes, whole, n_iters, sharpness, beta_use, beta_ign)


def work(votes: ndarray, *arguments: Any) -> list[WorkedStep]:
    """Work out one iteration of a routing, as ``core.lab.work`` does with the same arguments."""
    from core.lab import work

    return work(votes, *arguments)


def votes_of_text(name: str, device: str, text: str) -> TextVotes:
    """The votes of a checkpoint for a text, on the CPU if the GPU fails.

    Raises:
        ValueError: the text or the checkpoint cannot be read.
    """
    return with_cpu_fallback(_votes_of_text, name, device, text)[0]


@st.cache_resource(max_entries=16, show_spinner=False)
def _votes_of_text(name: str, version: str, device: str, text: str) -> TextVotes:
    from core.lab import votes_of_text

    return votes_of_text(load(name, version, device), text)
