"""A sentence on the capsule that decides, and on the effect of the picked share."""

import streamlit as st

from core.edits import DropCapsule, SetCoupling
from core.sentences.effects import describe_cut, describe_deciding
from dashboard.loading import LOADING
from dashboard.screen.markdown import escape
from dashboard.whatif.change import Change


def draw_effect(change: Change, share: SetCoupling, title: str, trained: int, deciding: int | None) -> None:
    """Say which capsule decides, and what the prediction is when the picked share is 0.

    While the server still loads PyTorch, its first visitor does not wait for these runs.

    Args:
        change: run on screen.
        share: edit of the picked share; its own value is ignored.
        title: name of the share in a sentence.
        trained: number of iterations in training, after which the network answers.
        deciding: capsule without which the answer loses most before the user's edits; None if it is not known.
    """
    if LOADING.is_set():
        return
    run, classes, sentences = change.run, change.before.classes, []
    if deciding is not None:
        without = run.edited((DropCapsule(deciding),)).trace
        first = "Before your edits, capsule" if change.is_edited else "Capsule"
        both = (trace.probabilities[trained - 1] for trace in (change.before, without))
        sentences.append(describe_deciding(f"{first} {deciding + 1}", *both, classes))
    cut = share.dosed(0)
    others = tuple(edit for edit in change.applied if edit.target != cut.target)
    at_zero = run.edited((*others, cut))
    if cut not in at_zero.refused:  # an edit may have taken the word out of the text
        with_share = change.after if others == change.applied else run.edited(others).trace
        both = (trace.probabilities[trained - 1] for trace in (with_share, at_zero.trace))
        sentences.append(describe_cut(title, *both, classes))
    st.caption(escape(" ".join(sentences)))
