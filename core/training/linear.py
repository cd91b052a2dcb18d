"""python -m core.training.linear [CORPUS ...]: fit the linear model that every network over texts should beat.

It is logistic regression on TF-IDF, with scikit-learn's defaults. The features of a text are its words; or, of its
words and pairs of neighbouring words, those in at least two training texts. The command prints the test accuracy.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from core import cli

with cli.importing():
    from core.analysis.intervals import interval_of_share
    from core.datasets import CORPORA, Corpus, Split, data_root, is_here, made, read_split, smallnorb, sst
    from core.inputs.text import as_typed

OF_TEXTS = [name for name in CORPORA if name not in (smallnorb.CORPUS.name, made.CORPUS.name)]  # with real texts
FEATURES = {"words": {}, "words and pairs": {"ngram_range": (1, 2), "min_df": 2}}  # arguments of TfidfVectorizer
MAX_STEPS = 1000  # of the optimizer: more than scikit-learn's default, which does not always converge


class LabelledTexts(NamedTuple):
    """Training texts and test texts with labels; ``title`` names the corpus, its classes and its training texts."""

    title: str
    train: Split
    test: Split


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return cli.run(_parser(), run, arguments)


def run(args: argparse.Namespace) -> None:
    """Print a line for each task and each set of features; without names, of the corpora that are here."""
    if unknown := sorted(set(args.corpora) - set(OF_TEXTS)):
        raise ValueError(f"There is no corpus {unknown[0]!r} of texts, only {', '.join(OF_TEXTS)}.")
    here = [name for name in OF_TEXTS if is_here(CORPORA[name]) and CORPORA[name].has_test]
    for corpus in (CORPORA[name] for name in args.corpora or here):
        for task in tasks_of(corpus):
            for features in FEATURES:
                accuracy, n = float(np.mean(answers_right(task.train, task.test, features))), len(task.test)
                low, high = interval_of_share(accuracy, n)
                print(f"{task.title}, {features}: {accuracy:.1%} ({low:.1%} to {high:.1%}) of {n:,}", flush=True)


def tasks_of(corpus: Corpus) -> Iterator[LabelledTexts]:
    """Yield the tasks of a corpus: one per set of classes, and for the treebank one per set of training texts, too."""
    folder = data_root() / corpus.name
    for classes in corpus.classes:
        n = len(classes)
        train, test = (read_split(corpus.name, folder, split, n) for split in ("train", "test"))
        yield LabelledTexts(f"{corpus.title_in(n)}, {len(train):,} texts", train, test)
        if corpus is sst.CORPUS:
            phrases = sst.phrases(folder, "train", n)
            yield LabelledTexts(f"{corpus.title_in(n)}, {len(phrases):,} phrases", phrases, test)


def answers_right(train: Split, test: Split, features: str = "words") -> np.ndarray:
    """Whether the model answers each test text correctly.

    Args:
        train, test: texts to fit the model to, and to test it on.
        features: a key of ``FEATURES``.

    Returns:
        Whether each answer is right, in the order of the split, [n].

    Raises:
        ValueError: the training texts have only one class, or no words.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer  # takes a second to import
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    model = make_pipeline(TfidfVectorizer(**FEATURES[features]), LogisticRegression(max_iter=MAX_STEPS))
    model.fit(map(as_typed, train.words), train.labels)
    return model.predict(map(as_typed, test.words)) == np.array(test.labels)


def _parser() -> argparse.ArgumentParser:
    description = (__doc__ or "").partition(": ")[2]
    parser = cli.Parser(prog="python -m core.training.linear", description=description)
    help = f"corpora: {', '.join(OF_TEXTS)} (default: all in ROUTESCOPE_DATA that have test texts)"
    parser.add_argument("corpora", nargs="*", metavar="CORPUS", help=help)
    return parser


if __name__ == "__main__":
    sys.exit(main())
