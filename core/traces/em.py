"""Traces of two EM routings in a row (Heinsen 2019): from detected inputs to parts, from parts to classes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy import ndarray

from core.analysis.credit import by_token, end_to_end, leading_part, leading_used_part
from core.analysis.naming import Naming, Sides
from core.analysis.places import by_place, taken_from
from core.quantities import Quantities, array, routing
from core.trace import Trace
from core.traces.base import (
    arrays_of,
    concat_steps,
    largest,
    retyped,
    run_fields,
    to_array,
    token_fields,
)
from core.traces.em_inputs import read_pieces, spread_drops

if TYPE_CHECKING:
    import core.checkpoint
    import core.edits
    import core.models.two_routings

MAX_SIDE = 192  # pixels along a side of a picture; smallNORB's have 96
QUANTITIES = ("gate", "coupling", "benefit", "cost", "scores", "activation", "capsules", "variances")
OF_PICTURES = Naming(
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
        credit: of each input for each class; the credits for a class sum to its score.
    """

    inputs_to_parts: EMShares = routing()
    parts_to_classes: EMClasses = routing(i="j", j="k")
    credit: ndarray = array("t i k")

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
        n_layers: its layers, and one for the embedding output.
        pieces: the text of each word piece.
        token_of: the number of each piece's token, ascending from 0.
    """

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

    def summary(self) -> Iterator[str]:
        yield from super().summary()
        yield from self._scores(self.names_of_words, self.credit_of_words[-1])


@dataclass(frozen=True, kw_only=True, eq=False)
class EMPictureTrace(EMTrace, kind="em-smallnorb"):
    """A run on a pair of pictures. Axis i: detected inputs, equally many at each location, locations row by row.

    Args:
        grid: rows and columns of locations.
        centres: in pixels, the centre of the first location ("first"), the distance to the next ("step") and the side
            of the square that a location sees ("field").
    """

    naming: ClassVar[Naming] = OF_PICTURES
    grid: list[int]
    centres: dict[str, int]

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
    naming: ClassVar[Naming] = OF_PICTURES
    is_of_network: ClassVar[bool] = False
    grid: list[int]
    centres: dict[str, int]

    @property
    def used(self) -> ndarray:
        """D_use of part j for class k [t, j, k]."""
        return self.parts_to_classes.gate[..., None] * self.parts_to_classes.coupling

    @property
    def leading_part(self) -> int:
        """The part that the most probable class uses most, by D_use times effect.

        A class can also score by ignoring a part: such a part says nothing of what its picture shows.
        """
        return leading_used_part(self.used, self.parts_to_classes.effect, self.probabilities)


def trace(
    checkpoint: "core.checkpoint.Checkpoint",
    text: str,
    n_iters: int | None = None,
    edits: Sequence["core.edits.Edit"] = (),
) -> EMTextTrace:
    """Run the network on a text and record every iteration. Arguments and errors as in ``core.explain``."""
    reader, model = checkpoint.reader, checkpoint.model
    text = retyped(text, edits, lambda text: read_pieces(reader, text)[1])
    pieces, tokens, token_of, notices = read_pieces(reader, text)
    changes = spread_drops(edits, np.repeat(token_of, model.config.n_layers))
    steps = list(model.steps(**reader.states([pieces]), n_iters=n_iters, edits=changes))
    routed = _two_routings(checkpoint, steps)
    return EMTextTrace(
        **run_fields(checkpoint),
        **token_fields(tokens),
        **routed,
        notices=notices,
        backbone=reader.title,
        n_layers=model.config.n_layers,
        pieces=[text[start:end] for start, end in pieces.spans],
        token_of=np.array(token_of),
    )


def trace_pictures(
    checkpoint: "core.checkpoint.Checkpoint",
    images: ndarray,
    n_iters: int | None = None,
    edits: Sequence["core.edits.Edit"] = (),
) -> EMPictureTrace:
    """Run the network on a pair of pictures and record every iteration. Arguments and errors as in ``core.explain``."""
    from core.models.em_smallnorb import FIELD, FIRST, STEP, grid

    if images.ndim != 3 or max(images.shape) > MAX_SIDE:
        limits = f"y and x up to {MAX_SIDE}"
        raise ValueError(f"images has shape {list(images.shape)}, wanted one pair [2, y, x], {limits}")
    places = grid(*images.shape[1:])
    changes = spread_drops(edits, np.repeat(np.arange(places[0] * places[1]), checkpoint.model.config.n_detected))
    steps = list(checkpoint.model.steps(**checkpoint.inputs(images[None]), n_iters=n_iters, edits=changes))
    return EMPictureTrace(
        **run_fields(checkpoint),
        **_two_routings(checkpoint, steps),
        tokens=[],
        spans=[],
        grid=list(places),
        centres={"first": FIRST, "step": STEP, "field": FIELD},
    )


def _two_routings(
    checkpoint: "core.checkpoint.Checkpoint", steps: list["core.models.two_routings.TwoSteps"]
) -> dict[str, Any]:
    """The fields of an ``EMTrace`` that come from the routings, and its probabilities."""
    to_parts, to_classes = [s.to_parts for s in steps], [s.to_classes for s in steps]
    first, second = EMShares(**arrays_of(to_parts, *QUANTITIES)), arrays_of(to_classes, *QUANTITIES)
    betas = checkpoint.model.to_classes
    effect = np.concatenate([to_array(betas.beta_use * s.use - betas.beta_ign * s.ignore) for s in to_classes])
    return {
        "probabilities": to_array(concat_steps(to_classes, "scores").softmax(-1)),
        "inputs_to_parts": first,
        "parts_to_classes": EMClasses(**second, effect=effect),
        "credit": end_to_end(first.gate[..., None] * first.coupling, effect),
    }
