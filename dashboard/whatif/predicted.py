"""A prediction of what the user's edits will change, before the run with the edits is shown."""

from core.edits import Edit
from core.trace import Trace
from dashboard.screen.predict import answer_to, ask, compare_with_outcome, predicts
from dashboard.whatif.change import Change
from dashboard.whatif.edits import edits_of
from dashboard.whatif.offers import Run


def predict_change(run: Run, before: Trace, step: int | None = None) -> Change | None:
    """Ask for the leading class after the edits; the run without edits while the user has not said it.

    Args:
        run: run to repeat with edits.
        before: trace of the run without edits.
        step: iteration after which the network answers, from 1; None without iterations.

    Returns:
        The run without edits; None if nothing is to be predicted, or the user has predicted it.
    """
    edits = edits_of(run.name, run.subject)
    if not predicts() or not edits.applied or answer_to(_subject(run, edits.applied)) is not None:
        return None
    question = (
        f"Your edits have not been run yet. Which class will lead? Without them, it is “{_answer(before, step)}”."
    )
    ask(question, before.classes, _subject(run, edits.applied))
    return Change(run, before, before, edits, dict(edits.unread))


def compare_prediction(change: Change, step: int | None = None) -> None:
    """Say whether the class that the user predicted leads after the edits."""
    if change.is_edited:
        compare_with_outcome(_subject(change.run, change.edits.applied), _answer(change.after, step))


def _answer(trace: Trace, step: int | None) -> str:
    """The most probable class after an iteration, or at the end."""
    return trace.answer if step is None else trace.answers[min(step, trace.n_steps) - 1]


def _subject(run: Run, edits: tuple[Edit, ...]) -> str:
    """Everything on which the outcome of edits depends, in one text."""
    return " ".join([run.name, run.subject, *map(str, edits)])
