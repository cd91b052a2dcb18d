"""What can be done with what is picked in a picture: offers of edits, and the run that they change."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from numpy import ndarray

from core.analysis.words import quote
from dashboard import runs
from dashboard.figures import compare
from dashboard.figures.aligned import align
from dashboard.figures.figure import Figure

AT_SLIDER = "{t}"  # in the form of an edit: the step that the scrubber is at when the edit is made


@dataclass(frozen=True)
class Action:
    """A button that adds an edit.

    Attributes:
        label: on the button.
        form: of the edit on the command line.
        help: what it does, where the label does not say it all.
    """

    label: str
    form: str
    help: str | None = None


@dataclass(frozen=True)
class Dosed:
    """An edit whose dose a slider sets.

    Attributes:
        label: what the dose is.
        form: of the edit, with {} for the dose.
        ends: the smallest dose and the largest.
        value: the dose in the run with its edits.
    """

    label: str
    form: str
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
        return f"{what}, after {runs.about(model).model['n_iters']} iterations"


class Run(Protocol):
    """A run that can be run again: ``runs.TextRun``, or one of pictures."""

    name: str
    device: str
    n_iters: int | None

    @property
    def sample(self) -> str | None: ...
    @property
    def subject(self) -> str: ...
    def edited(self, edits: tuple[str, ...]) -> runs.EditedRun: ...
    def doses(self, edit: str, ends: tuple[float, float], edits: tuple[str, ...]) -> tuple[ndarray, ndarray] | None: ...
    def cuts(self, edits: tuple[str, ...], by: str, progress: Callable[[float], None]) -> ndarray: ...


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
    full: runs.Trace
    steps: int
    offers: Callable[[runs.Trace], tuple[Offer, ...]]
    causes: Callable[[runs.Trace], Causes] | None = None
    param: str = "iteration"
    percent: bool = True
    pictures: Callable[[runs.Trace, runs.Trace], tuple[Figure, Figure]] = compare.pair
    note: Callable[[runs.Trace], str | None] | None = None

    @property
    def before(self) -> runs.Trace:
        """What is shown of the run as it is."""
        return first_steps(self.full, self.steps)

    def describe(self, form: str) -> str:
        """An edit in words."""
        return self.full.describe(form)

    def describe_of_another_text(self, form: str) -> str:
        """An edit in words, where what it numbers was of another text."""
        classes = {"class": self.full.classes}
        return f"{self.full.naming.describe(form, classes)} (of another text)"


def first_steps(trace: runs.Trace, n: int) -> runs.Trace:
    """The trace with its first n steps."""
    return trace.first(n) if trace.n_steps > n else trace


def offer_word(tokens: list[str], i: int, drop: str = "") -> Offer:
    """What can be done with word i.

    Args:
        drop: form of the edit that drops it, where words are inputs of a routing.
    """
    actions = [Action("Delete", f"replace:{i}=", "The text without this word.")]
    if drop:
        actions.insert(0, Action("Drop", drop, "It takes part in nothing, as if it were padding."))
    return Offer(quote(tokens[i]), tuple(actions), word=i)


def offer_share(form: str, whose: str, share: float | None, dose: str, others: str = "its other shares") -> Offer:
    """What can be done with one share.

    Args:
        form: of the edit, with {} for the share.
        whose: for whom the share is.
        share: in the run with its edits; None if that has no such share.
        dose: what a slider sets.
        others: the shares that sum to 1 with it.
    """
    cut = Action("Cut", form.format(0), f"0 in every iteration; {others} grow in proportion.")
    everything = Action("All", form.format(1), "1 in every iteration.")
    title = f"Its share for {whose}"
    if share is None:
        return Offer(title, (cut, everything))
    return Offer(f"{title}, {share:.2f}", (cut, everything), doses=(Dosed(dose, form, (0.0, 1.0), share),))


def place_after(i: int, before: list[str], after: list[str]) -> int | None:
    """Where word i, or sentence i, is after edits of the text; None if it is gone."""
    return dict(align(before, after)).get(i)


def dose_of(run: runs.Trace, form: str, otherwise: float) -> float:
    """The dose that the last edit of this form has in a run; ``otherwise`` if there is none."""
    start, end = form.split("{}")
    doses = [e[len(start) : len(e) - len(end)] for e in run.edits if e.startswith(start) and e.endswith(end)]
    return float(doses[-1]) if doses else otherwise


def offer_all(n_iters: int, suffix: str = "", title: str = "All shares", begins_equal: bool = True) -> Offer:
    """What can be done with all shares of a routing at once.

    Args:
        n_iters: iterations that are run.
        suffix: that names the routing, such as "@1".
        title: of the shares.
        begins_equal: whether all shares of the first iteration are equal.
    """
    first = Action("First", f"couplings:first{suffix}", "The shares of the first iteration, kept.")
    frozen = Action("Freeze", f"freeze:{AT_SLIDER}{suffix}", "The shares of the slider's iteration stay.")
    actions = (
        Action("Equal", f"couplings:uniform{suffix}", "Every share is the same, in every iteration."),
        *(() if begins_equal else (first,)),
        Action("Shuffle", f"couplings:shuffled{suffix}", "Each capsule's shares change places among the inputs."),
        Action("Random", f"couplings:random{suffix}", "Shares drawn at random."),
        *((frozen,) if n_iters > 1 else ()),
    )
    return Offer(title, actions)
