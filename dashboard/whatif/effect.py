"""Sentences on the capsule that decides, on the picked share, and on its word."""

import streamlit as st

from core.edits import DropCapsule, DropInput, Edit, SetCoupling
from core.sentences.effects import describe_cut, describe_deciding, describe_gone, describe_masked, explain_cut
from core.sentences.words import capital, quote
from core.traces.dragg import OneRoutingTrace
from dashboard.loading import LOADING
from dashboard.runs.deciding import answers_without_capsules
from dashboard.screen.markdown import escape
from dashboard.screen.outputs import after_iterations
from dashboard.screen.unit_link import name_unit
from dashboard.whatif.change import Change


def draw_effect(
    change: Change, share: SetCoupling, routed: OneRoutingTrace, trained: int, deciding: int | None
) -> None:
    """Say which capsule decides, and what the prediction is when the picked share is 0, or its word is masked.

    While the server still loads PyTorch, its first visitor does not wait for these runs.

    Args:
        change: run on screen.
        share: edit of the picked share; its own value is ignored.
        routed: routing of the share, before the user's edits.
        trained: number of iterations in training, after which the network answers.
        deciding: capsule without which the answer loses most before the user's edits; None if it is not known.
    """
    if LOADING.is_set():
        return
    run, classes, sentences = change.run, change.before.classes, []
    if deciding is not None:
        label = name_unit(run.name, deciding + 1, "capsule")
        capsule = capital(f"{'before your edits, ' * change.is_edited}{label}")
        whole, *without = answers_without_capsules(run.name, run.device, run.subject)
        sentences.append(describe_deciding(capsule, whole, without[deciding], classes))
    cut, mask = share.dosed(0), DropInput(share.i)
    others = tuple(edit for edit in change.applied if edit.target != cut.target)
    answers = run.answers(others, (cut, *([] if mask in others else [mask])))
    if answers is not None:  # an edit may have taken the word out of the text
        now, at_zero, *masked = answers
        token = routed.tokens[share.i]
        word = quote(token) if len(token.split()) == 1 else "this sentence"
        if mask in others:
            sentences.append(describe_gone(f"{word} is masked"))
        elif DropCapsule(share.j) in others:
            sentences.append(describe_gone("its capsule is switched off"))
        else:
            this = capital(f"{_state(change, others)}this share")
            why = explain_cut(now, at_zero, len(routed.tokens)) if deciding == share.j else ""
            sentences.append(f"{describe_cut(this, now, at_zero, classes)} {why}".strip())
        sentences += [describe_masked(word, now, without_it, classes) for without_it in masked]
    lines = [f"**{escape(first)}**{mark}{escape(rest)}" for first, mark, rest in map(_parts, sentences)]
    st.caption("  \n".join([*lines, f"({capital(after_iterations(trained))}.)"]))


def _parts(sentence: str) -> tuple[str, str, str]:
    """A sentence on an effect in parts: what is taken away, the mark after it, and what happens."""
    return sentence.partition(": " if ": " in sentence else ", ")


def _state(change: Change, others: tuple[Edit, ...]) -> str:
    """Where the run without an edit of the picked share stands: before the user's edits, or with these of them."""
    if not change.is_edited:
        return ""
    if not others:
        return "before your edits, "
    return "with your edits, " if others == change.applied else "with your other edits, "
