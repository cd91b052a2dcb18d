"""The edits of a page, kept in the session and in the address. Users can remove and undo them."""

import hashlib
from dataclasses import dataclass, field, replace

import streamlit as st

from core.edits import Edit, parse_edit
from core.trace import Trace
from dashboard.runs import checkpoints
from dashboard.runs.edits import is_of_one_text
from dashboard.screen.address import OFF

MAX_EDITS = 20  # edits of a run; an address has no room for more
MARK = 8  # characters of the mark of a text


@dataclass(frozen=True)
class Unread:
    """A text in the place of an edit that cannot be read.

    Attributes:
        form: text from a link or a user.
        reason: reason why it cannot be read.
    """

    form: str
    reason: str

    def __str__(self) -> str:
        return self.form


def read_edit(form: str, trace: Trace | None = None) -> Edit | Unread:
    """Read an edit in the form that it has on the command line.

    Args:
        trace: run without edits whose words and units the edit can name; None if it has only numbers.
    """
    try:
        return parse_edit(form, trace.naming, lambda: trace.things) if trace else parse_edit(form)
    except ValueError as error:
        return Unread(form, str(error))


@dataclass(frozen=True)
class Chip:
    """An edit as the user sees it.

    Attributes:
        edit: the edit, or a text from a link that cannot be read.
        name: name that a link gives it; "" if none.
        is_on: False for an edit that a link brings switched off.
        other_text: mark of the text whose word or sentence the edit names; None if it is the current text.
    """

    edit: Edit | Unread
    name: str = ""
    is_on: bool = True
    other_text: str | None = None

    @property
    def is_applied(self) -> bool:
        """Whether the edit changes the run of the current text."""
        return self.is_on and self.other_text is None

    def after_change(self, before: str, now: str, kind: str) -> "Chip":
        """The chip after a change of the text. If it names a word or a sentence, it waits for its own text.

        Args:
            before, now: marks of the two texts.
            kind: kind of the network.
        """
        if self.other_text is None and isinstance(self.edit, Edit) and is_of_one_text(self.edit, kind):
            return replace(self, other_text=before)
        return replace(self, other_text=None) if self.other_text == now else self


@dataclass
class EditList:
    """The edits of one kind of network in one session.

    Attributes:
        chips: edits in the order of application.
        mark: mark of the data that they were made for.
        weights: weights of the network in the link with these edits; "" for edits made here.
        before: earlier states, the newest last.
        changes: number of changes.
    """

    chips: list[Chip]
    mark: str
    weights: str = ""
    before: list[list[Chip]] = field(default_factory=list)
    changes: int = 0

    @property
    def applied(self) -> tuple[Edit, ...]:
        """The edits that change the run."""
        return tuple(chip.edit for chip in self.chips if chip.is_applied and isinstance(chip.edit, Edit))

    @property
    def unread(self) -> dict[Unread, str]:
        """The edits that are switched on but cannot be read, with the reasons."""
        unread = (chip.edit for chip in self.chips if chip.is_applied and isinstance(chip.edit, Unread))
        return {edit: edit.reason for edit in unread}

    def add(self, edit: Edit) -> None:
        """Add an edit, which replaces one that sets the same thing; at most ``MAX_EDITS`` are kept."""
        edits = [chip.edit for chip in self.chips]
        same = [k for k, other in enumerate(edits) if isinstance(other, Edit) and other.target == edit.target]
        if len(self.chips) - len(same) >= MAX_EDITS:
            st.toast(f"There are {MAX_EDITS} edits already, as many as a link can hold.", icon=":material/warning:")
            return
        self._change([chip for k, chip in enumerate(self.chips) if k not in same] + [Chip(edit)])

    def remove(self, k: int) -> None:
        """Remove the edit with this index."""
        self._change([chip for other, chip in enumerate(self.chips) if other != k])

    def clear(self) -> None:
        """Remove all edits."""
        self._change([])

    def undo(self) -> None:
        """Undo the last change."""
        if self.before:
            self.chips = self.before.pop()
            self.changes += 1

    def _change(self, chips: list[Chip]) -> None:
        """Replace the edits, and remember the ones before for ``undo``."""
        self.before.append(self.chips)
        self.chips, self.weights, self.changes = chips, "", self.changes + 1


def edits_of(name: str, subject: str) -> EditList:
    """The edits of a checkpoint's kind of network, at first those in the address.

    When the text changes, edits that name a word wait until it returns. All edits are written to the address.

    Args:
        name: name of the checkpoint.
        subject: text, or a value that identifies the sample.
    """
    about, state, mark = checkpoints.about(name), st.session_state, _mark_of(subject)
    if "edits" not in state:
        state.edits = {about.kind: _from_address(mark)}
    edits = state.edits.setdefault(about.kind, EditList([], mark))
    if edits.mark != mark:  # after a reload, too: the address keeps the edits, but not the text
        edits.chips, *edits.before = [
            [chip.after_change(edits.mark, mark, about.kind) for chip in chips]
            for chips in (edits.chips, *edits.before)
        ]
        edits.mark, edits.changes = mark, edits.changes + 1
    _to_address(edits, about.sha256[:12])
    return edits


def _mark_of(subject: str) -> str:
    """A short mark of a text, from which the text cannot be read."""
    return hashlib.sha256(subject.encode(errors="surrogatepass")).hexdigest()[:MARK]


def _from_address(mark: str) -> EditList:
    """Read the edits in the address, which were made for the text with the mark there; for this one if it has none."""
    forms, names = (st.query_params.get_all(key)[:MAX_EDITS] for key in ("edit", "called"))
    names += [""] * (len(forms) - len(names))
    chips = [
        Chip(read_edit(form.removeprefix(OFF)), name, not form.startswith(OFF))
        for form, name in zip(forms, names, strict=False)
    ]
    return EditList(chips, st.query_params.get("of", mark), weights=st.query_params.get("weights", ""))


def _to_address(edits: EditList, weights: str) -> None:
    """Write the edits, and the weights that they were made with, to the address."""
    names = [chip.name for chip in edits.chips]
    wanted = {
        "edit": [("" if chip.is_applied else OFF) + str(chip.edit) for chip in edits.chips],
        "called": names if any(names) else [],
        "weights": [edits.weights or weights] if edits.chips else [],
        "of": [edits.mark] if edits.chips else [],
    }
    for key, values in wanted.items():
        if values and st.query_params.get_all(key) != values:
            st.query_params[key] = values
        elif not values and key in st.query_params:
            del st.query_params[key]


def made_with_other_weights(edits: EditList, name: str) -> bool:
    """Whether the edits come from a link that was made with different weights."""
    return bool(edits.chips and edits.weights) and not checkpoints.about(name).sha256.startswith(edits.weights)
