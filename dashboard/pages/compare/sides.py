"""The inputs for the two runs, which pinned runs can fill in."""

from dataclasses import dataclass

import streamlit as st

from core.datasets import CORPORA
from core.edits import Edit
from core.trace import Trace
from dashboard.pages.compare.texts import EDITS, NOT_HERE, PICTURES, STEP, WEIGHTS
from dashboard.runs import checkpoints
from dashboard.runs.checkpoints import MAX_ITERATIONS
from dashboard.runs.edits import TextRun
from dashboard.screen.address import in_address
from dashboard.screen.inputs import BARE, MAX_PASTE, offer_share_link
from dashboard.screen.markdown import escape
from dashboard.screen.outputs import draw_notices, stop_on_error
from dashboard.screen.pins import MAX_DIGITS, Pin, pins
from dashboard.whatif.edits import Unread, read_edit

FIRST = "dragg-reversed-sst5"  # first checkpoint of both runs
CHANGED = "The acting is superb, and the plot always earns its two long hours."  # first text of B
SLIDER = "slider"  # the choice to follow the slider


@dataclass(frozen=True)
class Side:
    """The choices for one of the two runs.

    Attributes:
        letter: A or B.
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
        read = [read_edit(form) for form in self.edits]
        edits = tuple(edit for edit in read if isinstance(edit, Edit))
        unread = {edit: edit.reason for edit in read if isinstance(edit, Unread)}
        with stop_on_error():
            edited = TextRun(self.name, device, self.text, n_iters if routed else None).edited(edits)
        trace = edited.trace.first(n_iters) if routed else edited.trace
        refused = (f"{edit} is not applied. {reason}" for edit, reason in (edited.refused | unread).items())
        draw_notices(f"{self.letter}: {notice}" for notice in (*trace.notices, *refused))
        return trace


def choose_side(letter: str, n_iters: int) -> Side:
    """Let the user choose one of the two runs."""
    label, model, when, pinned = st.columns([0.4, 3.4, 2.5, 2.5], gap="small")
    label.markdown(f"**{letter}**")
    _, typed, changes = st.columns([0.4, 5, 3.6], gap="small")
    with pinned:
        _fill_in_from_pins(letter)
    with model:
        names = sorted(checkpoints.readers_of_text(), key=lambda name: name != FIRST)
        name = st.selectbox(f"Checkpoint of {letter}", names, **in_address(f"checkpoint {letter}"), **BARE)
    with when:
        step = _choose_step(letter, n_iters)
    with changes:
        forms = st.multiselect(
            f"Edits of {letter}", st.session_state.get(f"edit {letter}", []), help=EDITS,
            placeholder="Edits", accept_new_options=True, wrap=True, **in_address(f"edit {letter}"), **BARE,
        )  # fmt: skip
    with typed:
        text = _type_text(letter)
    return Side(letter, name or names[0], text, step, tuple(forms))


def _choose_step(letter: str, n_iters: int) -> int | None:
    """Let the user choose a fixed iteration of a run; None if it follows the slider."""
    steps = [SLIDER, *map(str, range(1, n_iters + 1))]
    names = {"format_func": lambda step: "Follows slider" if step == SLIDER else f"At {step}", "help": STEP}
    chosen = st.selectbox(f"Iteration of {letter}", steps, **names, **in_address(f"at {letter}"), **BARE)
    return None if chosen in (None, SLIDER) else int(chosen)


def _type_text(letter: str) -> str:
    """Let the user type or paste a text; at first the text typed on another page, or an example and a change of it."""
    state, key = st.session_state, f"text {letter}"
    if key not in state:
        typed = state.get("typed") if state.get("typed_by_user") else None
        example = CHANGED if letter == "B" else CORPORA["sst"].examples["But"]
        state[key] = st.query_params.get(key) or typed or example
    how = {"height": 68, "max_chars": MAX_PASTE, "persist_state": "session"}
    return st.text_area(f"Text of {letter}", key=key, **how, **BARE) or ""


def offer_link(sides: list[Side]) -> None:
    """Draw the button that copies a link with both texts. A text that changes later is removed from the address."""
    texts = {f"text {side.letter}": side.text for side in sides}
    for key, text in texts.items():
        if st.query_params.get(key) not in (None, text):
            del st.query_params[key]
    offer_share_link(texts)


def _fill_in_from_pins(letter: str) -> None:
    """Draw the menu of pinned runs; the chosen one fills in the other inputs."""
    state, key = st.session_state, f"pinned {letter}"
    kept = [pin for pin in pins() if pin.text]

    def fill_in() -> None:
        if state[key] in range(len(kept)):  # a browser can send any text instead of a choice
            _fill_in(letter, kept[state[key]])

    st.selectbox(
        f"Pinned run for {letter}", range(len(kept)), index=None, key=key, format_func=lambda k: kept[k].name,
        placeholder="Pinned run", on_change=fill_in, disabled=not kept, **BARE,
    )  # fmt: skip


def _fill_in(letter: str, pin: Pin) -> None:
    """Fill in the inputs of a run with a pinned run."""
    state = st.session_state
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
    state[f"checkpoint {letter}"], state[f"text {letter}"] = pin.model, pin.text
    state[f"edit {letter}"] = list(pin.edits)
    state[f"at {letter}"] = SLIDER if at_last else str(pin.step)
    n_iters = max(n_iters, pin.step or 0) if routed else n_iters
    if state.get("iterations", 0) < n_iters <= MAX_ITERATIONS:
        state["iterations"] = n_iters
    changed = pin.state == "changed"
    state["pin notice"] = WEIGHTS.format(model=pin.model, name=pin.name) if changed else ""


def draw_pin_notice() -> None:
    """Draw a note on pinned runs that cannot be chosen and, once, on a fault of the run that was filled in."""
    if not all(pin.text for pin in pins()):
        st.caption(PICTURES.replace("\n", " "))
    if notice := st.session_state.pop("pin notice", ""):
        st.warning(escape(notice), icon=":material/warning:")
