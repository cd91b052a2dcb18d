"""Offers of edits for the things picked in a picture, and the run that the edits change."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from numpy import ndarray

from core.edits import Couplings, DropInput, Edit, FreezeAfter, SetCoupling, parse_edit
from core.sentences.words import capital, quote
from core.trace import Trace
from dashboard.figures.aligned import align_words
from dashboard.runs.edits import DosedRuns, EditedRun

FIXED = "All later iterations keep the shares of the iteration on the slider."


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
        picks: keys of the inputs that a click on a cell sets, for its column ("i") and its row ("j").
    """

    shares: ndarray
    columns: list[str]
    rows: list[str]
    column: str
    row: str
    by: str = "cell"
    what: str = "share c_ij"
    picks: Mapping[str, str] = field(default_factory=dict)

    @property
    def cut(self) -> str:
        """The noun for what is cut."""
        return "share" if self.by == "cell" else self.column

    def name(self, i: int, j: int) -> str:
        """The share, or the column, that is cut in a cell, in words."""
        column = quote(self.columns[i]) if self.column in ("word", "sentence") else f"{self.column} {self.columns[i]}"
        row = quote(self.rows[j]) if self.row == "class" else f"{self.row} {self.rows[j]}"
        return f"{column} → {row}" if self.by == "cell" else column


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
    def doses(self, edit: Edit, ends: tuple[float, float], edits: tuple[Edit, ...]) -> DosedRuns | None: ...
    def cuts(self, edits: tuple[Edit, ...], by: str, progress: Callable[[float], None]) -> ndarray: ...


@dataclass(frozen=True)
class Subject:
    """A run that can be edited.

    Attributes:
        steps: number of steps to show.
        offers: function that draws inputs, if needed, and returns offers for the picked things. It gets the full trace
            of the edited run.
        causes: function that returns the causal map of a trace; None for a network without couplings.
        param: parameter of the page's scrubber.
        note: function that returns another sentence on the edited run, or None.
    """

    steps: int
    offers: Callable[[Trace], tuple[Offer, ...]]
    causes: Callable[[Trace], Causes] | None = None
    param: str = "iteration"
    note: Callable[[Trace], str | None] | None = None


def offer_word(tokens: list[str], i: int, drop: DropInput | None = None) -> Offer:
    """The offer for word i.

    Args:
        tokens: words.
        i: index of the word.
        drop: edit that masks the word, if words are inputs of a routing.
    """
    help = "No capsule takes anything from the word, but its neighbours have already read it."
    actions = (Action("Mask word", drop, help),) if drop else ()
    return Offer(quote(tokens[i]), actions, word=i)


def offer_share(
    edit: SetCoupling, title: str, share: float | None, trained: int, others: str = "its other shares"
) -> Offer:
    """The offer for one share.

    Args:
        edit: edit that sets the share; its own value is ignored.
        title: name of the share, such as “never” → capsule 4.
        share: share in the edited run after the trained number of iterations; None if it has no such share.
        trained: number of iterations in training.
        others: name of the shares that sum to 1 with it.
    """
    scaled = f"Only this share, in every iteration. {capital(others)} are scaled so that, with this one, they sum to 1."
    actions = tuple(Action(f"Set to {value}", edit.dosed(value), scaled) for value in (0, 1))
    if share is None:
        return Offer(title, actions)
    return Offer(
        f"{title}: {share:.2f} (iteration {trained})",
        actions,
        doses=(Dosed(f"Share of {title}", edit, (0.0, 1.0), share),),
    )


def place_after(i: int, before: list[str], after: list[str]) -> int | None:
    """The index of word or sentence i after edits of the text; None if it is gone."""
    return dict(align_words(before, after)).get(i)


def nearest_after(i: int, before: list[str], after: list[str]) -> int:
    """The index of word or sentence i after edits of the text; if it is gone, of the one in its place."""
    place = place_after(i, before, after)
    return min(i, len(after) - 1) if place is None else place


def places_before(before: list[str], after: list[str]) -> list[int]:
    """The index that each word or sentence after edits of the text had; for a new one, that of the one before it."""
    places, last = [], 0
    for i, j in align_words(before, after):
        last = last if i is None else i
        if j is not None:
            places.append(last)
    return places


def dose_of(run: Trace, edit: Edit, otherwise: float) -> float:
    """The dose of the last edit of the same thing in a run; ``otherwise`` if there is none."""
    edits = [other for form in run.edits if (other := parse_edit(form)).target == edit.target]
    return float(getattr(edits[-1], edit.dose)) if edits else otherwise


def offer_all(
    n_iters: int, routing: int | None = None, title: str = "All shares: replace by", begins_equal: bool = True
) -> Offer:
    """The offer for all shares of a routing at once.

    Args:
        n_iters: number of iterations.
        routing: index of the routing in edits.
        title: name of the shares.
        begins_equal: whether all shares of the first iteration are equal.
    """

    def all_shares(how: str) -> Couplings:
        return Couplings(how, routing=routing)

    first = Action("Iteration 1", all_shares("first"), "All iterations keep the shares of the first one.")
    frozen = Action("Fixed from this iteration", FreezeAfter(1, routing=routing), FIXED, at_slider=True)
    actions = (
        Action("Equal", all_shares("uniform"), "Every share is the same, in every iteration."),
        Action("Shuffled", all_shares("shuffled"), "Each capsule's shares change places among the inputs."),
        *(() if begins_equal else (first,)),
        *((frozen,) if n_iters > 1 else ()),
    )
    return Offer(title, actions)
