"""The causal map: how large each share is, and what cutting it does to the answer."""

import numpy as np
import streamlit as st

from core.edits import parse_edit
from core.provenance.record import draw_cuts
from core.sentences.findings import describe_cuts
from dashboard.figures import compare
from dashboard.runs import checkpoints
from dashboard.screen.badge import badge_line
from dashboard.screen.inputs import choose_option
from dashboard.screen.markdown import escape
from dashboard.screen.shown import Shown
from dashboard.screen.waits import run_with_bar
from dashboard.whatif.change import Change
from dashboard.whatif.offers import Subject

VIEWS = ("Shares", "Effect of cutting each")  # pictures of a network with couplings


def shows_effects(subject: Subject) -> bool:
    """Let the user choose between the shares and the effect of cutting each; whether it is the effect."""
    if subject.causes is None:
        return False
    return choose_option(list(VIEWS), "Picture", "shown", bare=True) == VIEWS[1]


def draw_causes(shown: Shown, subject: Subject, change: Change) -> None:
    """Draw the effect of cutting each share once, and a sentence that compares it with the shares.

    Args:
        shown: record of the page.
        subject: offers of the page, with a causal map.
        change: run on screen.
    """
    if subject.causes is None:
        return
    run, causes = change.after, subject.causes(change.after)
    edits = tuple(map(parse_edit, run.edits))
    question = change.run.name, change.run.subject, tuple(run.edits)
    lost = run_with_bar("Cutting every share once", question, lambda tell: change.run.cuts(edits, causes.by, tell))
    if lost is None:
        return
    trained = checkpoints.about(run.model).model["n_iters"]
    k = int(run.probabilities[trained - 1].argmax())
    values = lost[:, :, k] if causes.by == "cell" else lost[0]
    shares, moved = (causes.shares, values) if causes.by == "cell" else (causes.shares[:, k], values[:, k])
    i, j = np.unravel_index(moved.argmax(), moved.shape) if causes.by == "cell" else (int(moved.argmax()), k)
    costliest = (causes.name(int(i), int(j)), float(moved.max())) if moved.max() > 0 else None
    st.markdown(escape(describe_cuts(shares, moved, run.classes[k], causes.what, costliest)))
    title = f"What “{run.classes[k]}” loses when a {causes.cut} is cut, in log-odds"
    means = (
        "To cut a share is to set it to 0." if causes.by == "cell" else f"To cut a {causes.cut} is to switch it off."
    )
    axes = (causes.columns, causes.rows, "log-odds lost if cut", causes.column, causes.row)
    st.caption(escape(f"{title}. A fall from 73% to 50% counts as 1. {means} {badge_line(change.run.name)}"))
    number = f"datum.i * {len(causes.rows)} + datum.j" if "j" in causes.picks else "datum.i"  # as the page sets it
    figure = compare.signed_heatmap(values[None], *axes, framed=f"{number} == picked")
    shown.of(run).cuts.append(draw_cuts(lost, causes.by))
    shown.of(run).draw_heatmap(title, figure, "causal map", title, dict(causes.picks))
