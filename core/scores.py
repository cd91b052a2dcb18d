"""A checkpoint's scores, as metrics.json holds them, and who measured them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.analysis.intervals import interval_of_share
from core.analysis.verdict import Verdict, judge_number

SCORES = ("test", "dev", "paper", "photographs")
MAX_SAMPLES = 10**9
STATED = "stated"  # the entry for scores that an imported archive states


@dataclass(frozen=True)
class Score:
    """An accuracy, with the number of samples on which it was measured.

    Args:
        accuracy: 0 to 1; None if it was not measured, or the paper does not report it.
        n: number of samples.
        source: table of the paper that reports it.
        measured: 95% interval that was measured with the accuracy; if None, the interval over samples is computed.
        over: units of the interval, "samples" or "toys".
        differs: main difference of our conditions from the paper's, for a score in a paper; "" if there is none.
    """

    accuracy: float | None
    n: int | None = None
    source: str = ""
    measured: tuple[float, float] | None = None
    over: str = "samples"
    differs: str = ""

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95% interval; None if the accuracy or the number of samples is unknown."""
        if self.accuracy is None or not self.n:
            return None
        return self.measured or interval_of_share(self.accuracy, self.n)

    @property
    def n_right(self) -> int:
        """The number of samples with a correct answer; 0 if the accuracy or the number of samples is unknown."""
        return round((self.accuracy or 0) * (self.n or 0))

    @classmethod
    def read(cls, entry: Any) -> "Score":
        """Read an entry of metrics.json; a missing entry gives a score with None.

        Raises:
            ValueError: the accuracy, the number of samples or the interval is invalid.
        """
        values = entry if isinstance(entry, dict) else {}
        accuracy, n = values.get("accuracy"), values.get("n")
        if accuracy is not None and not _is_share(accuracy):
            raise ValueError(f"accuracy is {accuracy!r}, wanted 0 to 1")
        if n is not None and not (isinstance(n, int) and 0 <= n <= MAX_SAMPLES):
            raise ValueError(f"n is {n!r:.40}, wanted a number of samples")
        interval = values.get("interval")
        if interval is not None:
            if not _is_interval(interval):
                raise ValueError(f"interval is {interval!r:.40}, wanted two numbers from 0 to 1, the smaller first")
            interval = tuple(interval)
        words = {name: str(values[name]) for name in ("source", "over", "differs") if name in values}
        return cls(accuracy, n, measured=interval, **words)


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and 0 <= value <= 1


def _is_interval(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_is_share, value)) and value[0] <= value[1]


@dataclass(frozen=True)
class Metrics:
    """The contents of metrics.json.

    Args:
        parameters: number of the network's parameters.
        test, dev: accuracy on these splits of the corpus.
        paper: test accuracy in the paper.
        photographs: accuracy on photographs of smallNORB's toys, for a network that was trained on rendered toys.
        training: settings and results of the training run; empty if not recorded.
        seeds: test accuracies of trainings with several seeds; empty if there was one.
        others: accuracy on the same test texts of what the network is compared with, by its name.
        conclusion: sentence on which of these it beats beyond chance; "" if there are none.
        stated: scores that an imported archive states, which were not checked here and are not part of the other
            fields; None unless the checkpoint came in such an archive.
    """

    parameters: int
    test: Score
    dev: Score
    paper: Score
    photographs: Score
    training: Mapping[str, Any]
    seeds: tuple[float, ...] = ()
    others: Mapping[str, Score] = field(default_factory=dict)
    conclusion: str = ""
    stated: "Metrics | None" = None

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> "Metrics":
        """Read the contents of metrics.json.

        Raises:
            ValueError: a score is invalid.
        """
        seeds = stored.get("seeds", [])
        if not (isinstance(seeds, list) and all(map(_is_share, seeds))):
            raise ValueError(f"seeds is {seeds!r:.40}, wanted accuracies from 0 to 1")
        scores = {name: Score.read(stored.get(name)) for name in SCORES}
        training, stated, others = (stored.get(name) for name in ("training", STATED, "others"))
        return cls(
            parameters=stored["parameters"],
            **scores,
            training=training if isinstance(training, dict) else {},
            seeds=tuple(seeds),
            others={name: Score.read(entry) for name, entry in others.items()} if isinstance(others, dict) else {},
            conclusion=str(stored.get("conclusion", "")),
            stated=cls.read({"parameters": stored["parameters"], **stated}) if isinstance(stated, dict) else None,
        )

    @property
    def spread(self) -> str:
        """A sentence on what other seeds give, so that one training is not taken for all; "" if nothing is known."""
        if self.seeds:
            return f"Trainings with {len(self.seeds)} seeds reached {min(self.seeds):.1%} to {max(self.seeds):.1%}."
        return "One seed: another training may give another accuracy." if "seed" in self.training else ""

    @property
    def verdict(self) -> Verdict | None:
        """The verdict on the paper's accuracy; None if the paper reports none."""
        if self.paper.accuracy is None:
            return None
        if self.test.interval is None:
            return Verdict.NOT_MEASURED
        return judge_number(self.paper.accuracy, self.test.interval[1], self.paper.differs)


def unmeasured(parameters: int) -> dict[str, Any]:
    """The contents of metrics.json for an unmeasured network."""
    return {"parameters": parameters, "test": {"accuracy": None}, "paper": {"accuracy": None}}


def as_stated(theirs: Mapping[str, Any], parameters: int) -> dict[str, Any]:
    """The contents of metrics.json for an imported checkpoint, whose scores were not checked here.

    Args:
        theirs: contents of its own metrics.json.
        parameters: number of the network's parameters, as counted here.
    """
    scores = {name: theirs[name] for name in SCORES if name in theirs}
    return unmeasured(parameters) | {"training": theirs.get("training"), STATED: scores}
