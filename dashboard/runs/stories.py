"""Runs a text for the page Start: as it is, and without the word that matters most to the answer."""

from contextlib import nullcontext
from typing import NamedTuple

import streamlit as st

from core import Trace, manifest
from core.datasets import CORPORA
from core.edits import DropInput, parse_edit
from dashboard.loading import LOADING
from dashboard.runs import texts
from dashboard.runs.checkpoints import about
from dashboard.runs.loaded import devices, load, with_cpu_fallback

NETWORK, STANDARD = "dragg-reversed-sst5", "dragg-sst5"  # the network of the story, and the one it is compared with
EXAMPLES = list(CORPORA["sst"].examples.values())[:4]  # as many as fit in a line
OPENING = EXAMPLES[0]  # its story is shipped, so that the first picture needs no PyTorch


class Story(NamedTuple):
    """A text's run after the trained number of iterations.

    Attributes:
        run: run of the text.
        word: index of the word that moves the answer most if it is cut.
        cut: run without this word.
    """

    run: Trace
    word: int
    cut: Trace


def story_of(text: str) -> Story:
    """The story of a text; the opening text's is read from files.

    Raises:
        ValueError: there is no word in the text.
    """
    if text == OPENING and (story := shipped(about(NETWORK).version)):
        return story
    with st.spinner("The network is loading …") if LOADING.is_set() else nullcontext():
        device = next(iter(devices()))
        word = with_cpu_fallback(_strongest_cut, NETWORK, device, text)[0]
        iterations = about(NETWORK).model["n_iters"]
        run, cut = (texts.run(NETWORK, device, text, iterations, edits) for edits in ([], [DropInput(word)]))
    return Story(run, word, cut)


@st.cache_resource(max_entries=1, show_spinner=False)
def shipped(version: str) -> Story | None:
    """The story of the opening text; None if its files belong to another text or other weights.

    ``version`` is for the cache.
    """
    run, cut = (manifest.read_example(NETWORK, file) for file in (manifest.EXAMPLE, manifest.CUT_EXAMPLE))
    if run is None or cut is None or not texts.is_run_of(run, OPENING):
        return None
    (edit,) = map(parse_edit, cut.edits)
    return Story(run, edit.i, cut) if isinstance(edit, DropInput) else None


@st.cache_resource(max_entries=64, show_spinner=False)
def _strongest_cut(name: str, version: str, device: str, text: str) -> int:
    checkpoint = load(name, version, device)  # first: two threads that import PyTorch at once disturb each other
    from core.networks.effects import strongest_cut

    return strongest_cut(checkpoint, text)
