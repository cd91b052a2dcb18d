"""Comparisons for a network on own texts: the most frequent label, TF-IDF, and a linear probe of its encoder."""

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import torch
from jaxtyping import Bool, Float
from numpy import ndarray
from tqdm import tqdm

from core.datasets import Split
from core.fit.data import OwnData
from core.inputs.readers import Reader, StatesReader
from core.training.linear import answers_right

FITTING = "fitting "  # before the name of a model, in the title of the bar
MAJORITY, LINEAR, PROBE = "most frequent label", "TF-IDF + logistic regression", "linear probe"
STRENGTHS = (0.01, 0.1, 1.0)  # C of the probe; the dev part chooses


def measure(data: OwnData, reader: Reader, progress: bool = False) -> dict[str, Bool[ndarray, " n"]]:
    """Whether each comparison answers each test text correctly, by its name.

    Args:
        data: texts.
        reader: reader of the network. A probe needs one that reads a transformer.
        progress: whether a bar names the model that is fitted, and counts those that are done.
    """
    frequent = Counter(data.train.labels).most_common(1)[0][0]
    right = {MAJORITY: np.array(data.test.labels) == frequent}
    has_probe = isinstance(reader, StatesReader)
    with tqdm(total=1 + has_probe * (1 + len(STRENGTHS)), disable=not progress, unit="step") as bar:
        bar.set_description(f"{FITTING}{LINEAR}")
        right[LINEAR] = answers_right(data.train, data.test)
        bar.update()
        if has_probe:
            bar.set_description(f"{FITTING}{PROBE}")
            right[PROBE] = probe(data, reader, bar.update)
    return right


def probe(data: OwnData, reader: StatesReader, done: Callable[[], object] = lambda: None) -> Bool[ndarray, " n"]:
    """Whether logistic regression on the averaged states of each text's words answers each test text correctly.

    Args:
        data, reader: as in ``measure``.
        done: function to call after the averages, and after each fit.
    """
    from sklearn.linear_model import LogisticRegression  # takes a second to import
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    train, dev, test = (average_states(split, reader) for split in (data.train, data.dev, data.test))
    done()
    models = []
    for c in STRENGTHS:
        model = make_pipeline(StandardScaler(), LogisticRegression(C=c, max_iter=500))
        models.append(model.fit(train, data.train.labels))
        done()
    best = max(models, key=lambda model: model.score(dev, data.dev.labels))
    return best.predict(test) == np.array(data.test.labels)


def average_states(split: Split, reader: StatesReader) -> Float[ndarray, "n lm"]:
    """The mean of the states of each text's words."""
    rows: list[ndarray] = []
    order: list[int] = split.order
    for start in range(0, len(order), 64):
        rows += list(_means([split.words[k] for k in order[start : start + 64]], reader))
    averages = np.empty((len(rows), rows[0].size), np.float32)
    averages[order] = rows
    return averages


def _means(texts: Sequence[list[str]], reader: StatesReader) -> Float[ndarray, "b lm"]:
    vectors = reader.read(list(texts))["unknown"]
    return torch.stack([states.mean(0) for states in vectors.split([len(words) for words in texts])]).cpu().numpy()
