"""The contents of evidence.json, as ``python -m core evidence`` writes it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

T = TypeVar("T")

RANDOM = "random"
TRAINED, UNIFORM = "trained", "uniform"  # couplings
UNITS = ("word", "sentence", "place")  # what is ranked and deleted


@dataclass(frozen=True)
class Figure:
    """A mean over n texts and its 95% bootstrap interval."""

    mean: float
    low: float
    high: float
    n: int

    @property
    def is_within_chance(self) -> bool:
        """Whether 0 lies in the interval, for a figure that is a difference."""
        return self.low <= 0 <= self.high

    @classmethod
    def read(cls, stored: Any, name: str = "mean") -> "Figure":
        """The figure under a name, beside its "interval" and its "n"."""
        low, high = stored["interval"]
        return cls(float(stored[name]), float(low), float(high), int(stored["n"]))


@dataclass(frozen=True)
class Accuracy:
    """An accuracy, and by how much it differs from that of the network as trained, on the same texts."""

    accuracy: Figure
    change: Figure

    @classmethod
    def read(cls, stored: Any) -> "Accuracy":
        return cls(Figure.read(stored, "accuracy"), Figure.read(stored["change"]))


@dataclass(frozen=True)
class Capsule:
    """An output capsule.

    Args:
        share: of the inputs that it takes.
        active: mean length |v_j|, or mean f(a_j) of EM routing.
        dead: share of the texts on which that is below .1.
        nearest: the largest mean cosine to another capsule.
        without: accuracy of the network without it.
    """

    share: Figure
    active: Figure
    dead: Figure
    nearest: Figure
    without: Accuracy

    @classmethod
    def read(cls, stored: Any) -> "Capsule":
        figures = (Figure.read(stored[name]) for name in ("share", "active", "dead", "nearest"))
        return cls(*figures, Accuracy.read(stored))


@dataclass(frozen=True)
class Ranking:
    """How faithful a ranking of the words is, as in ``core.analysis.faithfulness``.

    Args:
        comprehensiveness, sufficiency: for each share of the words.
        tau: Kendall's, with the order by drop-one; None where one of the two is flat in nearly all texts.
        over_random: by how much ``aopc`` exceeds that of a random ranking of the same texts.
    """

    aopc: Figure
    comprehensiveness: tuple[Figure, ...]
    sufficiency: tuple[Figure, ...]
    deletion: Figure
    insertion: Figure
    tau: Figure | None
    over_random: Figure

    @property
    def mean_sufficiency(self) -> float:
        """Mean of ``sufficiency`` over the shares."""
        return sum(figure.mean for figure in self.sufficiency) / len(self.sufficiency)

    @classmethod
    def read(cls, stored: Any) -> "Ranking":
        return cls(
            aopc=Figure.read(stored["aopc"]),
            comprehensiveness=tuple(map(Figure.read, stored["comprehensiveness"])),
            sufficiency=tuple(map(Figure.read, stored["sufficiency"])),
            deletion=Figure.read(stored["deletion"]),
            insertion=Figure.read(stored["insertion"]),
            tau=Figure.read(stored["tau"]) if stored["tau"] else None,
            over_random=Figure.read(stored["over_random"]),
        )


@dataclass(frozen=True)
class Plausibility:
    """How well a ranking agrees with the words that people marked.

    Args:
        over_random: by how much ``average_precision`` exceeds that of a random ranking of the same texts.
    """

    average_precision: Figure
    f1: Figure
    over_random: Figure

    @classmethod
    def read(cls, stored: Any) -> "Plausibility":
        return cls(*(Figure.read(stored[name]) for name in ("average_precision", "f1", "over_random")))


@dataclass(frozen=True)
class Evidence:
    """What was measured of one checkpoint.

    Args:
        weights: sha256 of the file of weights that was measured.
        n: texts.
        sample: which texts, in words.
        unit: what is ranked and deleted, in the singular.
        command: that measured it.
        trained_iterations: with which the network was trained; None where nothing is routed.
        iterations: accuracy with 1, 2, .. of them.
        couplings: accuracy with the couplings as ``TRAINED`` and with others, by their name.
        capsules: in their order; empty where each is a class.
        rankings: by way of deletion, "masked" or "removed", and by name. The first is that of the network's picture.
        phrases: by name; empty where nobody marked words.
        caveat: of ``phrases``.
        is_stated: whether it came in an archive from elsewhere, and nobody has measured it here.
    """

    weights: str
    n: int
    sample: str
    unit: str
    command: str
    trained_iterations: int | None
    iterations: tuple[Accuracy, ...]
    couplings: Mapping[str, Accuracy]
    capsules: tuple[Capsule, ...]
    rankings: Mapping[str, Mapping[str, Ranking]]
    phrases: Mapping[str, Plausibility]
    caveat: str
    is_stated: bool = False

    @classmethod
    def read(cls, stored: Any) -> "Evidence":
        """The evidence that a JSON file holds; ValueError if it holds anything else."""
        try:
            phrases = stored.get("phrases", {})
            evidence = cls(
                weights=str(stored["weights"]),
                n=int(stored["n"]),
                sample=str(stored["sample"]),
                unit=str(stored.get("unit", "word")),
                command=str(stored["command"]),
                trained_iterations=int(stored.get("trained_iterations") or 0) or None,
                iterations=_each(Accuracy.read, stored.get("iterations", ())),
                couplings=_by_name(Accuracy.read, stored.get("couplings", {})),
                capsules=_each(Capsule.read, stored.get("capsules", {}).get("of", ())),
                rankings={way: _by_name(Ranking.read, of_way) for way, of_way in stored["rankings"].items()},
                phrases=_by_name(Plausibility.read, phrases.get("rankings", {})),
                caveat=str(phrases.get("caveat", "")),
            )
        except (ArithmeticError, AttributeError, KeyError, TypeError) as error:
            raise ValueError(f"this is not an evidence file: {type(error).__name__} {error}") from None
        if not evidence._is_complete:
            raise ValueError("this is not an evidence file: a baseline is missing")
        return evidence

    @property
    def _is_complete(self) -> bool:
        """Whether all baselines are present and the unit is a known one."""
        ranked = all(RANDOM in self.rankings.get(way, ()) for way in ("masked", "removed"))
        routed = {TRAINED, UNIFORM} <= self.couplings.keys() and self.iterations and self.trained_iterations
        return bool(
            self.unit in UNITS
            and ranked
            and (routed or not self.couplings)
            and (not self.phrases or {RANDOM, self.main_ranking()} <= self.phrases.keys())
        )

    @property
    def samples(self) -> str:
        """What was measured, in the plural."""
        return "pictures" if self.unit == "place" else "texts"

    def main_ranking(self) -> str:
        """The name of the ranking that the network's picture shows."""
        return next(iter(self.rankings["masked"]))


def _each(read: Callable[[Any], T], stored: Sequence[Any]) -> tuple[T, ...]:
    return tuple(read(one) for one in stored)


def _by_name(read: Callable[[Any], T], stored: Mapping[str, Any]) -> dict[str, T]:
    return {name: read(one) for name, one in stored.items()}
