"""The inputs for the two runs, which pinned runs can fill in."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.edits import Edit
from core.sentences.differences import AT_SLIDER
from core.trace import Trace
from dashboard.pages.compare.texts import EDITS, EXAMPLES, NOT_HERE, STEP, WEIGHTS
from dashboard.runs import checkpoints
from dashboard.runs.checkpoints import MAX_ITERATIONS
from dashboard.runs.edits import TextRun
from dashboard.screen.address import in_address
from dashboard.screen.badge import draw_badge
from dashboard.screen.inputs import BARE, MAX_PASTE, offer_share_link
from dashboard.screen.markdown import escape
from dashboard.screen.network_menu import choose_network
from dashboard.screen.outputs import draw_notices, stop_on_error
from dashboard.screen.pins import MAX_DIGITS, NEW, Pin, pins
from dashboard.whatif.edits import Unread, read_edit

FIRST = "dragg-reversed-sst5"  # first network of both runs
SLIDER, AS_ON_SLIDER = "slider", "Iteration: as on the slider"  # the choice to follow the slider, and its label
WORD = re.compile(r"[^\W\d_]+")
HELD = "held at 1"  # key, in the session state, while the right run is at iteration 1 because nothing else differs
POSITIONS = {"A": "Left", "B": "Right"}  # of the sides, by their letters in the address


@dataclass(frozen=True)
class Side:
    """The choices for one of the two runs.

    Attributes:
        letter: A for left or B for right, as in the address.
        name: name of the checkpoint.
        text: text to read.
        step: fixed iteration; None if the run follows the slider.
        edits: edits in their form on the command line.
    """

    letter: str
    name: str
    text: str
    step: int | None
    edits: tuple[str, ...]

    def run(self, device: str, n_iters: int) -> Trace:
        """Run the network, with ``n_iters`` iterations if it routes; an error ends the page with one sentence."""
        routed = "n_iters" in checkpoints.about(self.name).model
        runs = TextRun(self.name, device, self.text, n_iters if routed else None)
        with stop_on_error():
            unedited = runs.edited(()).trace
        read = [read_edit(form, unedited) for form in self.edits]
        edits = tuple(edit for edit in read if isinstance(edit, Edit))
        unread = {edit: edit.reason for edit in read if isinstance(edit, Unread)}
        with stop_on_error():
            edited = runs.edited(edits)
        trace = edited.trace.first(n_iters) if routed else edited.trace
        refused = (f"{edit} is not applied. {reason}" for edit, reason in (edited.refused | unread).items())
        draw_notices(f"{POSITIONS[self.letter]}: {notice}" for notice in (*trace.notices, *refused))
        return trace


def settings_of(sides: Sequence[Side], traces: Sequence[Trace]) -> dict[str, tuple[str, str]]:
    """The settings of both runs in words, by name. Edits that were refused do not count."""
    left, right = (
        {
            "model": checkpoints.title(side.name),
            "text": side.text,
            "edits": ", ".join(trace.edits),
            "iteration": f"at iteration {side.step}" if side.step and trace.along == "iteration" else AT_SLIDER,
        }
        for side, trace in zip(sides, traces, strict=True)
    )
    return {name: (left[name], right[name]) for name in left}


def choose_models(columns: Sequence[DeltaGenerator]) -> list[str]:
    """Let the user choose the networks of both runs, in their columns, and return their names."""
    models = []
    for letter, column in zip(POSITIONS, columns, strict=True):
        with column:
            models.append(_choose_model(letter))
    return models


def choose_sides(models: Sequence[str], columns: Sequence[DeltaGenerator], n_iters: int) -> list[Side]:
    """Let the user choose what both runs read and change.

    Args:
        models: names of their networks.
        columns: their columns.
        n_iters: number of iterations to run.
    """
    sides = []
    for letter, name, column in zip(POSITIONS, models, columns, strict=True):
        with column:
            sides.append(_choose_side(letter, name, n_iters, other=models[0]))
    return sides


def _choose_model(letter: str) -> str:
    """Let the user choose the network of one of the two runs, and return its name."""
    names = sorted(checkpoints.readers_of_text(), key=lambda name: name != FIRST)
    name = choose_network(f"{POSITIONS[letter]} model", names, f"checkpoint {letter}", **BARE)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        draw_badge(name, f"badge {letter}")
        st.caption(escape(name), width="content")
    return name


def _choose_side(letter: str, name: str, n_iters: int, other: str) -> Side:
    """Let the user choose what one of the two runs reads and changes. ``other`` is the left network."""
    position = POSITIONS[letter]
    text = _type_text(letter)
    if position == "Right":
        _follow_if_more_differs(name != other)
    when, changes = st.columns(2, gap="small")
    with when:
        step = _choose_step(letter, n_iters)
    with changes:
        forms = st.multiselect(
            f"{position} edits", st.session_state.get(f"edit {letter}", []), help=EDITS,
            placeholder=f"Edits, such as {_example_of_edit(text)}", accept_new_options=True, wrap=True,
            **in_address(f"edit {letter}"), **BARE,
        )  # fmt: skip
    return Side(letter, name, text, step, tuple(forms))


def _choose_step(letter: str, n_iters: int) -> int | None:
    """Let the user choose a fixed iteration of a run; None if it follows the slider."""
    steps = [SLIDER, *map(str, range(1, n_iters + 1))]
    earlier = st.query_params.get(f"at {letter}", "").partition("At ")[2]  # as in an address of an earlier version
    if earlier in steps and f"at {letter}" not in st.session_state:
        st.session_state[f"at {letter}"] = earlier
    names = {"format_func": lambda step: AS_ON_SLIDER if step == SLIDER else f"At iteration {step}", "help": STEP}
    label = f"{POSITIONS[letter]} iteration"
    chosen = st.selectbox(label, steps, **names, **in_address(f"at {letter}"), **BARE)
    return None if chosen in (None, SLIDER) else int(chosen)


def _type_text(letter: str) -> str:
    """Let the user type or paste a text; at first the text typed on another page, or an example.

    A typed text has no other to be compared with, so the right run stays at iteration 1 until something else differs.
    """
    state, key = st.session_state, f"text {letter}"
    if key not in state:
        typed = state.get("typed") if state.get("typed_by_user") else None
        if typed and POSITIONS[letter] == "Right" and not st.query_params:
            state.setdefault(f"at {letter}", "1")
            state[HELD] = True
        state[key] = st.query_params.get(key) or typed or EXAMPLES[list(POSITIONS).index(letter)]
    how = {"height": 68, "max_chars": MAX_PASTE, "persist_state": "session"}
    return st.text_area(f"{POSITIONS[letter]} text", key=key, **how, **BARE) or ""


def _follow_if_more_differs(other_network: bool) -> None:
    """Let the right run follow the slider once network, text or edits differ, if it was only held until then."""
    state = st.session_state
    edits = [state.get(f"edit {letter}") or [] for letter in POSITIONS]
    differ = other_network or state["text A"] != state["text B"] or edits[0] != edits[1]
    if state.get(HELD) and differ:
        del state[HELD]
        if state.get("at B") == "1":
            state["at B"] = SLIDER


def _example_of_edit(text: str) -> str:
    """An edit that masks the longest word of a text."""
    return f"drop:{max(WORD.findall(text), key=len, default='never')}"


def offer_link(sides: list[Side]) -> None:
    """Draw the button that copies a link with both texts. A text that changes later is removed from the address."""
    texts = {f"text {side.letter}": side.text for side in sides}
    for key, text in texts.items():
        if st.query_params.get(key) not in (None, text):
            del st.query_params[key]
    offer_share_link(texts)


def show_pin(letter: str, pin: Pin) -> None:
    """Fill in the inputs of a run with a pinned run, before they are drawn again."""
    state = st.session_state
    state.pop(HELD, None)
    if pin.state == "not here":
        state["pin notice"] = NOT_HERE.format(model=pin.model)
        return
    about = checkpoints.about(pin.model)
    routed = "n_iters" in about.model
    wanted = pin.address.get("iterations", [""])[0]
    n_iters = int(wanted) if wanted.isascii() and wanted.isdecimal() and len(wanted) <= MAX_DIGITS else 0
    # An address leaves out the page's default number of iterations, which is the largest on the page of k-means.
    has_lengths = checkpoints.record_of(pin.model).has_lengths
    last = n_iters or (MAX_ITERATIONS if has_lengths else about.model.get("n_iters", 0))
    at_last = not routed or pin.step is None or pin.step >= last
    st.query_params[f"checkpoint {letter}"], state[f"text {letter}"] = pin.model, pin.text
    state[f"edit {letter}"] = list(pin.edits)
    state[f"at {letter}"] = SLIDER if at_last else str(pin.step)
    n_iters = max(n_iters, pin.step or 0) if routed else n_iters
    if state.get("iterations", 0) < n_iters <= MAX_ITERATIONS:
        state["iterations"] = n_iters
    changed = pin.state == "changed"
    state["pin notice"] = WEIGHTS.format(model=pin.model, name=pin.name) if changed else ""


def _open_on_pins() -> None:
    """After a new pin, fill in the last two pinned texts, or the only one if it has edits and the same without them."""
    is_new, texts = st.session_state.pop(NEW, False), [pin for pin in pins() if pin.text]
    if not is_new or st.query_params or not texts:
        return
    right = texts[-1]
    left = texts[-2] if len(texts) > 1 else replace(right, address={**right.address, "edit": []})
    if left.edits or right.edits or len(texts) > 1:
        show_pin("A", left)
        show_pin("B", right)


def fill_in_pins() -> None:
    """Open on runs that were pinned meanwhile. Draw, once, a note on a fault of the pinned run that was filled in."""
    _open_on_pins()
    if notice := st.session_state.pop("pin notice", ""):
        st.warning(escape(notice), icon=":material/warning:")
