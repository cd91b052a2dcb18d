"""The contents of evidence.json, which ``python -m core evidence`` writes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

T = TypeVar("T")

RANDOM = "random"
TRAINED, UNIFORM = "trained", "uniform"  # couplings
UNITS = ("word", "sentence", "place")  # names of the parts that are ranked and deleted
EVIDENCE_FILE = "evidence.json"  # name of the file, next to the weights
OPENS_ON = ("deciding coupling",)  # rankings that a page opens on, if there are any of them, instead of the first one


@dataclass(frozen=True)
class Estimate:
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
    def read(cls, stored: Any, name: str = "mean") -> "Estimate":
        """Read the mean under a name, and the "interval" and "n" next to it."""
        low, high = stored["interval"]
        return cls(float(stored[name]), float(low), float(high), int(stored["n"]))


@dataclass(frozen=True)
class Accuracy:
    """An accuracy, and its difference from the trained network's on the same texts."""

    accuracy: Estimate
    change: Estimate

    @classmethod
    def read(cls, stored: Any) -> "Accuracy":
        return cls(Estimate.read(stored, "accuracy"), Estimate.read(stored["change"]))


@dataclass(frozen=True)
class Capsule:
    """An output capsule.

    Args:
        share: share of the inputs that it takes.
        active: mean length |v_j|, or mean f(a_j) in EM routing.
        dead: share of the texts on which ``active`` is below .1.
        nearest: largest mean cosine to another capsule.
        without: accuracy of the network without this capsule.
    """

    share: Estimate
    active: Estimate
    dead: Estimate
    nearest: Estimate
    without: Accuracy

    @classmethod
    def read(cls, stored: Any) -> "Capsule":
        figures = {name: Estimate.read(stored[name]) for name in ("share", "active", "dead", "nearest")}
        return cls(**figures, without=Accuracy.read(stored))


@dataclass(frozen=True)
class Ranking:
    """The faithfulness of a ranking of words, as in ``core.analysis.faithfulness``.

    Args:
        comprehensiveness, sufficiency: one figure per share of the words.
        tau: Kendall's tau with the order by drop-one; None if one of the two orders is flat in nearly all texts.
        over_random: ``aopc`` minus that of a random ranking of the same texts.
    """

    aopc: Estimate
    comprehensiveness: tuple[Estimate, ...]
    sufficiency: tuple[Estimate, ...]
    deletion: Estimate
    insertion: Estimate
    tau: Estimate | None
    over_random: Estimate

    @property
    def mean_sufficiency(self) -> float:
        """Mean of ``sufficiency`` over the shares."""
        return sum(figure.mean for figure in self.sufficiency) / len(self.sufficiency)

    @classmethod
    def read(cls, stored: Any) -> "Ranking":
        return cls(
            aopc=Estimate.read(stored["aopc"]),
            comprehensiveness=tuple(map(Estimate.read, stored["comprehensiveness"])),
            sufficiency=tuple(map(Estimate.read, stored["sufficiency"])),
            deletion=Estimate.read(stored["deletion"]),
            insertion=Estimate.read(stored["insertion"]),
            tau=Estimate.read(stored["tau"]) if stored["tau"] else None,
            over_random=Estimate.read(stored["over_random"]),
        )


@dataclass(frozen=True)
class Plausibility:
    """The agreement of a ranking with the words that people marked.

    Args:
        over_random: ``average_precision`` minus that of a random ranking of the same texts.
    """

    average_precision: Estimate
    f1: Estimate
    over_random: Estimate

    @classmethod
    def read(cls, stored: Any) -> "Plausibility":
        return cls(*(Estimate.read(stored[name]) for name in ("average_precision", "f1", "over_random")))


@dataclass(frozen=True)
class OtherTraining:
    """Another training of a network, by the same recipe with another seed.

    Args:
        seed: its seed.
        weights: sha256 of its file of weights.
        dev, test: accuracy on these splits.
        over_random: as in ``Ranking``, by way of deletion and by ranking. Rankings: the page's and its baselines.
    """

    seed: int
    weights: str
    dev: float
    test: float
    over_random: Mapping[str, Mapping[str, Estimate]]

    @classmethod
    def read(cls, stored: Any) -> "OtherTraining":
        over_random = {
            way: {name: Estimate.read(ranking["over_random"]) for name, ranking in of_way.items()}
            for way, of_way in stored["rankings"].items()
        }
        return cls(
            int(stored["seed"]), str(stored["weights"]), float(stored["dev"]), float(stored["test"]), over_random
        )


@dataclass(frozen=True)
class Evidence:
    """The measurements of one checkpoint.

    Args:
        weights: sha256 of the file of weights that was measured.
        n: number of texts.
        sample: phrase for the measured texts.
        unit: name of the parts that are ranked and deleted, in the singular.
        command: command that measured it.
        trained_iterations: number of iterations in training; None without routing.
        iterations: accuracy with 1, 2, 3 and more iterations.
        couplings: accuracy with the network's couplings, ``TRAINED``, and with others, by their name.
        capsules: capsules in order; empty if every capsule is a class.
        rankings: rankings by way of deletion, "masked" or "removed", and by name.
        phrases: agreement of each ranking with marked words, by its name; empty if nobody marked words.
        caveat: sentence about the limits of ``phrases``.
        trainings: other trainings of the network; empty if only one was measured.
        is_stated: whether an uploaded archive states the evidence, which was then not measured here.
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
    trainings: tuple[OtherTraining, ...] = ()
    is_stated: bool = False

    @classmethod
    def read(cls, stored: Any) -> "Evidence":
        """Read the evidence in a JSON file; ValueError if it holds anything else."""
        try:
            phrases = stored.get("phrases", {})
            evidence = cls(
                weights=str(stored["weights"]),
                n=int(stored["n"]),
                sample=str(stored["sample"]),
                unit=str(stored.get("unit", "word")),
                command=str(stored["command"]),
                trained_iterations=int(stored.get("trained_iterations") or 0) or None,
                iterations=_in_order(Accuracy.read, stored.get("iterations", ())),
                couplings=_by_name(Accuracy.read, stored.get("couplings", {})),
                capsules=_in_order(Capsule.read, stored.get("capsules", {}).get("of", ())),
                rankings={way: _by_name(Ranking.read, rankings) for way, rankings in stored["rankings"].items()},
                phrases=_by_name(Plausibility.read, phrases.get("rankings", {})),
                caveat=str(phrases.get("caveat", "")),
                trainings=_in_order(OtherTraining.read, stored.get("trainings", ())),
            )
        except (ArithmeticError, AttributeError, KeyError, TypeError) as error:
            raise ValueError(f"this is not an evidence file: {type(error).__name__} {error}") from None
        if not evidence._is_complete:
            raise ValueError("this is not an evidence file: a baseline is missing")
        return evidence

    @property
    def _is_complete(self) -> bool:
        """Whether all baselines and the picture's ranking are present, and the unit is a known one."""
        if not self.rankings.get("masked"):
            return False
        needed = {RANDOM, self.main_ranking()}
        ranked = all(needed <= set(self.rankings.get(way, ())) for way in ("masked", "removed"))
        routed = {TRAINED, UNIFORM} <= self.couplings.keys() and self.iterations and self.trained_iterations
        main = self.main_ranking()
        compared = all(main in of_way for other in self.trainings for of_way in other.over_random.values())
        return bool(
            self.unit in UNITS
            and ranked
            and compared
            and all(self.rankings.keys() == other.over_random.keys() for other in self.trainings)
            and (routed or not self.couplings)
            and (not self.phrases or needed <= self.phrases.keys())
        )

    @property
    def samples(self) -> str:
        """The kind of the measured samples, in the plural."""
        return "pictures" if self.unit == "place" else "texts"

    def main_ranking(self) -> str:
        """The name of the ranking that the network's page opens on."""
        return opened_on(self.rankings["masked"])


def opened_on(rankings: Iterable[str]) -> str:
    """The ranking that a page opens on, of these rankings in their order."""
    names = list(rankings)
    return next((name for name in OPENS_ON if name in names), names[0])


def _in_order(read: Callable[[Any], T], stored: Sequence[Any]) -> tuple[T, ...]:
    return tuple(read(entry) for entry in stored)


def _by_name(read: Callable[[Any], T], stored: Mapping[str, Any]) -> dict[str, T]:
    return {name: read(entry) for name, entry in stored.items()}
