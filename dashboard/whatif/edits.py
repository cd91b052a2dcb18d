"""The edits of a page: kept in the session and in the address, each switched on or off, named, undone."""

from dataclasses import dataclass, field, replace

import streamlit as st

from core.edits import Edit, parse_edit
from dashboard.runs import checkpoints
from dashboard.runs.edits import is_of_one_text
from dashboard.screen.address import OFF

MAX_EDITS = 20  # edits of a run: as many as an address can bring


@dataclass(frozen=True)
class Unread:
    """What stands in the place of an edit and is none.

    Attributes:
        form: as a link or a user has it.
        reason: why it cannot be read.
    """

    form: str
    reason: str

    def __str__(self) -> str:
        return self.form


def read_edit(form: str) -> Edit | Unread:
    """The edit that has this form on the command line."""
    try:
        return parse_edit(form)
    except ValueError as error:
        return Unread(form, str(error))


@dataclass(frozen=True)
class Chip:
    """An edit as the user sees it.

    Attributes:
        edit: the edit, or what a link has in place of one.
        name: that the user gave it; none at first.
        is_on: whether the user has it on.
        other_text: the text in which it numbers a word or a sentence; none if that is the present text.
    """

    edit: Edit | Unread
    name: str = ""
    is_on: bool = True
    other_text: str | None = None

    @property
    def is_applied(self) -> bool:
        """Whether it changes the run of the present text."""
        return self.is_on and self.other_text is None

    def switched(self, on: bool) -> "Chip":
        """The chip switched on for the present text, or off; one that waits for its own text goes on waiting."""
        if on:
            return replace(self, is_on=True, other_text=None)
        return replace(self, is_on=False) if self.other_text is None else self

    def after_change(self, before: str, now: str, kind: str) -> "Chip":
        """The chip after one text has replaced another: it waits for its own if it numbers a word or a sentence."""
        if self.other_text is None and isinstance(self.edit, Edit) and is_of_one_text(self.edit, kind):
            return replace(self, other_text=before)
        return replace(self, other_text=None) if self.other_text == now else self


@dataclass
class EditList:
    """The edits of one kind of network in one session.

    Attributes:
        chips: in the order in which they are applied.
        subject: that they were made for.
        weights: of the network in the link that brought them; none for edits made here.
        before: earlier states, the last one is the newest.
        changes: how often they were changed.
    """

    chips: list[Chip]
    subject: str
    weights: str = ""
    before: list[list[Chip]] = field(default_factory=list)
    changes: int = 0

    @property
    def applied(self) -> tuple[Edit, ...]:
        """The edits that are applied."""
        return tuple(chip.edit for chip in self.chips if chip.is_applied and isinstance(chip.edit, Edit))

    @property
    def unread(self) -> dict[Unread, str]:
        """Why those that are switched on and cannot be read cannot be."""
        unread = (chip.edit for chip in self.chips if chip.is_applied and isinstance(chip.edit, Unread))
        return {edit: edit.reason for edit in unread}

    def add(self, edit: Edit) -> None:
        """Add an edit; one that sets the same thing is replaced. No more than ``MAX_EDITS`` are kept."""
        edits = [chip.edit for chip in self.chips]
        same = [k for k, other in enumerate(edits) if isinstance(other, Edit) and other.target == edit.target]
        if len(self.chips) - len(same) >= MAX_EDITS:
            st.toast(f"There are {MAX_EDITS} edits already, as many as a link can hold.", icon=":material/warning:")
            return
        self._change([chip for k, chip in enumerate(self.chips) if k not in same] + [Chip(edit)])

    def switch(self, on: list[int]) -> None:
        """Switch these on, and the others of the present text off. One that is switched on is of the present text."""
        self._change([chip.switched(k in on) for k, chip in enumerate(self.chips)])

    def rename(self, number: int, name: str) -> None:
        """Give one of them a name."""
        self._change([replace(chip, name=name.strip()) if k == number else chip for k, chip in enumerate(self.chips)])

    def clear(self) -> None:
        """Remove all."""
        self._change([])

    def undo(self) -> None:
        """Take the last change back."""
        if self.before:
            self.chips = self.before.pop()
            self.changes += 1

    def _change(self, chips: list[Chip]) -> None:
        self.before.append(self.chips)
        self.chips, self.weights, self.changes = chips, "", self.changes + 1


def edits_of(name: str, subject: str) -> EditList:
    """The edits of a checkpoint's kind of network; those that a link brings, when the session begins.

    Edits that name a word wait as the text changes, until it is there again. The address is made to hold them all.

    Args:
        name: of the checkpoint.
        subject: the text, or what tells a sample from others.
    """
    about, state = checkpoints.about(name), st.session_state
    if "edits" not in state:
        state.edits = {about.kind: _from_address(subject)}
    edits = state.edits.setdefault(about.kind, EditList([], subject))
    if edits.subject != subject:
        edits.chips, *edits.before = [
            [chip.after_change(edits.subject, subject, about.kind) for chip in chips]
            for chips in (edits.chips, *edits.before)
        ]
        edits.subject, edits.changes = subject, edits.changes + 1
    _to_address(edits, about.sha256[:12])
    return edits


def _from_address(subject: str) -> EditList:
    forms, names = (st.query_params.get_all(key)[:MAX_EDITS] for key in ("edit", "called"))
    names += [""] * (len(forms) - len(names))
    chips = [
        Chip(read_edit(form.removeprefix(OFF)), name, not form.startswith(OFF))
        for form, name in zip(forms, names, strict=False)
    ]
    return EditList(chips, subject, weights=st.query_params.get("weights", ""))


def _to_address(edits: EditList, weights: str) -> None:
    """Make the address hold the edits, and which weights they were made with."""
    names = [chip.name for chip in edits.chips]
    wanted = {
        "edit": [("" if chip.is_applied else OFF) + str(chip.edit) for chip in edits.chips],
        "called": names if any(names) else [],
        "weights": [edits.weights or weights] if edits.chips else [],
    }
    for key, values in wanted.items():
        if values and st.query_params.get_all(key) != values:
            st.query_params[key] = values
        elif not values and key in st.query_params:
            del st.query_params[key]


def made_with_other_weights(edits: EditList, name: str) -> bool:
    """Whether a link brought the edits, and it was made with other weights than the checkpoint has here."""
    return bool(edits.chips and edits.weights) and not checkpoints.about(name).sha256.startswith(edits.weights)
