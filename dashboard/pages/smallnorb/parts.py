"""A ranking of the parts by what switching each off does to the leading class, next to what they add to its score."""

import numpy as np
import pandas as pd
import streamlit as st
from numpy import ndarray

from core.edits import parse_edit
from core.sentences.findings import describe_cuts
from core.sentences.words import capital, quote
from dashboard.screen.address import in_address
from dashboard.screen.markdown import escape
from dashboard.screen.outputs import after_iterations, draw_numbers
from dashboard.screen.shown import Shown
from dashboard.screen.waits import run_with_bar
from dashboard.whatif.change import Change

TITLE = "What each part does when it is switched off"
HELP = "Runs the routing once without each part. This takes some seconds."
N_ROWS = 6  # parts in the table on the page
NEAREST_TO_CERTAIN = 1e-7  # probabilities are kept this far from 0 and 1, as in ``core.networks.effects``
COLUMNS = ("part", "adds", "without it", "log-odds")
ABOUT = (
    "{after}. Each row is a run without that part: the probability of {leader}, and the change in its log-odds. A "
    "fall from 73% to 50% counts as -1. “Adds” is what the part adds to the score of {leader} in the run on screen."
)


def draw_parts(shown: Shown, change: Change, trained: int) -> None:
    """Let the user ask for the ranking, and draw its first rows.

    Args:
        shown: record of the page.
        change: run on screen.
        trained: number of iterations in training.
    """
    if not st.toggle(TITLE, help=HELP, **in_address("ranked")):
        return
    run, edits = change.after, tuple(map(parse_edit, change.after.edits))
    question = change.run.name, change.run.subject, tuple(run.edits)
    lost = run_with_bar("Switching off every part once", question, lambda tell: change.run.cuts(edits, "capsule", tell))
    if lost is None:
        return
    before, second = run.probabilities[trained - 1], run.parts_to_classes
    k = int(before.argmax())
    table = ranking(before, lost[0], second.effect[trained - 1], run.classes)
    draw_numbers(COLUMNS, [_row(row, run.classes[k]) for row in table.head(N_ROWS).itertuples(index=False)])
    st.caption(escape(ABOUT.format(after=capital(after_iterations(trained)), leader=quote(run.classes[k]))))
    used = second.gate[trained - 1] * second.coupling[trained - 1, :, k]
    st.caption(escape(describe_cuts(used, lost[0, :, k], run.classes[k], "D_use")))
    shown.add_table("parts switched off", lambda: table)


def ranking(before: ndarray, lost: ndarray, added: ndarray, classes: list[str]) -> pd.DataFrame:
    """One row for each part, from the largest effect on the leading class to the smallest.

    Args:
        before: class probabilities with all parts, [k].
        lost: fall in each class's log-odds without each part, [j, k].
        added: effect of each part on each score, [j, k].
        classes: names of the classes.
    """
    kept, k = np.clip(before.astype(float), NEAREST_TO_CERTAIN, 1 - NEAREST_TO_CERTAIN), int(before.argmax())
    without = 1 / (1 + np.exp(lost - np.log(kept / (1 - kept))))
    rows = pd.DataFrame(
        {
            "part": np.arange(1, len(lost) + 1),
            "adds": added[:, k],
            "probability": without[:, k],
            "change": -lost[:, k],
            "leader": [classes[best] for best in without.argmax(1)],
        }
    )
    return rows.sort_values("change", key=np.abs, ascending=False, kind="stable", ignore_index=True)


def _row(row: tuple, leader: str) -> list[str]:
    """The cells of a row of ``ranking``, which name the leading class if it is another one."""
    part, added, probability, change, leads = row
    then = "" if leads == leader else f", {leads} leads"
    return [str(part), f"{added:+.2f}", f"{probability:.1%}{then}", f"{change:+.2f}"]
