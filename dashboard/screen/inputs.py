"""Inputs that pages share. Widgets with ``bind`` keep their state in the address."""

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import quote_plus

import streamlit as st
from numpy import ndarray

from core.datasets import CORPORA, corpus_of
from core.sentences.findings import surest
from core.sentences.words import quote
from core.traces.em import EMPlacesTrace, EMTrace
from dashboard.components.buttons import share_button
from dashboard.runs.checkpoints import MAX_ITERATIONS
from dashboard.screen.address import in_address

MAX_PASTE = 1_000_000  # characters
MAX_LINK = 8_000  # characters of an address that browsers and servers take
MAX_SHOWN = 60  # characters of a chosen word or sentence
WHAT_IF = "What if"  # the tab in which what is picked can be changed
BARE = {"label_visibility": "collapsed"}  # the label is for screen readers
WHOLE = {"min_value": 1.0, "step": 1.0, "format": "%.0f"}  # as integers, ?word=inf would be an error


class Cell(NamedTuple):
    """A word, or other input of a routing, and an output capsule, each counted from 0."""

    word: int
    capsule: int


def choose_largest_count(trained: int, first: int | None = None) -> int:
    """How many iterations are run.

    Args:
        trained: number of iterations that the model was trained with.
        first: the number until the user changes it; ``trained`` unless given.
    """
    count = {"value": float(min(first or trained, MAX_ITERATIONS)), "max_value": float(MAX_ITERATIONS)}
    help = f"The model was trained with {trained}. Choose more to see what further iterations would do."
    return int(st.number_input("Iterations to run", width=260, help=help, **count, **WHOLE, **in_address("iterations")))


def texts_for(corpus: str) -> tuple[Mapping[str, str], str]:
    """Example texts by name for a network trained on this corpus, and the key that tells them from other examples."""
    own = corpus_of(corpus)
    record = own if own and own.examples else CORPORA["ag_news"]
    return record.examples, record.one


def enter_text(presets: Mapping[str, str], key: str = "example") -> str:
    """A text to type or paste. Examples fill it in; the address holds it only when the user asks.

    It goes along from page to page: ``typed`` outlives the widget, of which each page has its own. An example does not
    go along: each page has its own, the first one until another is chosen.

    Args:
        key: tells these examples from others of the same page.
    """
    state = st.session_state

    def fill_in() -> None:
        state.typed_by_user = False

    def keep() -> None:
        state.typed, state.typed_by_user = state.text, True

    if "typed" not in state:
        state.typed = st.query_params.get("text")
        state.typed_by_user = state.typed is not None
    if state.typed_by_user:
        state[key] = None  # the menu shows no example, so that any can be chosen again
    typed, examples = st.columns([6, 1], gap="small")
    with examples:
        menu = {"index": None, "on_change": fill_in, "placeholder": "Examples"}
        chosen = st.selectbox("Examples", list(presets), **menu, **in_address(key), **BARE)
    if not state.typed_by_user:
        state.typed = presets[chosen or next(iter(presets))]
    state.text = state.typed
    help = "Press Ctrl+Enter or click elsewhere to run it."
    with typed:
        st.text_area("Your text", key="text", height=68, max_chars=MAX_PASTE, on_change=keep, help=help, **BARE)
    text = state.text
    if st.query_params.get("text") not in (None, text):
        del st.query_params["text"]  # the link was to another text
    return text or ""


def offer_share_link(texts: Mapping[str, str]) -> None:
    """A button that copies the address of the page, these texts in it by their keys: it has every other setting."""
    if sum(len(quote_plus(text)) for text in texts.values()) > MAX_LINK:
        share_button({}, "Too long for a link.", lambda: None)
    else:
        share_button(texts, "", lambda: st.query_params.update(texts))


def choose_cell(coupling: ndarray, tokens: list[str], unit: str, subject: str) -> Cell:
    """The word, or other unit, and the capsule whose history is shown: typed here, or clicked in the heat map.

    At first the cell with the largest share after the last iteration, punctuation aside, found again whenever the
    subject changes.

    Args:
        coupling: c_ij [t, i, j].
        tokens: i.
        subject: says what is routed.
    """
    surest_word, surest_capsule = surest(coupling[-1], tokens)
    word, capsule, chosen = st.columns([1, 1, 2], vertical_alignment="bottom")
    with word:
        i = choose_number_from(len(tokens), unit.capitalize(), unit, surest_word, subject)
    with capsule:
        j = choose_number_from(coupling.shape[2], "Capsule", "capsule", surest_capsule, subject)
    chosen.text(quote(tokens[i], MAX_SHOWN))
    return Cell(i, j)


def choose_number(n: int, label: str, key: str) -> int:
    """A number from 0 to n - 1; the screen and the address count from 1."""
    if st.session_state.get(key, 1) > n:  # the text before was longer
        st.session_state[key] = 1
    return int(st.number_input(label, max_value=float(n), **WHOLE, **in_address(key))) - 1


def choose_number_from(n: int, label: str, key: str, first: int, subject: str) -> int:
    """The same, beginning at ``first``, which is chosen again whenever the subject changes."""
    _begin_at(key, first + 1, subject)
    without_first = {"value": None}  # so that any number is in the address
    chosen = st.number_input(label, max_value=float(n), **without_first, **WHOLE, **in_address(key, of_text=True))
    return int(chosen or first + 1) - 1


def _begin_at(key: str, first: int | str, subject: str) -> None:
    """Give an input its first value when its subject changes, and when neither session nor address has one."""
    state, of = st.session_state, f"{key} of"
    before, state[of] = state.get(of), subject
    if before not in (None, subject) or not (key in state or key in st.query_params):
        state[key] = first


def choose_part(trace: EMTrace | EMPlacesTrace, subject: str) -> int:
    """A part capsule of two EM routings: the one with the largest effect on the class that won, at first.

    Args:
        subject: what is routed; another one has its own first part.
    """
    effect = trace.parts_to_classes.effect
    return choose_number_from(effect.shape[1], "Part", "part", trace.leading_part, subject)


def choose_word(tokens: list[str], subject: str) -> int:
    """A word of the text, from 0: typed here, or clicked in the shaded text; the first one of every new subject."""
    number, chosen = st.columns([2, 3], vertical_alignment="bottom")
    with number:
        i = choose_number_from(len(tokens), "Word", "word", 0, subject)
    chosen.text(quote(tokens[i], MAX_SHOWN))
    return i


def choose_class(classes: list[str], first: int, name: str) -> int:
    """A class of a checkpoint, from 0."""
    return st.selectbox("Class", range(len(classes)), first, format_func=classes.__getitem__, key=f"class of {name}")


def pick_number(i: int, key: str) -> None:
    """Choose number i, from 0, of what is on the screen, whatever the input stood for before."""
    st.session_state[key] = i + 1
    st.session_state.pop(f"{key} of", None)


def pick_word(word: int, row: int) -> None:
    """Choose a word, from 0, in whichever row of the shaded text, and open the tab in which it can be changed."""
    pick_number(word, "word")
    st.session_state.tab = WHAT_IF


def pick_cell(word: int, capsule: int) -> None:
    """Choose a word and a capsule, from 0, as a click on their cell does."""
    pick_number(word, "word")
    pick_number(capsule, "capsule")


def choose_option(options: list[str], label: str, key: str) -> str:
    """One of a few options, the first unless another is chosen."""
    chosen = st.segmented_control(label, options, default=options[0], required=True, **in_address(key))
    return chosen or options[0]


def choose_from_menu(options: list[str], label: str, key: str, first: str, bare: bool = False) -> str:
    """One of many options, ``first`` unless another is chosen. bare: only screen readers get the label."""
    return st.selectbox(label, options, options.index(first), **in_address(key), **(BARE if bare else {})) or first


def choose_option_from(options: list[str], label: str, key: str, first: str, subject: str) -> str:
    """One of many options, beginning at ``first``, which is chosen again whenever the subject changes."""
    _begin_at(key, first, subject)
    return st.selectbox(label, options, options.index(first), **in_address(key, of_text=True), **BARE) or first


def count_picks(cell: Cell | int) -> int:
    """How often a cell was clicked, or another cell, or part, was picked."""
    if st.session_state.get("cell") != cell:
        st.session_state.cell = cell
        count_click()
    return clicks()


def count_click() -> None:
    """Count clicks; charts are given the count, so that clicking the same cell twice is a new event."""
    st.session_state.turn = clicks() + 1


def clicks() -> int:
    """How many clicks were counted."""
    return st.session_state.get("turn", 0)
