"""What can be done with what is picked in a picture: offers of edits, and the run that they change."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from numpy import ndarray

from core.edits import Couplings, DropInput, Edit, FreezeAfter, ReplaceWord, SetCoupling, describe, parse_edit
from core.sentences.words import quote
from core.trace import Trace
from dashboard.figures import compare
from dashboard.figures.aligned import align
from dashboard.figures.figure import Figure
from dashboard.runs import checkpoints
from dashboard.runs.edits import EditedRun
from dashboard.whatif.edits import Unread


@dataclass(frozen=True)
class Action:
    """A button that adds an edit.

    Attributes:
        label: on the button.
        edit: that it adds.
        help: what it does, where the label does not say it all.
        at_slider: whether the edit is of the step that the scrubber is at when it is made.
    """

    label: str
    edit: Edit
    help: str | None = None
    at_slider: bool = False


@dataclass(frozen=True)
class Dosed:
    """An edit whose dose a slider sets.

    Attributes:
        label: what the dose is.
        edit: that has the dose.
        ends: the smallest dose and the largest.
        value: the dose in the run with its edits.
    """

    label: str
    edit: Edit
    ends: tuple[float, float]
    value: float


@dataclass(frozen=True)
class Offer:
    """What can be done with one thing that is picked.

    Attributes:
        title: the thing.
        actions: a button each.
        word: number of the word that can be typed anew, if the thing is one.
        doses: what a slider can set.
    """

    title: str
    actions: tuple[Action, ...] = ()
    word: int | None = None
    doses: tuple[Dosed, ...] = ()


@dataclass(frozen=True)
class Causes:
    """The causal map: every coupling cut once, beside what the couplings are.

    Attributes:
        shares: c_ij after the model's own iterations; where whole capsules are cut, what each class uses of them
            [j, k].
        columns, rows: names of its two axes.
        column, row: what they are.
        by: "cell" or "capsule", as in ``core.cuts``.
        what: the shares, in words.
    """

    shares: ndarray
    columns: list[str]
    rows: list[str]
    column: str
    row: str
    by: str = "cell"
    what: str = "share c_ij"

    def heading(self, model: str) -> str:
        """What stands above the shares."""
        what = "How large each share is" if self.by == "cell" else f"What each class uses of each {self.column}"
        return f"{what}, after {checkpoints.about(model).model['n_iters']} iterations"


class Run(Protocol):
    """A run that can be run again: ``TextRun``, or one of pictures."""

    name: str
    device: str
    n_iters: int | None

    @property
    def sample(self) -> str | None: ...
    @property
    def subject(self) -> str: ...
    def edited(self, edits: tuple[Edit, ...]) -> EditedRun: ...
    def doses(
        self, edit: Edit, ends: tuple[float, float], edits: tuple[Edit, ...]
    ) -> tuple[ndarray, ndarray] | None: ...
    def cuts(self, edits: tuple[Edit, ...], by: str, progress: Callable[[float], None]) -> ndarray: ...


@dataclass(frozen=True)
class Subject:
    """A run that can be changed.

    Attributes:
        title: of the main picture.
        run: to be run again.
        full: the run as it is. steps: how many steps of it are shown.
        offers: draws inputs, if it needs any, and returns what can be done with what is picked; it takes the run with
            its edits, all steps of it.
        causes: of the causal map of a run; None for a network without couplings.
        param: of the page's scrubber.
        percent: whether the classes have probabilities.
        pictures: draws the main pictures before and after on one scale; those of ``compare`` unless given.
        note: says something more of the run after, in one sentence.
    """

    title: str
    run: Run
    full: Trace
    steps: int
    offers: Callable[[Trace], tuple[Offer, ...]]
    causes: Callable[[Trace], Causes] | None = None
    param: str = "iteration"
    percent: bool = True
    pictures: Callable[[Trace, Trace], tuple[Figure, Figure]] = compare.pair
    note: Callable[[Trace], str | None] | None = None

    @property
    def before(self) -> Trace:
        """What is shown of the run as it is."""
        return first_steps(self.full, self.steps)

    def describe(self, edit: Edit | Unread) -> str:
        """An edit in words."""
        return self.full.describe(edit) if isinstance(edit, Edit) else str(edit)

    def describe_of_another_text(self, edit: Edit | Unread) -> str:
        """An edit in words, where what it numbers was of another text."""
        classes = {"class": self.full.classes}
        return f"{describe(edit, self.full.naming, classes) if isinstance(edit, Edit) else edit} (of another text)"


def first_steps(trace: Trace, n: int) -> Trace:
    """The trace with its first n steps."""
    return trace.first(n) if trace.n_steps > n else trace


def offer_word(tokens: list[str], i: int, drop: DropInput | None = None) -> Offer:
    """What can be done with word i.

    Args:
        drop: the edit that drops it, where words are inputs of a routing.
    """
    actions = [Action("Delete", ReplaceWord(i, ""), "The text without this word.")]
    if drop:
        actions.insert(0, Action("Drop", drop, "It takes part in nothing, as if it were padding."))
    return Offer(quote(tokens[i]), tuple(actions), word=i)


def offer_share(
    edit: SetCoupling, whose: str, share: float | None, dose: str, others: str = "its other shares"
) -> Offer:
    """What can be done with one share.

    Args:
        edit: that sets the share; the value that it has is not used.
        whose: for whom the share is.
        share: in the run with its edits; None if that has no such share.
        dose: what a slider sets.
        others: the shares that sum to 1 with it.
    """
    cut = Action("Cut", edit.dosed(0), f"0 in every iteration; {others} grow in proportion.")
    everything = Action("All", edit.dosed(1), "1 in every iteration.")
    title = f"Its share for {whose}"
    if share is None:
        return Offer(title, (cut, everything))
    return Offer(f"{title}, {share:.2f}", (cut, everything), doses=(Dosed(dose, edit, (0.0, 1.0), share),))


def place_after(i: int, before: list[str], after: list[str]) -> int | None:
    """Where word i, or sentence i, is after edits of the text; None if it is gone."""
    return dict(align(before, after)).get(i)


def dose_of(run: Trace, edit: Edit, otherwise: float) -> float:
    """The dose that the last edit of the same thing has in a run; ``otherwise`` if there is none."""
    edits = [other for form in run.edits if (other := parse_edit(form)).target == edit.target]
    return float(getattr(edits[-1], edit.dose)) if edits else otherwise


def offer_all(n_iters: int, routing: int | None = None, title: str = "All shares", begins_equal: bool = True) -> Offer:
    """What can be done with all shares of a routing at once.

    Args:
        n_iters: iterations that are run.
        routing: as edits name it.
        title: of the shares.
        begins_equal: whether all shares of the first iteration are equal.
    """

    def all_shares(how: str) -> Couplings:
        return Couplings(how, routing=routing)

    first = Action("First", all_shares("first"), "The shares of the first iteration, kept.")
    at_slider = FreezeAfter(1, routing=routing)
    frozen = Action("Freeze", at_slider, "The shares of the slider's iteration stay.", at_slider=True)
    actions = (
        Action("Equal", all_shares("uniform"), "Every share is the same, in every iteration."),
        *(() if begins_equal else (first,)),
        Action("Shuffle", all_shares("shuffled"), "Each capsule's shares change places among the inputs."),
        Action("Random", all_shares("random"), "Shares drawn at random."),
        *((frozen,) if n_iters > 1 else ()),
    )
    return Offer(title, actions)
