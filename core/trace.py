"""The record of a network's run on one input, step by step.

``core.traces`` has one file for each family of networks, with the fields of its traces.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import pairwise
from numbers import Integral
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy import ndarray

from core.edits import Edit, describe
from core.near import did_you_mean
from core.quantities import array
from core.sentences.naming import Naming, names_of
from core.sentences.words import Phrasing
from core.stored import BY_KIND, Stored
from core.tables import Cells, to_dataset, to_frame

if TYPE_CHECKING:
    import pandas
    import xarray

N_LARGEST = 5  # inputs named in a line of a summary
MAX_EXAMPLE = 20  # characters of a word in an example of an edit


class Origin(NamedTuple):
    """The run that a trace is of, so that it can be repeated with other edits.

    Attributes:
        text: text as typed.
        open: function that finds the network, and returns a function that runs the text with these edits.
    """

    text: str
    open: "Callable[[], Callable[[Sequence[Edit | str]], Trace]]"


@dataclass(frozen=True, kw_only=True, eq=False)
class Trace(Stored):
    """A network's run on one input.

    Args:
        model: name of the checkpoint.
        task: task of the network, in words.
        device: device of the run.
        weights: sha256 of the file of weights.
        tokens: the words as typed; none for pictures.
        spans: the characters [start, end) of each token in the text.
        classes: names of the k classes.
        probabilities: class probabilities computed from the state after each step t. For networks with class capsules
            these are the capsules' lengths, which need not sum to 1.
        edits: changes made inside the run, in their form on the command line.
        notices: sentences for the user, such as that a text was cut.
    """

    kind: ClassVar[str] = ""
    naming: ClassVar[Naming] = Naming()  # meaning of the indices in edits
    is_of_network: ClassVar[bool] = True  # False for a record of sums over a network's run
    paper: ClassVar[str] = ""  # a key of ``core.papers.PAPERS``; "" for a network without a paper
    page: ClassVar[str] = "models"  # the folder of the dashboard's page that shows such a run
    reads: ClassVar[str] = "text"  # or "pictures"
    ranked_unit: ClassVar[str] = "word"  # unit of the parts that evidence ranks and deletes, in the singular
    inner_unit: ClassVar[str] = ""  # unit inside the network that the page Units describes, in the singular
    along: ClassVar[str] = "iteration"  # unit of a step: "iteration", "layer" or "window"
    # ``core.plot`` sets these: they import what draws traces, import what shows them in a notebook, and load a network.
    load_figures: ClassVar[Callable[[], Any]]
    load_saving: ClassVar[Callable[[], Any]]
    load_widget: ClassVar[Callable[[], Any]]
    load_network: ClassVar[Callable[..., Any]]
    origin: ClassVar[Origin | None] = None  # set for each trace of a text by what ran it; files and copies have none
    twins_differ_in: ClassVar[str] = ""  # the setting in which the network differs from its twin
    has_lengths: ClassVar[bool] = False  # whether classes have lengths of capsules instead of probabilities
    has_votes: ClassVar[bool] = False  # whether the Lab can run the votes of a text

    model: str
    task: str
    device: str
    weights: str
    tokens: list[str]
    spans: list[tuple[int, int]]
    classes: list[str] = array("k", str)
    probabilities: ndarray = array("t k")
    edits: list[str] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)

    def __init_subclass__(cls, kind: str = "") -> None:
        """Register the class as the trace of this kind of network; it also reads the files of such traces."""
        if kind:
            cls.kind = kind
            BY_KIND[kind] = cls

    @classmethod
    def title_of(cls, settings: Mapping[str, Any], task: str) -> str:
        """The name of a network of this kind in a few plain words; the kind itself if nothing better is known.

        Args:
            settings: hyper-parameters of the network.
            task: task of the network, in words.
        """
        return f"{cls.kind[:1].upper()}{cls.kind[1:]}".replace("-", " ")

    @property
    def n_steps(self) -> int:
        """Number of iterations, layers or windows."""
        return len(self.probabilities)

    def keys(self) -> list[str]:
        """The names of all arrays in the files of a trace; ``trace[name]`` is the array."""
        return [place for place, _, _ in self.stored_arrays()]

    def __getitem__(self, name: str) -> Any:
        """The array of this name in the files, such as "layers.0.coupling", or in Python.

        Raises:
            KeyError: there is no such array.
        """
        arrays = self._by_name()
        if name not in arrays:
            nearest = did_you_mean(str(name), self.keys())
            raise KeyError(f"There is no array {name!r} in a trace of {self.model}. {nearest}")
        return arrays[name]

    def __contains__(self, name: object) -> bool:
        """Whether ``trace[name]`` is an array."""
        return name in self._by_name()

    def __iter__(self) -> Iterator[str]:
        """The names that ``keys`` lists."""
        return iter(self.keys())

    def _by_name(self) -> dict[str, Any]:
        """The arrays by their names in Python, and by those in the files."""
        arrays = {path: value for path, _, value in self.arrays()}
        return arrays | dict(zip(self.keys(), arrays.values(), strict=True))

    @property
    def own_step(self) -> int:
        """The step, from 1, whose classes are the network's answer.

        It is the last iteration or layer of this run. A network with windows answers with the window of its training,
        or with the longest of this run if that is shorter.
        """
        return self.n_steps

    @property
    def class_probabilities(self) -> ndarray:
        """The class probabilities [k] that the network answers with."""
        return self.probabilities[self.own_step - 1]

    @property
    def answer(self) -> str:
        """The name of the most probable class."""
        return self.classes[int(self.class_probabilities.argmax())]

    @property
    def answers(self) -> list[str]:
        """The name of the most probable class at each step."""
        return [self.classes[k] for k in self.probabilities.argmax(1)]

    def as_typed(self, start: int, end: int) -> str:
        """Tokens start to end as in the text, with a space wherever something is between two of them."""
        places = zip(self.tokens[start + 1 : end], pairwise(self.spans[start:end]), strict=True)
        return self.tokens[start] + "".join(" " * (right[0] > left[1]) + token for token, (left, right) in places)

    @property
    def phrasing(self) -> Phrasing:
        """The words of the run, to be named in sentences."""
        return Phrasing(self.tokens, self.as_typed)

    def summary(self) -> Iterator[str]:
        """Describe the run in a few lines of text, which name every word and capsule as edits do."""
        yield from self._heading(f"{len(self.tokens)} words")
        yield from self._probabilities("had routing stopped after iteration", range(1, self.n_steps + 1))

    @property
    def things(self) -> dict[str, list[str]]:
        """The names of the words and classes, by unit."""
        return {"word": self.tokens, "class": self.classes}

    @property
    def names_of_words(self) -> list[str]:
        """The names of the words in edits; the#2 is the second one of several."""
        return names_of(self.tokens)

    def describe(self, edit: Edit | str) -> str:
        """An edit of this run in words."""
        return describe(edit, self.naming, self.things)

    def edits_in_words(self) -> list[str]:
        """The edits of this run in words. Replaced words are no longer in the text, so they have numbers."""
        numbered = {"class": self.classes}
        return [describe(e, self.naming, numbered if e.startswith("replace:") else self.things) for e in self.edits]

    def _heading(self, size: str) -> Iterator[str]:
        """Lines on the network, its device, its edits and how to edit it; ``size`` is a phrase such as "9 words"."""
        yield f"{self.model} on {self.device}, {size}"
        if self.edits:
            pairs = zip(self.edits_in_words(), self.edits, strict=True)
            yield f"edited: {'; '.join(f'{in_words} ({edit})' for in_words, edit in pairs)}"
        if self.naming.examples:
            short = (name for name in self.names_of_words if len(name) <= MAX_EXAMPLE)
            names = {"word": max(short, key=len, default="word 1"), "of_class": self.classes[-1]}
            yield f"edits take the names below: {'; '.join(e.format(**names) for e in self.naming.examples)}"

    @classmethod
    def weighs_by(cls, settings: Mapping[str, Any]) -> str:
        """The mechanism by which a network weighs its inputs, in a word or two.

        Args:
            settings: hyper-parameters of the network.
        """
        return cls.kind

    def _probabilities(self, heading: str, steps: range | tuple[int, ...]) -> Iterator[str]:
        """The lines of a table of the class probabilities after these steps, counted from 1."""
        yield f"{heading:<36}" + "".join(f"{t:>7}" for t in steps)
        for k, name in enumerate(self.classes):
            yield f"  {name:<34}" + "".join(f"{self.probabilities[t - 1, k]:>7.1%}" for t in steps)

    @property
    def plots(self) -> tuple[str, ...]:
        """Names of the pictures that ``plot`` draws; the first is the main one."""
        return self.load_figures().plots(self)

    def plot(self, name: str | None = None, step: int | None = None, **settings: Any) -> Any:
        """Draw a picture of the dashboard as an Altair chart with a slider for the steps.

        Args:
            name: one of ``plots``; the main picture if None.
            step: first step of the slider, from 1; the step of the network's answer if None.
            settings: settings of the picture, which are arguments of its function in ``dashboard.figures.plots``, such
                as ``threshold`` for attention.

        Raises:
            ValueError: there is no such picture, or no such step.
        """
        return self.load_figures().chart(self, *self._picture(name, step), settings)

    def save(
        self,
        path: str | PathLike[str],
        name: str | None = None,
        step: int | None = None,
        *,
        with_text: bool = False,
        **settings: Any,
    ) -> None:
        """Save a picture, or the numbers of the run, in a file that ``python -m core verify`` checks.

        Args:
            path: file, which is replaced. It ends with .svg, .pdf or .png (a picture of one step, which is no proof as
                .png), .html (a page with a slider, which needs no network), .json or .npz (the numbers).
            name, step, settings: as in ``plot``.
            with_text: whether the file holds the text as typed, which the command then need not be told. Without it,
                the words are still in the file: they are the labels of the picture and of the numbers.

        Raises:
            ValueError: there is no such picture, step or ending, or the trace does not know its text because it was
                read from a file, copied, or made from pictures.
            OSError: the file cannot be written.
        """
        self.load_saving().save(self, Path(path), *self._picture(name, step), with_text, settings)

    def _picture(self, name: str | None, step: int | None) -> tuple[str, int]:
        """The name of a picture and its step, which are the main ones unless they are given."""
        if name not in (None, *self.plots):
            raise ValueError(f"There is no picture {name!r} of {self.model}. There are: {', '.join(self.plots)}.")
        if step is not None and not (isinstance(step, Integral) and 1 <= step <= self.n_steps):
            raise ValueError(f"There is no {self.along} {step!r} in this run. There are: 1 to {self.n_steps}.")
        return name or self.plots[0], step or self.own_step

    def show(self) -> Any:
        """A widget for notebooks: the picture, its slider, the shaded text, the classes and the numbers of a cell.

        The widget's ``picked`` is the cell that was clicked. Its edits run the text again, through the network that
        ``explain`` ran or the server of a ``Client``: ``edits`` has them, and ``trace`` the run with them. Copies of a
        trace, and traces read from files, take no edits. Without a kernel everything but the edits works.

        Raises:
            ImportError: anywidget is not installed.
        """
        return self.load_widget().show(self)

    def with_origin(self, origin: Origin) -> "Trace":
        """This trace, which from now on knows the run that it is of."""
        object.__setattr__(self, "origin", origin)
        return self

    def __getstate__(self) -> dict[str, Any]:
        """The fields: a copy, or another process, does not get the network."""
        return {name: value for name, value in vars(self).items() if name != "origin"}

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """The forms of a trace in a notebook: its main picture, and its summary as text."""
        return self.plot()._repr_mimebundle_(include, exclude) | {"text/plain": "\n".join(self.summary())}

    @property
    def last_couplings(self) -> list[ndarray]:
        """c_ij of the first routing's last iteration; none without routing, for a document one matrix per sentence."""
        routings = [getattr(self, f.name) for f in fields(self) if "letters" in f.metadata]
        return [routings[0].coupling[-1]] if routings else []

    @property
    def cells(self) -> Cells:
        """The main quantity of the run, with the names of what it is about."""
        return Cells("probability", self.probabilities, {"class": self.classes})

    @property
    def drawn(self) -> tuple[Cells, ...]:
        """The quantities that figures of the run draw, besides its class probabilities."""
        return (self.cells,)

    def to_frame(self) -> "pandas.DataFrame":
        """The main quantity as a table: a row for each step, input and output.

        The columns are the step, counted from 1 (such as "iteration"), what the quantity is about, in names (such as
        "word" and "capsule"; the#2 is the second of several), and the quantity (such as "coupling").
        """
        return to_frame(self.cells, self.along)

    def to_xarray(self) -> "xarray.Dataset":
        """All arrays of the trace, by their names in Python, such as "inputs_to_capsules.coupling".

        Dimensions are the axis letters of ``core.types`` and of the trace's class. Steps are counted from 1, and lists
        of texts, such as the classes, are coordinates. Fields that are not arrays, such as the tokens, are attributes.

        Raises:
            ImportError: xarray is not installed.
        """
        return to_dataset(self)


def largest(names: list[str], values: ndarray, form: str) -> str:
    """List the names and values of the few values that are largest in absolute value, with a format specification."""
    order = np.argsort(-abs(values), kind="stable")[:N_LARGEST]
    return ", ".join(f"{names[i]} {values[i]:{form}}" for i in order)
