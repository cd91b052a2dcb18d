"""Which window a task asks for: by unit, pooling, task and training size (Wang 2018, sections 4.3 to 4.5)."""

import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import product
from pathlib import Path

import pandas as pd
from tqdm import tqdm

from core.datasets import Split, official
from core.sweep.engines import Row
from core.training.fitted import fitted
from core.training.loop import Schedule
from core.training.metrics import accuracy, hardware
from core.training.recipes.drnn import DRNNRecipe, cut, held_out
from core.zoo import write

NAME = "windows"
WINDOWS = (1, 2, 3, 5, 10, 15, 20, 30, 40)
UNITS = ("gru", "lstm", "rnn", "cnn")
POOLINGS = ("max", "mean", "attentive")
SIZES = (1000, 4000)  # training texts, beside all of them
D = 64  # components of hidden states, instead of the paper's 300
LONGEST = 200  # words of a training text


@dataclass(frozen=True)
class Corpus:
    """n_classes: its classes. most: training texts that are used. epochs: of training. has_test: whether it is tested
    on its official test split, instead of on training texts that are held out, which a sample without one wants.
    """

    n_classes: int
    most: int | None = None
    epochs: int = 4
    has_test: bool = True


TASKS = {
    "ag_news": Corpus(4),
    "dbpedia": Corpus(14, has_test=False),
    "trec": Corpus(6, epochs=10),
    "sst": Corpus(2, epochs=10),
    "imdb": Corpus(2, most=5000),
    "made": Corpus(2, epochs=30),
}


ASKED = {"corpora": tuple(TASKS), "units": UNITS, "poolings": POOLINGS, "sizes": (), "windows": ()}  # (): any number


@dataclass(frozen=True)
class Case:
    """One training. size: training texts, 0 for all."""

    corpus: str
    unit: str
    pooling: str
    size: int
    window: int
    seed: int


def cases(seeds: int) -> Iterator[Case]:
    """What the paper varies, one thing at a time around disconnected GRUs with max pooling on all of AG's News; a seed
    is whole before the next begins.
    """
    for seed in range(seeds):
        varied = [
            *(("ag_news", unit, "max", 0) for unit in UNITS),
            *(("ag_news", "gru", pooling, 0) for pooling in POOLINGS),
            *((corpus, "gru", "max", 0) for corpus in TASKS if corpus != "made"),
            *(("ag_news", "gru", "max", size) for size in SIZES),
        ]
        for fixed, window in product(dict.fromkeys(varied), WINDOWS):
            yield Case(*fixed, window, seed)


def grid(seeds: int, **asked: Iterable) -> Iterator[Case]:
    """Every combination of what is asked for: corpora, units, poolings, sizes, windows."""
    default = {"corpora": ("ag_news",), "units": ("gru",), "poolings": ("max",), "sizes": (0,), "windows": WINDOWS}
    for *values, seed in product(*(default | asked).values(), range(seeds)):
        yield Case(*values, seed)


def sweep(todo: Iterable[Case], run: Callable[[list[Case]], Iterator[Row]], table: Path, progress: bool = True) -> None:
    """Make the rows that the table lacks, and write it, whole, after each.

    Args:
        run: an engine that knows how to measure.

    Raises:
        ValueError: the table has other columns.
    """
    rows = read_table(table)
    done = {Case(**{name: row[name] for name in Case.__annotations__}) for row in rows}
    left = [case for case in dict.fromkeys(todo) if case not in done]
    with tqdm(total=len(left), unit="training", disable=not progress) as bar:
        for row in run(left) if left else ():
            rows.append(row)
            write(table, pd.DataFrame(rows).to_parquet(index=False))
            bar.update()


def read_table(table: Path) -> list[Row]:
    """Its rows; none where there is no table."""
    if not table.is_file():
        return []
    found = pd.read_parquet(table)
    if missing := {*Case.__annotations__, "test"} - set(found.columns):
        raise ValueError(f"{table} has no column {sorted(missing)[0]}: it is not of this sweep")
    return found.to_dict("records")


def measure(case: Case, root: Path, device: str = "cpu") -> Row:
    """Train and test one network; the row of its table."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        made = fitted(recipe(case), root / case.corpus, Path(scratch), device)
    made.close()
    tested = accuracy(made.checkpoint, made.test)
    return asdict(case) | {
        "trained_on": made.n,
        "tested_on": len(made.test),
        "official_test": TASKS[case.corpus].has_test,
        "dev": made.run["dev_accuracy"],
        "test": tested,
        "d": D,
        "minutes": round((time.monotonic() - began) / 60, 2),
        "hardware": hardware(made.checkpoint.device),
    }


def recipe(case: Case) -> DRNNRecipe:
    """A small network's."""
    task = TASKS[case.corpus]
    return SweptRecipe(
        name="swept",
        corpus=case.corpus,
        about="",
        n_classes=task.n_classes,
        paper=0.0,
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
        schedule=Schedule(epochs=task.epochs, lr=2e-3, warmup=50, evaluations=1),
    )


@dataclass(frozen=True, kw_only=True)
class SweptRecipe(DRNNRecipe):
    """On so many texts at most, read once a process."""

    most: int | None

    def splits(self, folder: Path) -> tuple[Split, Split, Split]:
        train, dev, test = _splits(self.corpus, self.n_classes, self.longest, folder)
        if self.most is None or self.most >= len(train):
            return train, dev, test
        return train.take(len(train) * k // self.most for k in range(self.most)), dev, test


@lru_cache(maxsize=2)
def _splits(corpus: str, n_classes: int, longest: int, folder: Path) -> tuple[Split, Split, Split]:
    """Of a corpus that has no test split here, every tenth training text is held out for that too."""
    given = official(corpus, folder, "train", n_classes)
    if TASKS[corpus].has_test:
        test = official(corpus, folder, "test", n_classes)
    else:
        given, test = held_out(given)
    train, dev = held_out(given)
    return cut(train, longest), dev, test
