"""The run on screen: the same run without and with the user's edits."""

from dataclasses import dataclass

from core.edits import Edit
from core.trace import Trace
from dashboard.whatif.edits import EditList, Unread, edits_of
from dashboard.whatif.offers import Run


@dataclass(frozen=True)
class Change:
    """A run without and with the user's edits.

    Attributes:
        run: run to repeat with edits.
        before: trace without edits, with all steps.
        after: trace with the edits, with all steps; the same object if there are none.
        edits: edits of the page.
        refused: reasons why some of them could not be applied.
    """

    run: Run
    before: Trace
    after: Trace
    edits: EditList
    refused: dict[Edit | Unread, str]

    @property
    def is_edited(self) -> bool:
        """Whether the user has changed the run."""
        return self.after is not self.before

    @property
    def applied(self) -> tuple[Edit, ...]:
        """The edits that were applied."""
        return tuple(edit for edit in self.edits.applied if edit not in self.refused)


def change_run(run: Run, before: Trace, is_same: bool = True) -> Change:
    """Repeat a run with the edits of the page.

    Args:
        run: run to repeat.
        before: trace of the run without edits.
        is_same: whether the run is of the same sample as the trace; False if the user has covered a part of it.
    """
    edits = edits_of(run.name, run.subject)
    if not edits.applied and is_same:
        return Change(run, before, before, edits, dict(edits.unread))
    edited = run.edited(edits.applied)
    after = before if is_same and not edited.trace.edits else edited.trace
    return Change(run, before, after, edits, edited.refused | edits.unread)
