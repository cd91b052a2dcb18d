"""The measures of evidence, with their dots in the picture of one network."""

from collections.abc import Callable
from dataclasses import dataclass

from core.analysis.faithfulness import DROP_ONE
from core.measured.evidence.record import RANDOM, TRAINED, Estimate, Evidence
from dashboard.pages.evidence import texts
from dashboard.screen import evidence as words
from dashboard.screen.evidence import NAMES
from dashboard.screen.unit_link import name_unit

OTHERS = {DROP_ONE: "deleting each {unit} alone", RANDOM: "a random order"}
COUPLINGS = {"uniform": "equal", "first": "those of iteration 1", "shuffled": "shuffled", "random": "random"}


@dataclass(frozen=True)
class Dot:
    """One figure in the picture.

    Args:
        label: the figure in words.
        value, low, high: value and ends of the interval, in the unit of the axis.
        is_own: whether it belongs to the ranking that the network's picture shows.
    """

    label: str
    value: float
    low: float
    high: float
    is_own: bool = False


Dots = Callable[[Evidence, str, str], list[Dot]]


@dataclass(frozen=True)
class Measure:
    """A quantity that is measured for every network.

    Args:
        meaning: sentences on the meaning of its numbers.
        axis: title of the axis.
        unit: unit of its numbers.
        zero: meaning of the value 0; None if it has none.
        by_way: whether it depends on the way to delete words.
        dots: function that returns a network's dots for a way of deletion, given the network's evidence, this way, and
            its name; empty if it has no such figures.
    """

    meaning: str
    axis: str
    unit: str
    zero: str | None
    by_way: bool
    dots: Dots


def _label(evidence: Evidence, ranking: str) -> str:
    """The name of a ranking in words."""
    name = NAMES.get(ranking) or OTHERS.get(ranking, ranking).format(unit=evidence.unit)
    return f"the picture: {name}" if ranking == evidence.main_ranking() else name


def _ranking_dots(figure: str, leave_out: tuple[str, ...] = (), scale: float = 100) -> Dots:
    """Make the function that returns the dots of one figure for every ranking that is not left out."""

    def dots(evidence: Evidence, way: str, name: str) -> list[Dot]:
        figures = {name: getattr(ranking, figure) for name, ranking in evidence.rankings[way].items()}
        return _by_ranking(evidence, {name: one for name, one in figures.items() if name not in leave_out}, scale)

    return dots


def _phrase_dots(evidence: Evidence, way: str, name: str) -> list[Dot]:
    return _by_ranking(evidence, {name: one.average_precision for name, one in evidence.phrases.items()}, 1)


def _by_ranking(evidence: Evidence, figures: dict[str, Estimate | None], scale: float) -> list[Dot]:
    """One dot per ranking with a figure, the picture's first."""
    own = evidence.main_ranking()
    names = sorted(figures, key=lambda name: name != own)
    return [_dot(_label(evidence, name), one, scale, name == own) for name in names if (one := figures[name])]


def _coupling_dots(evidence: Evidence, way: str, name: str) -> list[Dot]:
    changes = {how: result.change for how, result in evidence.couplings.items() if how != TRAINED}
    return [_dot(COUPLINGS.get(how, how), change) for how, change in changes.items()]


def _iteration_dots(evidence: Evidence, way: str, name: str) -> list[Dot]:
    def label(t: int) -> str:
        return f"{t} iteration{'s' * (t > 1)}{', as trained' * (t == evidence.trained_iterations)}"

    return [_dot(label(t), result.change) for t, result in enumerate(evidence.iterations, 1)]


def _capsule_dots(evidence: Evidence, way: str, name: str) -> list[Dot]:
    dead = f", dead on most {evidence.samples}"
    return [
        _dot(
            f"without {name_unit(name, j, 'capsule')}{dead * (capsule.dead.mean > words.MOSTLY)}",
            capsule.without.change,
        )
        for j, capsule in enumerate(evidence.capsules, 1)
    ]


def _dot(label: str, figure: Estimate, scale: float = 100, is_own: bool = False) -> Dot:
    return Dot(label, scale * figure.mean, scale * figure.low, scale * figure.high, is_own)


POINTS = "points"
MEASURES = {
    "Delete top words": Measure(
        texts.DELETING,
        "points that the answer loses, minus those for random words",
        POINTS,
        "random words",
        True,
        _ranking_dots("over_random", (RANDOM,)),
    ),
    "Add top words": Measure(
        texts.GIVING,
        "the answer's probability in points, averaged over all steps",
        POINTS,
        None,
        True,
        _ranking_dots("insertion"),
    ),
    "Rank agreement": Measure(
        texts.ORDER,
        "Kendall's τ with the effect of each word alone",
        "τ",
        "unrelated",
        True,
        _ranking_dots("tau", (DROP_ONE,), 1),
    ),
    "Replace couplings": Measure(
        texts.COUPLINGS,
        "points of accuracy gained or lost",
        POINTS,
        "as trained",
        False,
        _coupling_dots,
    ),
    "Number of iterations": Measure(
        texts.ITERATIONS,
        "points of accuracy gained or lost",
        POINTS,
        "as trained",
        False,
        _iteration_dots,
    ),
    "Remove a capsule": Measure(
        texts.CAPSULES,
        "points of accuracy gained or lost",
        POINTS,
        "with all capsules",
        False,
        _capsule_dots,
    ),
    "Human labels": Measure(
        texts.MARKED,
        "average precision of words in labelled phrases",
        "average precision",
        None,
        False,
        _phrase_dots,
    ),
}
EARLIER = dict(  # names in addresses that earlier versions made
    zip(("Deleting", "Giving", "Order", "Couplings", "Iterations", "Capsules", "Marked words"), MEASURES, strict=True)
)
