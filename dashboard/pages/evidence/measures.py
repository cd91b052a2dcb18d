"""The measures of evidence, with their dots in the picture and their sentences."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from core.analysis.faithfulness import DROP_ONE
from core.measured.evidence.record import Estimate, Evidence, Ranking
from dashboard.pages.evidence import texts
from dashboard.screen import evidence as words
from dashboard.screen.evidence import NAMES, RANDOM, TRAINED, short_text

OWN, SECOND = "the picture's ranking", "the network's other ranking"
OTHERS = ("integrated gradients", DROP_ONE, RANDOM)
SERIES = (OWN, SECOND, *OTHERS, "uniform", "first", "shuffled", "another text's", "alive", "dead on most texts")


@dataclass(frozen=True)
class Dot:
    """One figure in the picture.

    Args:
        series: series, which determines the colour.
        what: the figure in words.
        value, low, high: value and ends of the interval, in the unit of the axis.
    """

    series: str
    what: str
    value: float
    low: float
    high: float


Dots = Callable[[Evidence, str], list[Dot]]


@dataclass(frozen=True)
class Measure:
    """A quantity that is measured for every checkpoint.

    Args:
        meaning: sentence on the meaning of its numbers.
        axis: title of the axis.
        zero: meaning of the value 0; None if it has none.
        by_way: whether it depends on the way to delete words.
        dots: function that returns a checkpoint's dots for a way of deletion; empty if it has no such figures.
        sentence: function that returns the sentence on a checkpoint with dots.
        number: meaning of a checkpoint's cell in the table.
        short: function that returns the text of this cell.
    """

    meaning: str
    axis: str
    zero: str | None
    by_way: bool
    dots: Dots
    sentence: Callable[[Evidence, str], str]
    number: str
    short: Callable[[Evidence, str], str]


def place_of_series(series: str) -> int:
    """The position of a series among the others. Numbers of iterations are in order, and unknown series come last."""
    if series.isdecimal():
        return int(series)
    return SERIES.index(series) if series in SERIES else len(SERIES)


def _series(evidence: Evidence, names: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the name of each ranking, and its series."""
    for name in names:
        own = OWN if name == evidence.main_ranking() else SECOND
        yield name, name if name in OTHERS else own


def _ranking_dots(figure: str, leave_out: tuple[str, ...] = (), scale: float = 100) -> Dots:
    """Make the function that returns the dots of one figure for every ranking that is not left out."""

    def dots(evidence: Evidence, way: str) -> list[Dot]:
        rankings = evidence.rankings[way]
        named = [(name, series, getattr(rankings[name], figure)) for name, series in _series(evidence, list(rankings))]
        return [
            _dot(series, NAMES.get(name, name), estimate, scale)
            for name, series, estimate in named
            if estimate is not None and name not in leave_out
        ]

    return dots


def _phrase_dots(evidence: Evidence, way: str) -> list[Dot]:
    phrases = evidence.phrases
    named = _series(evidence, list(phrases))
    return [_dot(series, NAMES.get(name, name), phrases[name].average_precision, 1) for name, series in named]


def _coupling_dots(evidence: Evidence, way: str) -> list[Dot]:
    return [_dot(kind, kind, result.change) for kind, result in evidence.couplings.items() if kind != TRAINED]


def _iteration_dots(evidence: Evidence, way: str) -> list[Dot]:
    results = enumerate(evidence.iterations, 1)
    return [_dot(str(t), f"{t} iteration{'s' * (t > 1)}", result.change) for t, result in results]


def _capsule_dots(evidence: Evidence, way: str) -> list[Dot]:
    return [
        _dot("dead on most texts" if capsule.dead.mean > words.MOSTLY else "alive", f"without capsule {j}",
             capsule.without.change)
        for j, capsule in enumerate(evidence.capsules, 1)
    ]  # fmt: skip


def _dot(series: str, what: str, figure: Estimate, scale: float = 100) -> Dot:
    return Dot(series, what, scale * figure.mean, scale * figure.low, scale * figure.high)


def _own_ranking(evidence: Evidence, way: str) -> Ranking:
    return evidence.rankings[way][evidence.main_ranking()]


def _giving_as_text(evidence: Evidence, way: str) -> str:
    return short_text(words.subtract(_own_ranking(evidence, way).insertion, evidence.rankings[way][RANDOM].insertion))


def _order_as_text(evidence: Evidence, way: str) -> str:
    tau = _own_ranking(evidence, way).tau
    return short_text(tau, 1) if tau else ""


def _capsules_as_text(evidence: Evidence, way: str) -> str:
    dead, needed = words.count_capsules(evidence)
    return f"{len(evidence.capsules)}: {dead} dead, {len(needed)} needed"


def _phrases_as_text(evidence: Evidence, way: str) -> str:
    return short_text(evidence.phrases[evidence.main_ranking()].over_random, 1)


MEASURES = {
    "Deleting": Measure(
        texts.DELETING,
        "points that the answer loses beyond what random words take",
        "random words",
        True,
        _ranking_dots("over_random", (RANDOM,)),
        words.describe_deleting,
        "points over random words",
        lambda evidence, way: short_text(_own_ranking(evidence, way).over_random),
    ),
    "Giving": Measure(
        texts.GIVING,
        "answer's probability in points, mean of all steps",
        None,
        True,
        _ranking_dots("insertion"),
        words.describe_giving,
        "points over a random order",
        _giving_as_text,
    ),
    "Order": Measure(
        texts.ORDER,
        "Kendall's tau with deleting each word alone",
        "no agreement",
        True,
        _ranking_dots("tau", (DROP_ONE,), 1),
        words.describe_order,
        "tau",
        _order_as_text,
    ),
    "Couplings": Measure(
        texts.COUPLINGS,
        "points of accuracy gained or lost with other couplings",
        "as trained",
        False,
        _coupling_dots,
        lambda evidence, way: words.describe_couplings(evidence),
        "points of accuracy with uniform couplings",
        lambda evidence, way: short_text(evidence.couplings["uniform"].change),
    ),
    "Iterations": Measure(
        texts.ITERATIONS,
        "points of accuracy gained or lost with so many iterations",
        "as trained",
        False,
        _iteration_dots,
        lambda evidence, way: words.describe_iterations(evidence),
        "points of accuracy with one iteration",
        lambda evidence, way: short_text(evidence.iterations[0].change),
    ),
    "Capsules": Measure(
        texts.CAPSULES,
        "points of accuracy gained or lost without one capsule",
        "with all capsules",
        False,
        _capsule_dots,
        lambda evidence, way: words.describe_capsules(evidence),
        "how many, dead on most texts, and needed",
        _capsules_as_text,
    ),
    "Marked words": Measure(
        texts.MARKED,
        "average precision of the words of labelled phrases",
        None,
        False,
        _phrase_dots,
        lambda evidence, way: words.describe_phrases(evidence),
        "average precision over random words",
        _phrases_as_text,
    ),
}
