"""The edits of the run on screen as chips below its picture."""

import streamlit as st

from core.edits import Edit, describe
from core.trace import Trace
from dashboard.screen.markdown import escape
from dashboard.screen.predict import choose_predicting
from dashboard.whatif.change import Change
from dashboard.whatif.edits import Chip, Unread, made_with_other_weights

OTHER_WEIGHTS = (
    "This link was made when the network had other weights. Here, the edits of the link change the network with its "
    "present weights."
)


def draw_chips(change: Change) -> None:
    """Draw each edit with an x that removes it, Undo and Clear, and the reasons why some edits are not applied.

    Without edits there is no Undo, unless several were cleared at once.
    """
    edits = change.edits
    if made_with_other_weights(edits, change.run.name):
        st.warning(OTHER_WEIGHTS, icon=":material/warning:")
    undo = {"icon": ":material/undo:", "on_click": edits.undo, "type": "tertiary"}
    if edits.chips:
        with st.container(key="chips", horizontal=True, gap="small", vertical_alignment="center"):
            for k, chip in enumerate(edits.chips):
                label = f"{escape(_name(change, chip))} :material/close:"
                help = "Remove this edit."
                st.button(label, key=f"chip {k} {chip.edit}", on_click=edits.remove, args=(k,), help=help)
            if edits.before:
                st.button("Undo", **undo)
            if len(edits.chips) > 1:
                st.button("Clear", icon=":material/close:", on_click=edits.clear, type="tertiary")
            choose_predicting("predicts edits")
    elif edits.before and len(edits.before[-1]) > 1:
        with st.container(key="chips"):
            st.button("Bring the edits back", **undo)
    for edit, reason in change.refused.items():
        name = describe_edit(change.before, edit)
        st.caption(f":material/block: Not applied: {escape(name)}. {escape(reason)}")


def _name(change: Change, chip: Chip) -> str:
    """The name of an edit on its chip."""
    trace = change.before
    if chip.name:
        return chip.name
    if chip.other_text is not None:
        other = (
            describe(chip.edit, trace.naming, {"class": trace.classes}) if isinstance(chip.edit, Edit) else chip.edit
        )
        return f"{other} (of another text)"
    if not chip.is_on:
        return f"{describe_edit(trace, chip.edit)} (off)"
    return describe_edit(trace, chip.edit) + (" (not applied)" if chip.edit in change.refused else "")


def describe_edit(trace: Trace, edit: Edit | Unread) -> str:
    """An edit of a run in words."""
    return trace.describe(edit) if isinstance(edit, Edit) else str(edit)
