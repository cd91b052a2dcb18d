"""Accuracy of DRNN by window, for each unit, pooling, task and training size (Wang 2018, sections 4.3 to 4.5)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from core.datasets import CORPORA, Split
from core.models.drnn import WHOLE
from core.sweep.samples import CorpusSample, read_splits, take_sample
from core.sweep.sweep import Row, Sweep
from core.training.recipes.drnn import DRNNTraining
from core.training.schedules import Schedule

WINDOWS = (1, 2, 3, 5, 10, 15, 20, 30, 40)
FEWER = (1, 3, 5, 10, 20, 40)  # windows for comparisons other than between units
UNITS = ("gru", "lstm", "rnn", "cnn")
WHOLE_TEXT = 0  # the window of an ordinary layer, which reads the text from its first word
POOLINGS = ("max", "mean", "attentive")
EQUAL_SIZE = 2500  # training texts of every task when tasks are compared, as in the paper's figure 6a
SIZES = {1000: 12, EQUAL_SIZE: 8, 4000: 6}  # training texts to epochs; fewer texts need more epochs
D = 64  # components of hidden states, instead of the paper's 300
MAX_WORDS = 200  # in a training text
SAMPLES = {
    sample.corpus: sample
    for sample in (
        CorpusSample("ag_news", 4, epochs=4),
        CorpusSample("dbpedia", 14, epochs=10, max_train=5000),
        CorpusSample("trec", 6, epochs=10),
        CorpusSample("sst", 2, epochs=10),
        CorpusSample("imdb", 2, epochs=8, max_train=EQUAL_SIZE, max_test=5000),
        CorpusSample("made", 2, epochs=30),
    )
}
CHOICES = {  # options on the command line; () allows any numbers
    "corpora": tuple(SAMPLES),
    "units": (*UNITS, *WHOLE),
    "poolings": POOLINGS,
    "sizes": (),
    "windows": (),
}


@dataclass(frozen=True)
class WindowCase:
    """One training.

    Args:
        size: number of training texts; 0 for all.
        window: window in words; ``WHOLE_TEXT`` for a unit in ``WHOLE``.
    """

    corpus: str
    unit: str
    pooling: str
    size: int
    window: int
    seed: int


def cases(seeds: int, **chosen: Iterable) -> Iterator[WindowCase]:
    """Yield every combination of the chosen values, or the paper's comparisons if none are chosen."""
    return grid(seeds, **chosen) if chosen else papers_cases(seeds)


def papers_cases(seeds: int) -> Iterator[WindowCase]:
    """Yield the paper's comparisons, seed by seed.

    Each varies one setting of disconnected GRUs with max pooling on AG's News. Tasks are compared with ``EQUAL_SIZE``
    texts, everything else with all texts.
    """
    for seed in range(seeds):
        by_unit = [("ag_news", unit, "max", 0) for unit in UNITS]
        by_setting = [
            *(("ag_news", "gru", pooling, 0) for pooling in POOLINGS),
            *(("ag_news", "gru", "max", size) for size in SIZES),
            *((corpus, "gru", "max", EQUAL_SIZE) for corpus in SAMPLES if corpus != "made"),
        ]
        whole = [("ag_news", unit, "max", 0) for unit in WHOLE]
        varied = [*product(by_unit, WINDOWS), *product(whole, [WHOLE_TEXT]), *product(by_setting, FEWER)]
        for fixed, window in dict.fromkeys(varied):
            yield WindowCase(*fixed, window, seed)


def grid(seeds: int, **chosen: Iterable) -> Iterator[WindowCase]:
    """Yield every combination of the chosen corpora, units, poolings, sizes and windows."""
    default = {"corpora": ("ag_news",), "units": ("gru",), "poolings": ("max",), "sizes": (0,), "windows": WINDOWS}
    for corpus, unit, pooling, size, window, seed in product(*(default | chosen).values(), range(seeds)):
        yield WindowCase(corpus, unit, pooling, size, WHOLE_TEXT if unit in WHOLE else window, seed)


def columns(case: WindowCase) -> Row:
    """Columns for the corpus's test split (True if it has one) and the size of the network."""
    return {"official_test": CORPORA[case.corpus].has_test, "d": D}


def training(case: WindowCase) -> "WindowTraining":
    """The training of a case's small network."""
    sample = SAMPLES[case.corpus]
    return WindowTraining(
        corpus=case.corpus,
        n_classes=sample.n_classes,
        window=1 if case.unit in WHOLE else case.window,
        unit=case.unit,
        pooling=case.pooling,
        seed=case.seed,
        max_train=case.size or sample.max_train,
        max_test=sample.max_test,
        d=D,
        d_cooccurrence=0,
        max_words=MAX_WORDS,
        schedule=Schedule(epochs=SIZES.get(case.size, sample.epochs), lr=2e-3, warmup=50, evaluations=1),
    )


@dataclass(frozen=True, kw_only=True)
class WindowTraining(DRNNTraining):
    """DRNN, trained on a sample of the texts."""

    max_train: int | None
    max_test: int | None

    def splits(self, data: Path) -> tuple[Split, Split, Split]:
        return take_sample(
            read_splits(self.corpus, data, self.n_classes, self.max_words), self.max_train, self.max_test
        )


SWEEP = Sweep(
    name="windows",
    help="DRNN by window, unit, pooling, task and training size",
    description=f"{__doc__} Without any choice, the paper's comparisons.",
    case=WindowCase,
    cases=cases,
    training=training,
    columns=columns,
    choices=CHOICES,
    fixed={"d": D},
)
