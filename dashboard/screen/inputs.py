"""Inputs that all pages share. Widgets with ``in_address`` keep their value in the address."""

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import quote_plus

import streamlit as st
from numpy import ndarray

from core.datasets import CORPORA, corpus_of
from core.manifest import Manifest
from core.sentences.findings import surest
from core.sentences.words import quote
from core.traces.em import EMPlacesTrace, EMTrace
from dashboard.components.buttons import share_button
from dashboard.components.text_box import text_box
from dashboard.runs.checkpoints import MAX_ITERATIONS
from dashboard.screen.address import in_address

MOVED = "moved"  # key, in the session state, of the places before edits of what the picture shows, by unit
MAX_PASTE = 1_000_000  # characters
MAX_LINK = 8_000  # characters of an address that browsers and servers accept
MAX_SHOWN = 60  # characters of a chosen word or sentence
BARE = {"label_visibility": "collapsed"}  # the label is for screen readers
WHOLE = {"min_value": 1.0, "step": 1.0, "format": "%.0f"}  # floats, because ?word=inf fails for integers


class Cell(NamedTuple):
    """The indices of a word, or another input of a routing, and of an output capsule."""

    word: int
    capsule: int


def choose_iterations(trained: int, first: int | None = None, label: str = "Iterations") -> int:
    """Let the user choose the number of iterations to run.

    Args:
        trained: number of iterations in training.
        first: first value of the input; ``trained`` if None.
        label: label of the input.
    """
    count = {"value": float(min(first or trained, MAX_ITERATIONS)), "max_value": float(MAX_ITERATIONS)}
    range_of = f"From 1 to {MAX_ITERATIONS}."
    help = f"{range_of} In training, iteration {trained} was the last and gave the answer. Later ones are drawn dimmed."
    return int(st.number_input(label, help=help, **count, **WHOLE, **in_address("iterations")))


def texts_for(about: Manifest) -> tuple[Mapping[str, str], str]:
    """Example texts by name for a network, and their key: held-out texts of the file if it learned from one."""
    if about.examples:
        return {str(k): text for k, text in enumerate(about.examples, 1)}, "own"
    corpus = corpus_of(about.corpus)
    record = corpus if corpus and corpus.examples else CORPORA["ag_news"]
    return record.examples_for(about.kind), record.one


def enter_text(presets: Mapping[str, str], key: str = "example") -> str:
    """Let the user type or paste a text, or choose an example. The address holds the text only if the user asks.

    A typed text follows the user from page to page. An example does not follow: each page has its own examples, and
    shows the first one until another is chosen. The address holds the example's name.

    Args:
        presets: examples by name.
        key: key of these examples, if a page has several sets.
    """
    state, params = st.session_state, st.query_params
    state.setdefault("in address", {})[key] = False
    if "typed" not in state:
        state.typed = params.get("text")
        state.typed_by_user = state.typed is not None
    first, *others = presets
    if state.typed_by_user or params.get(key) not in others:
        params.pop(key, None)
    if not state.typed_by_user:
        state.typed = presets[params.get(key, first)]

    def run(text: str) -> None:
        name = next((name for name, preset in presets.items() if preset == text), None)
        state.typed, state.typed_by_user = text, name is None
        if name:
            params[key] = name

    text_box("text_box", state.typed, state.typed_by_user, list(presets.values()), run, MAX_PASTE)
    if params.get("text") not in (None, state.typed):
        del params["text"]  # the link's text is no longer the one on the page
    return state.typed


def offer_share_link(texts: Mapping[str, str]) -> None:
    """Draw a button that copies the page's address with these texts by key; it has all other settings already."""
    if sum(len(quote_plus(text)) for text in texts.values()) > MAX_LINK:
        share_button({}, "Too long for a link.", lambda: None)
    else:
        share_button(texts, "", lambda: st.query_params.update(texts))


def choose_cell(
    coupling: ndarray,
    tokens: list[str],
    unit: str,
    subject: str,
    trained: int | None = None,
    capsule: int | None = None,
) -> Cell:
    """Let the user choose a word (or other unit) and a capsule by number, or by a click in the heat map.

    Whenever the subject changes, the choice starts at the cell with the largest share, leaving out punctuation.

    Args:
        coupling: couplings c_ij, [t, i, j].
        tokens: words or other inputs i.
        unit: unit of the inputs.
        subject: value that identifies the routed data.
        trained: iteration, from 1, whose shares count at first; the last one if None.
        capsule: capsule that is chosen at first, such as the deciding one; any if None.
    """
    n_iters = len(coupling)
    surest_word, surest_capsule = surest(coupling[min(trained or n_iters, n_iters) - 1], tokens, capsule)
    left, middle, chosen = st.columns([1, 1, 2], vertical_alignment="bottom")
    with left:
        i = choose_number_from(len(tokens), unit.capitalize(), unit, surest_word, subject)
    with middle:
        j = choose_number_from(coupling.shape[2], "Capsule", "capsule", surest_capsule, subject)
    chosen.text(quote(tokens[i], MAX_SHOWN))
    return Cell(i, j)


def choose_number(n: int, label: str, key: str) -> int:
    """Let the user choose a number from 0 to n - 1; the screen and the address count from 1."""
    if st.session_state.get(key, 1) > n:  # the previous text was longer
        st.session_state[key] = 1
    return int(st.number_input(label, max_value=float(n), **WHOLE, **in_address(key))) - 1


def choose_number_from(n: int, label: str, key: str, first: int, subject: str) -> int:
    """Like ``choose_number``, but starting at ``first`` whenever the subject changes."""
    _begin_at(key, first + 1, subject)
    no_default = {"value": None}  # with a default, the address would leave out a number that equals it
    chosen = st.number_input(label, max_value=float(n), **no_default, **WHOLE, **in_address(key, is_of_text=True))
    return int(chosen or first + 1) - 1


def _begin_at(key: str, first: int | str, subject: str) -> None:
    """Set an input to its first value if its subject changes, or if neither session nor address has a value."""
    state, subject_key = st.session_state, f"{key} of"
    previous, state[subject_key] = state.get(subject_key), subject
    if previous not in (None, subject) or not (key in state or key in st.query_params):
        state[key] = first


def choose_part(trace: EMTrace | EMPlacesTrace, subject: str) -> int:
    """Let the user choose a part capsule; at first the one with the largest effect on the winning class.

    Args:
        trace: trace of two EM routings.
        subject: value that identifies the routed data; if it changes, the choice starts again.
    """
    effect = trace.parts_to_classes.effect
    return choose_number_from(effect.shape[1], "Part", "part", trace.leading_part, subject)


def choose_word(tokens: list[str], subject: str, first: int = 0) -> int:
    """Let the user choose a word by number or by a click in the shaded text; ``first`` for every new subject."""
    number, chosen = st.columns([1, 1], gap="small", vertical_alignment="bottom")
    with number:
        i = choose_number_from(len(tokens), "Word", "word", first, subject)
    chosen.text(quote(tokens[i], MAX_SHOWN))
    return i


def choose_class(classes: list[str], first: int, name: str) -> int:
    """Let the user choose a class of a checkpoint by index; until they do, it follows ``first``."""
    state, key = st.session_state, f"class of {name}"
    by_hand = f"{key}, by hand"

    def keep() -> None:
        state[by_hand] = state[key]

    kept = state.get(by_hand, first)
    state[key] = kept if kept < len(classes) else first
    return st.selectbox("Class", range(len(classes)), format_func=classes.__getitem__, key=key, on_change=keep)


def picked_number(key: str) -> int | None:
    """The chosen number, from 0, of an input that counts from 1; None if there is no such input on the page.

    If an edit of the text has moved it, the number is its place now; None if it is gone.
    """
    chosen = st.session_state.get(key)
    if not isinstance(chosen, int | float) or chosen < 1:
        return None
    i, moved = int(chosen) - 1, st.session_state.get(MOVED, {}).get(key)
    if moved is None:
        return i
    return moved.index(i) if i in moved else None


def pick_number(i: int, key: str) -> None:
    """Choose number i, from 0, of the current subject. If an edit of the text has moved it, i is its place now."""
    moved = st.session_state.get(MOVED, {}).get(key, [])
    st.session_state[key] = (moved[i] if i < len(moved) else i) + 1
    st.session_state.pop(f"{key} of", None)


def pick_word(word: int, row: int) -> None:
    """Choose a word, from 0, that was clicked in any row of the shaded text."""
    pick_number(word, "word")


def pick_cell(word: int, capsule: int) -> None:
    """Choose a word and a capsule, from 0, like a click on their cell."""
    pick_number(word, "word")
    pick_number(capsule, "capsule")


def choose_option(options: list[str], label: str, key: str, bare: bool = False) -> str:
    """Let the user choose one of a few options; the first one at first.

    Args:
        options: options in their order.
        label: label of the options.
        key: key of the options.
        bare: whether only screen readers get the label.
    """
    look = BARE if bare else {}
    chosen = st.segmented_control(label, options, default=options[0], required=True, **in_address(key), **look)
    return chosen or options[0]


def choose_from_menu(options: list[str], label: str, key: str, first: str, bare: bool = False) -> str:
    """Let the user choose one of many options; ``first`` at first.

    Args:
        options: options in the menu.
        label: label of the menu.
        key: key of the menu.
        first: option that is chosen at first.
        bare: whether only screen readers get the label.
    """
    return st.selectbox(label, options, options.index(first), **in_address(key), **(BARE if bare else {})) or first


def choose_option_from(options: list[str], label: str, key: str, first: str, subject: str) -> str:
    """Let the user choose one of many options, starting at ``first`` whenever the subject changes."""
    _begin_at(key, first, subject)
    return st.selectbox(label, options, options.index(first), **in_address(key, is_of_text=True), **BARE) or first


def count_picks(cell: Cell | int) -> int:
    """Count a click if the picked cell or part has changed, and return the number of clicks."""
    if st.session_state.get("cell") != cell:
        st.session_state.cell = cell
        count_click()
    return clicks()


def count_click() -> None:
    """Count a click; charts get the count, so that a second click on the same cell is a new event."""
    st.session_state.turn = clicks() + 1


def clicks() -> int:
    """The number of counted clicks."""
    return st.session_state.get("turn", 0)
