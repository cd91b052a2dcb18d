"""Offers of edits for the things picked in a picture, and the run that the edits change."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from numpy import ndarray

from core.edits import Couplings, DropInput, Edit, FreezeAfter, ReplaceWord, SetCoupling, describe, parse_edit
from core.sentences.words import quote
from core.trace import Trace
from dashboard.figures import compare
from dashboard.figures.aligned import align_words
from dashboard.figures.figure import Figure
from dashboard.runs import checkpoints
from dashboard.runs.edits import EditedRun
from dashboard.whatif.edits import Unread


@dataclass(frozen=True)
class Action:
    """A button that adds an edit.

    Attributes:
        label: label of the button.
        edit: edit to add.
        help: explanation, if the label is not enough.
        at_slider: whether the edit is for the scrubber's step at the time of the click.
    """

    label: str
    edit: Edit
    help: str | None = None
    at_slider: bool = False


@dataclass(frozen=True)
class Dosed:
    """An edit with a slider for its dose.

    Attributes:
        label: label of the slider.
        edit: edit with the dose.
        ends: smallest and largest dose.
        value: current dose in the edited run.
    """

    label: str
    edit: Edit
    ends: tuple[float, float]
    value: float


@dataclass(frozen=True)
class Offer:
    """Possible edits of one picked thing.

    Attributes:
        title: name of the thing.
        actions: buttons.
        word: index of the word, if the thing is a word that can be replaced.
        doses: edits with sliders.
    """

    title: str
    actions: tuple[Action, ...] = ()
    word: int | None = None
    doses: tuple[Dosed, ...] = ()


@dataclass(frozen=True)
class Causes:
    """The causal map: the effect of cutting each coupling once, next to the couplings.

    Attributes:
        shares: c_ij after the trained number of iterations; if whole capsules are cut, each class's use of them [j, k].
        columns, rows: names along both axes.
        column, row: units of the columns and rows.
        by: "cell" or "capsule", as in ``core.cuts``.
        what: name of the shares.
    """

    shares: ndarray
    columns: list[str]
    rows: list[str]
    column: str
    row: str
    by: str = "cell"
    what: str = "share c_ij"

    def heading(self, model: str) -> str:
        """The heading above the shares."""
        what = "How large each share is" if self.by == "cell" else f"What each class uses of each {self.column}"
        return f"{what}, after {checkpoints.about(model).model['n_iters']} iterations"


class Run(Protocol):
    """A run that can be repeated with edits: ``TextRun`` or ``PictureRun``."""

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
    """A run that can be edited.

    Attributes:
        title: title of the main picture.
        run: run to repeat with edits.
        full: trace of the run without edits, with all steps.
        steps: number of steps to show.
        offers: function that draws inputs, if needed, and returns offers for the picked things. It gets the full trace
            of the edited run.
        causes: function that returns the causal map of a trace; None for a network without couplings.
        param: parameter of the page's scrubber.
        percent: whether the classes have probabilities.
        pictures: function that draws the main pictures before and after on one scale; ``compare.pair`` by default.
        note: function that returns another sentence on the edited run, or None.
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
        """The shown steps of the run without edits."""
        return first_steps(self.full, self.steps)

    def describe(self, edit: Edit | Unread) -> str:
        """An edit in words."""
        return self.full.describe(edit) if isinstance(edit, Edit) else str(edit)

    def describe_of_another_text(self, edit: Edit | Unread) -> str:
        """An edit in words that names something of another text."""
        classes = {"class": self.full.classes}
        return f"{describe(edit, self.full.naming, classes) if isinstance(edit, Edit) else edit} (of another text)"


def first_steps(trace: Trace, n: int) -> Trace:
    """The trace with its first n steps."""
    return trace.first(n) if trace.n_steps > n else trace


def offer_word(tokens: list[str], i: int, drop: DropInput | None = None) -> Offer:
    """The offer for word i.

    Args:
        tokens: words.
        i: index of the word.
        drop: edit that drops the word, if words are inputs of a routing.
    """
    actions = [Action("Delete", ReplaceWord(i, ""), "The text without this word.")]
    if drop:
        actions.insert(0, Action("Drop", drop, "It takes part in nothing, as if it were padding."))
    return Offer(quote(tokens[i]), tuple(actions), word=i)


def offer_share(
    edit: SetCoupling, receiver: str, share: float | None, dose: str, others: str = "its other shares"
) -> Offer:
    """The offer for one share.

    Args:
        edit: edit that sets the share; its own value is ignored.
        receiver: name of the capsule or class that gets the share.
        share: share in the edited run; None if it has no such share.
        dose: label of the slider.
        others: name of the shares that sum to 1 with it.
    """
    cut = Action("Cut", edit.dosed(0), f"0 in every iteration; {others} grow in proportion.")
    everything = Action("All", edit.dosed(1), "1 in every iteration.")
    title = f"Its share for {receiver}"
    if share is None:
        return Offer(title, (cut, everything))
    return Offer(f"{title}, {share:.2f}", (cut, everything), doses=(Dosed(dose, edit, (0.0, 1.0), share),))


def place_after(i: int, before: list[str], after: list[str]) -> int | None:
    """The index of word or sentence i after edits of the text; None if it is gone."""
    return dict(align_words(before, after)).get(i)


def dose_of(run: Trace, edit: Edit, otherwise: float) -> float:
    """The dose of the last edit of the same thing in a run; ``otherwise`` if there is none."""
    edits = [other for form in run.edits if (other := parse_edit(form)).target == edit.target]
    return float(getattr(edits[-1], edit.dose)) if edits else otherwise


def offer_all(n_iters: int, routing: int | None = None, title: str = "All shares", begins_equal: bool = True) -> Offer:
    """The offer for all shares of a routing at once.

    Args:
        n_iters: number of iterations.
        routing: index of the routing in edits.
        title: name of the shares.
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
