"""Traces of two EM routings in a row (Heinsen 2019): from detected inputs to parts, from parts to classes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

import numpy as np
from numpy import ndarray

from core.analysis.credit import by_token, leading_part, leading_used_part
from core.analysis.places import by_place, taken_from
from core.quantities import Quantities, array, routing
from core.sentences.naming import Naming, Sides
from core.tables import Cells, numbered
from core.trace import Trace, largest

MAX_SIDE = 192  # pixels along a side of a picture; smallNORB's have 96
USUAL = "all-MiniLM-L6-v2"  # the transformer of every installation, which titles leave out
SHORT = {"SmolLM2-135M-Instruct": "SmolLM2"}  # names of transformers in titles, where a menu would cut them
MAX_AIM = 60  # characters of what a network is trained for, in its title
PICTURE_NAMING = Naming(
    {
        "": Sides("input", "part", "pictures to parts"),
        "0": Sides("input", "part", "pictures to parts"),
        "1": Sides("part", "class", "parts to classes"),
    },
    dropped="place",
    examples=("drop:place 1", "capsule:part 1", "couple:part 1,{of_class}=0"),
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Outputs(Quantities):
    """The outputs of one EM routing.

    Args:
        benefit, cost: the two terms whose difference is the score (eq. 8).
        scores: a_j.
        activation: f(a_j).
        capsules: mu_j.
        variances: sigma_j^2.
    """

    benefit: ndarray = array("t j")
    cost: ndarray = array("t j")
    scores: ndarray = array("t j")
    activation: ndarray = array("t j")
    capsules: ndarray = array("t j h")
    variances: ndarray = array("t j h")


@dataclass(frozen=True, kw_only=True, eq=False)
class EMShares(Outputs):
    """One EM routing, from which D_use = gate * coupling and D_ign = gate - D_use.

    Args:
        gate: f(a_i).
        coupling: R_ij.
    """

    gate: ndarray = array("t i")
    coupling: ndarray = array("t i j")


@dataclass(frozen=True, kw_only=True, eq=False)
class EMClasses(EMShares):
    """The EM routing to classes.

    Args:
        effect: net benefit that each input adds to a score, beta_use D_use - beta_ign D_ign (eq. 8).
    """

    effect: ndarray = array("t i j")


@dataclass(frozen=True, kw_only=True, eq=False)
class EMTrace(Trace):
    """A run of both routings. Axes: i, detected inputs; j, parts; k, classes.

    Args:
        credit: credit of each input for each class; the credits for a class sum to its score.
    """

    inputs_to_parts: EMShares = routing()
    parts_to_classes: EMClasses = routing(i="j", j="k")
    credit: ndarray = array("t i k")

    @classmethod
    def title_of(cls, settings: Mapping[str, Any], task: str) -> str:
        return "EM routing"

    @classmethod
    def weighs_by(cls, settings: Mapping[str, Any]) -> str:
        return "EM"

    @property
    def leading_part(self) -> int:
        """The part with the largest effect on the score of the most probable class."""
        return leading_part(self.parts_to_classes.effect, self.probabilities)

    def _scores(self, sources: list[str], credit: ndarray) -> Iterator[str]:
        """A line for each class with the sources that contribute most to its score; ``credit`` is [source, k]."""
        scores = self.parts_to_classes.scores[-1]
        for name, score, shares in zip(self.classes, scores, credit.T, strict=True):
            yield f"{name}, score {score:+.2f}, is made of: {largest(sources, shares, '+.2f')}"


@dataclass(frozen=True, kw_only=True, eq=False)
class EMTextTrace(EMTrace, kind="em-sst"):
    """A run on a text. Axes: n, word pieces; i, hidden states, one for each piece and layer, piece by piece.

    Args:
        backbone: the transformer's name.
        n_layers: number of the transformer's layers that the network reads.
        layers: their numbers, 0 for the embedding output; empty if the network reads all.
        pieces: the text of each word piece.
        token_of: the number of each piece's token, ascending from 0.
    """

    paper: ClassVar[str] = "heinsen2019"
    page: ClassVar[str] = "sentiment_capsules"
    inner_unit: ClassVar[str] = "part"
    has_votes: ClassVar[bool] = True
    naming: ClassVar[Naming] = Naming(
        {
            "": Sides("piece of text", "part", "words to parts"),
            "0": Sides("piece of text", "part", "words to parts"),
            "1": Sides("part", "class", "parts to classes"),
        },
        dropped="word",
        examples=("drop:{word}", "capsule:part 1", "couple:part 1,{of_class}=0"),
    )

    backbone: str
    n_layers: int
    pieces: list[str] = array("n", str)
    token_of: ndarray = array("n", int)
    layers: list[int] = field(default_factory=list)

    @property
    def read_layers(self) -> list[int]:
        """The numbers of the layers that the network reads."""
        return self.layers or list(range(self.n_layers))

    @classmethod
    def title_of(cls, settings: Mapping[str, Any], task: str) -> str:
        transformer = task.partition("EM routing over ")[2]
        if transformer in ("", USUAL):
            return "EM routing"
        return f"EM routing over {SHORT.get(transformer, transformer)[:MAX_AIM]}"

    def by_word(self, values: ndarray) -> ndarray:
        """Sum values [t, i, ..] over the pieces of each word: [t, word, layer, ..]."""
        return by_token(values, self.token_of.tolist(), self.n_layers)

    @property
    def credit_of_words(self) -> ndarray:
        """Credit of each word for each class [t, word, k]; the credits for a class sum to its score."""
        return self.by_word(self.credit).sum(2)

    @property
    def pieces_of_words(self) -> list[str]:
        """Each word as the transformer cuts it, with dots between its pieces."""
        pieces: list[list[str]] = [[] for _ in self.tokens]
        for piece, token in zip(self.pieces, self.token_of, strict=True):
            pieces[token].append(piece)
        return ["·".join(of_word) for of_word in pieces]

    @property
    def cells(self) -> Cells:
        return Cells("credit", self.credit_of_words, {"word": self.names_of_words, "class": self.classes})

    def summary(self) -> Iterator[str]:
        yield from super().summary()
        yield from self._scores(self.names_of_words, self.credit_of_words[-1])


@dataclass(frozen=True, kw_only=True, eq=False)
class EMPictureTrace(EMTrace, kind="em-smallnorb"):
    """A run on a pair of pictures. Axis i: detected inputs, equally many at each location, locations row by row.

    Args:
        grid: rows and columns of locations.
        centres: centre of the first location ("first"), distance to the next one ("step") and side of the square that a
            location sees ("field"), in pixels.
    """

    paper: ClassVar[str] = "heinsen2019"
    page: ClassVar[str] = "smallnorb"
    reads: ClassVar[str] = "pictures"
    inner_unit: ClassVar[str] = "part"
    ranked_unit: ClassVar[str] = "place"
    naming: ClassVar[Naming] = PICTURE_NAMING
    grid: list[int]
    centres: dict[str, int]

    @classmethod
    def title_of(cls, settings: Mapping[str, Any], task: str) -> str:
        aim = task.partition("EM routing, ")[2]  # networks with the same settings are trained for different things
        return f"EM routing, {aim[:MAX_AIM]}" if aim else "EM routing"

    @property
    def cells(self) -> Cells:
        return Cells(
            "credit",
            by_place(self.credit, self.grid).reshape(self.n_steps, -1, len(self.classes)),
            {"place": numbered("place", self.grid[0] * self.grid[1]), "class": self.classes},
        )

    def summary(self) -> Iterator[str]:
        first, step, field = (self.centres[name] for name in ("first", "step", "field"))
        centres = [f"({first + step * row}, {first + step * column})" for row, column in np.ndindex(*self.grid)]
        places = [f"place {n} at {centre}" for n, centre in enumerate(centres, 1)]
        yield from self._heading(f"{len(places)} places")
        yield from self._probabilities("had routing stopped after iteration", range(1, self.n_steps + 1))
        yield f"places are (row, column) of their centres in pixels; each sees {field} x {field}"
        yield from self._scores(places, by_place(self.credit, self.grid)[-1].reshape(len(places), -1))

    def by_place(self) -> "EMPlacesTrace":
        """The same run with the thousands of detected inputs summed by location."""
        first = self.inputs_to_parts
        unchanged = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in ("inputs_to_parts", "credit")}
        return EMPlacesTrace(
            **unchanged,
            parts=Outputs(**{f.name: getattr(first, f.name) for f in fields(Outputs)}),
            taken_from=taken_from(first.gate, first.coupling, self.grid),
            credit_by_place=by_place(self.credit, self.grid),
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class EMPlacesTrace(Trace, kind="em-smallnorb-places"):
    """A run on a pair of pictures with sums by location instead of single detected inputs.

    Args:
        taken_from: D_use of part j, summed over the inputs of a location.
        credit_by_place: credit for class k, summed over the inputs of a location.
        grid, centres: as in ``EMPictureTrace``.
    """

    parts: Outputs = routing()
    parts_to_classes: EMClasses = routing(i="j", j="k")
    taken_from: ndarray = array("t row column j")
    credit_by_place: ndarray = array("t row column k")
    paper: ClassVar[str] = "heinsen2019"
    page: ClassVar[str] = "smallnorb"
    reads: ClassVar[str] = "pictures"
    ranked_unit: ClassVar[str] = "place"
    naming: ClassVar[Naming] = PICTURE_NAMING
    is_of_network: ClassVar[bool] = False
    grid: list[int]
    centres: dict[str, int]

    @property
    def cells(self) -> Cells:
        credit = self.credit_by_place.reshape(self.n_steps, -1, len(self.classes))
        return Cells("credit", credit, {"place": numbered("place", credit.shape[1]), "class": self.classes})

    @property
    def used(self) -> ndarray:
        """D_use of part j for class k [t, j, k]."""
        return self.parts_to_classes.gate[..., None] * self.parts_to_classes.coupling

    @property
    def leading_part(self) -> int:
        """The part that the most probable class uses most, by D_use times effect.

        A class can also score by ignoring a part, but that part says nothing about the picture.
        """
        return leading_used_part(self.used, self.parts_to_classes.effect, self.probabilities)
