"""Which window a task asks for: by unit, pooling, task and training size (Wang 2018, sections 4.3 to 4.5)."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path

from core.datasets import Split
from core.sweep.sweep import Row, Sweep
from core.sweep.table import train_and_test
from core.sweep.texts import samples, splits
from core.training.loop import Schedule
from core.training.recipes.drnn import DRNNRecipe

WINDOWS = (1, 2, 3, 5, 10, 15, 20, 30, 40)
FEWER = (1, 3, 5, 10, 20, 40)  # where it is not the unit that is varied
UNITS = ("gru", "lstm", "rnn", "cnn")
POOLINGS = ("max", "mean", "attentive")
SIZES = {1000: 12, 4000: 6}  # training texts, beside all of them: epochs, more where an epoch has few steps
D = 64  # components of hidden states, instead of the paper's 300
LONGEST = 200  # words of a training text


@dataclass(frozen=True)
class Corpus:
    """n_classes: its classes. most: training texts that are used. epochs: of training. has_test: whether it is tested
    on its official test split, instead of on training texts that are held out, which a sample without one wants.
    tested: test texts that are used, and a tenth as many of those that weights are chosen on.
    """

    n_classes: int
    most: int | None = None
    epochs: int = 4
    has_test: bool = True
    tested: int | None = None


TASKS = {
    "ag_news": Corpus(4),
    "dbpedia": Corpus(14, most=5000, epochs=10, has_test=False),
    "trec": Corpus(6, epochs=10),
    "sst": Corpus(2, epochs=10),
    "imdb": Corpus(2, most=2500, epochs=8, tested=5000),
    "made": Corpus(2, epochs=30),
}
CHOICES = {"corpora": tuple(TASKS), "units": UNITS, "poolings": POOLINGS, "sizes": (), "windows": ()}  # (): any number


@dataclass(frozen=True)
class Case:
    """One training. size: training texts, 0 for all."""

    corpus: str
    unit: str
    pooling: str
    size: int
    window: int
    seed: int


def cases(seeds: int, **chosen: Iterable) -> Iterator[Case]:
    """Every combination of the chosen values; what the paper varies where none are."""
    return grid(seeds, **chosen) if chosen else papers_cases(seeds)


def papers_cases(seeds: int) -> Iterator[Case]:
    """What the paper varies, one thing at a time around disconnected GRUs with max pooling on all of AG's News; a seed
    is whole before the next begins.
    """
    for seed in range(seeds):
        units = [("ag_news", unit, "max", 0) for unit in UNITS]
        others = [
            *(("ag_news", "gru", pooling, 0) for pooling in POOLINGS),
            *((corpus, "gru", "max", 0) for corpus in TASKS if corpus != "made"),
            *(("ag_news", "gru", "max", size) for size in SIZES),
        ]
        varied = [*product(units, WINDOWS), *product(others, FEWER)]
        for fixed, window in dict.fromkeys(varied):
            yield Case(*fixed, window, seed)


def grid(seeds: int, **chosen: Iterable) -> Iterator[Case]:
    """Every combination of the chosen corpora, units, poolings, sizes and windows."""
    default = {"corpora": ("ag_news",), "units": ("gru",), "poolings": ("max",), "sizes": (0,), "windows": WINDOWS}
    for *values, seed in product(*(default | chosen).values(), range(seeds)):
        yield Case(*values, seed)


def measure(case: Case, data: Path, device: str = "cpu", scratch: Path | None = None) -> Row:
    """Train and test one network; the row of its table."""
    about = {"official_test": TASKS[case.corpus].has_test, "d": D}
    return asdict(case) | about | train_and_test(recipe(case), data / case.corpus, device, scratch)


def recipe(case: Case) -> DRNNRecipe:
    """A small network's."""
    task = TASKS[case.corpus]
    return SweptRecipe(
        name="swept",
        corpus=case.corpus,
        about="",
        n_classes=task.n_classes,
        paper=None,
        source="",
        data="",
        window=case.window,
        unit=case.unit,
        pooling=case.pooling,
        seed=case.seed,
        most=case.size or task.most,
        d=D,
        d_company=0,
        longest=LONGEST,
        schedule=Schedule(epochs=SIZES.get(case.size, task.epochs), lr=2e-3, warmup=50, evaluations=1),
    )


@dataclass(frozen=True, kw_only=True)
class SweptRecipe(DRNNRecipe):
    """On so many texts at most."""

    most: int | None

    def splits(self, folder: Path) -> tuple[Split, Split, Split]:
        task = TASKS[self.corpus]
        whole = splits(self.corpus, folder, self.n_classes, self.longest, task.has_test)
        return samples(whole, self.most, task.tested)


SWEEP = Sweep(
    name="windows",
    help="disconnected networks by window, unit, pooling, task and training size",
    description=f"{__doc__} Without a list of any kind: what the paper varies, one thing at a time.",
    case=Case,
    cases=cases,
    measure=measure,
    choices=CHOICES,
)
