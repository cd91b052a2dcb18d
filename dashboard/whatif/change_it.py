"""The section Change it of the inspector: what can be done with the picked things."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from urllib.parse import parse_qs

import streamlit as st

from core.edits import FreezeAfter, ReplaceWord
from dashboard.components.buttons import address_button
from dashboard.components.dose import Dose, dose_slider
from dashboard.runs.edits import suggestions
from dashboard.screen.markdown import escape
from dashboard.screen.pins import step_of
from dashboard.whatif.change import Change
from dashboard.whatif.edits import EditList
from dashboard.whatif.offers import Action, Dosed, Offer, Subject

LEFT_OUT = "The network reads the text without this word. A masked word is still read by its neighbours."
MAX_WORD = 60  # characters of a replacement
SUGGESTED = {
    "Similar words": "The network's own vectors of these words point in a similar direction (by their cosine).",
    "Opposite words": "Similar words. Given one of them alone, the network answers with a class from the other end.",
}


def draw_change_it(subject: Subject, change: Change) -> None:
    """Draw the offers for the picked things, and a slider for the dose of one of them."""
    offers = subject.offers(change.after)
    for offer in offers:
        _draw_offer(offer, subject, change)
    _draw_dose(subject, offers, change)
    st.caption(_explain(offers))
    if change.is_edited and subject.note and (sentence := subject.note(change.after)):
        st.caption(escape(sentence))


def _explain(offers: Sequence[Offer]) -> str:
    """The explanations of all actions in Markdown, each after the labels of the buttons that share it."""
    labels: dict[str, dict[str, None]] = {}  # of each explanation, without repeats
    for action in chain.from_iterable(offer.actions for offer in offers):
        if action.help:
            labels.setdefault(action.help, {})[action.label] = None
    return "  \n".join(f"**{escape(' or '.join(of))}:** {escape(help)}" for help, of in labels.items())


def _draw_offer(offer: Offer, subject: Subject, change: Change) -> None:
    """Draw an offer in one line if there is room: its title, and its buttons."""
    if not offer.actions and offer.word is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.markdown(f"**{escape(offer.title)}**", width="content")
        for action in offer.actions:
            if action.at_slider:
                _draw_at_slider(action, subject, change.edits)
            else:
                key, add = str(action.edit), {"on_click": change.edits.add, "args": (action.edit,)}
                st.button(action.label, key=key, help=action.help, **add)
        if offer.word is not None:
            _draw_words(offer.word, change)


def _draw_at_slider(action: Action, subject: Subject, edits: EditList) -> None:
    """Draw a button for an edit of the scrubber's step."""

    def add(address: str) -> None:
        step = step_of(parse_qs(address.removeprefix("?"))) or subject.steps
        if isinstance(action.edit, FreezeAfter):
            edits.add(replace(action.edit, t=min(step, subject.steps)))

    address_button(str(action.edit), action.label, "", add, action.help or "")


def _draw_words(i: int, change: Change) -> None:
    """Draw a menu of replacements for word i."""
    menu = st.popover("Replace word", key="replace", on_change="rerun")
    if not menu.open:
        return
    edits, word = change.edits, change.before.tokens[i]

    def put(key: str) -> None:
        if typed := (st.session_state[key] or "").strip():
            edits.add(ReplaceWord(i, typed))

    with menu:
        box = {"key": f"typed {i} {word}", "max_chars": MAX_WORD, "placeholder": "Type, then press Enter"}
        st.text_input(f"Instead of “{escape(word)}”", on_change=put, args=(box["key"],), **box)
        leave_out = {"on_click": edits.add, "args": (ReplaceWord(i, ""),)}
        st.button("Leave it out", help=LEFT_OUT, **leave_out)
        suggested = suggestions(change.run.name, change.run.device, word)
        for (label, how), words in zip(SUGGESTED.items(), (suggested.nearest, suggested.opposites), strict=True):
            if words:
                key = f"{label} {i} {word}"
                st.pills(label, words, key=key, format_func=escape, help=how, on_change=put, args=(key,))


def _draw_dose(subject: Subject, offers: tuple[Offer, ...], change: Change) -> None:
    """Draw the slider for the dose of the picked thing, or of the one of several that the user chooses."""
    doses = {dosed.label: dosed for offer in offers for dosed in offer.doses}
    labels = list(doses)
    if not labels:
        return
    label = labels[0]
    if len(labels) > 1:
        names = {"default": labels[0], "format_func": escape, "required": True}
        label = st.segmented_control("Dose", labels, key="dose", **names) or labels[0]
    if dose := _dose_of(subject, doses[label], change):
        dose_slider("dose slider", dose, subject.param)


def _dose_of(subject: Subject, dosed: Dosed, change: Change) -> Dose | None:
    """The runs with many doses of an edit in addition to the other edits; None if it does not fit with them."""
    others = tuple(edit for edit in change.applied if edit.target != dosed.edit.target)
    runs = change.run.doses(dosed.edit, dosed.ends, others)
    if runs is None:
        return None

    def keep(value: float) -> None:
        change.edits.add(dosed.edit.dosed(float(f"{value:g}")))

    steps = slice(subject.steps)
    cells = None if runs.cells is None else runs.cells[:, steps]
    return Dose(dosed.label, runs.values, runs.probabilities[:, steps], cells, dosed.value, keep)
