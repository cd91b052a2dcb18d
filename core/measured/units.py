"""Measures what the units of a network take and do, on its test split and on the sentences of the program."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy import ndarray
from tqdm import tqdm

from core.analysis import rules, units
from core.analysis.rules import Rule, Text, UnitName
from core.checkpoint import Checkpoint
from core.datasets import Split, read_split, shipped, smallnorb
from core.measured.unit_runs import BAR, run_units
from core.networks import network_of
from core.networks.base import UnitRun
from core.networks.probe import typed
from core.sentences.units import ACTIVE, TAKES

N_TEXTS, N_PAIRS = 2000, 480  # evenly spaced samples of a split
MAX_UNITS = 64  # the units that matter most are described


def measure_test_split(checkpoint: Checkpoint, folder: Path) -> tuple[dict[str, ndarray], str]:
    """The arrays "units" of ``core.measured.store`` on a network's official test split, and a phrase for its samples.

    Raises:
        ValueError: the network has no units, or the folder lacks the split.
    """
    split = read_split(checkpoint.corpus, folder, "test", len(checkpoint.classes))
    n = min(len(split), N_TEXTS if isinstance(split, Split) else N_PAIRS)
    chosen = np.arange(n) * len(split) // n
    if isinstance(split, Split):
        samples: Sequence[Any] = [as_text(split.words[k]) for k in chosen]
    else:
        samples = split.batch(chosen)[0]
    arrays = measure(checkpoint, samples, progress=True)
    kind = "texts" if isinstance(split, Split) else "pairs of pictures"
    data = f"{n:,} of the {len(split):,} {kind} of the test split"
    if not isinstance(split, Split) and (rendered_by := smallnorb.rendered_by(folder)):
        data += f", {rendered_by}"
    return arrays | {"texts": chosen[arrays["texts"]]}, data


def measure_reading(checkpoint: Checkpoint, folder: Path) -> tuple[dict[str, ndarray], str]:
    """The same arrays on the sentences that come with the program. ``folder`` is not read."""
    texts = [sentence.text for sentence in shipped.sentences()]
    return measure(checkpoint, texts, progress=True), f"the {len(texts)} sentences of the program"


def as_text(words: Any) -> str:
    """A text of a corpus as people type it; a document is a list of sentences."""
    is_document = bool(words) and not isinstance(words[0], str)
    return " ".join(map(typed, words)) if is_document else typed(words)


def measure(checkpoint: Checkpoint, samples: Sequence[Any], progress: bool = False) -> dict[str, ndarray]:
    """The arrays "units" of ``core.measured.store``; "texts" are numbers of samples.

    Raises:
        ValueError: the network has no units, or a sample cannot be run.
    """
    network_of(checkpoint).unit_runs(checkpoint, samples[:1])  # raises what is wrong with the network
    numbered = run_units(checkpoint, samples)
    runs = dict(tqdm(numbered, disable=not progress, total=len(samples), unit="text", desc=BAR))
    return describe(checkpoint.classes, samples, _all_of(runs))


def _all_of(runs: Mapping[int, UnitRun | None]) -> list[UnitRun]:
    """The runs in the order of the samples; ValueError if one failed."""
    complete = [run for k in range(len(runs)) if (run := runs[k]) is not None]
    if len(complete) < len(runs):
        raise ValueError(f"{len(runs) - len(complete):,} of {len(runs):,} samples cannot be run")
    return complete


def describe(classes: Sequence[str], samples: Sequence[Any], runs: Sequence[UnitRun]) -> dict[str, ndarray]:
    """The arrays of the runs of all samples.

    Args:
        classes: names of the classes.
        samples: texts, or pairs of pictures.
        runs: run of each sample.
    """
    words = [words_of(sample, run) for sample, run in zip(samples, runs, strict=True)]
    numbers, runs = _keep(runs)
    amounts = [units.relative(run.taken) for run in runs]
    row = units.gather([[word.lower() for word in text] for text in words], amounts)
    chosen = row.frequent
    activation = np.stack([run.activation for run in runs])
    effects = units.effects(np.stack([run.probabilities for run in runs]), np.stack([run.without for run in runs]))
    is_active, lifts, texts = units.active(activation), units.lift(row, chosen), units.deciles(activation)
    answers = [Text(text, classes[int(run.probabilities.argmax())]) for text, run in zip(words, runs, strict=True)]
    library = rules.library(classes) if isinstance(samples[0], str) else rules.on_answers(classes)
    names = name_units(library, answers, row, is_active)
    top = [[_top(amounts[text], runs[text].spans, u) for text in of_unit.ravel()] for u, of_unit in enumerate(texts)]
    has_vectors = runs[0].vectors is not None
    cosine = np.mean([units.cosines(run.vectors) for run in runs], 0) if has_vectors else np.zeros((0, 0))
    return {
        "numbers": numbers + 1,
        "words": np.array([row.names[k] for k in chosen], str),
        "counts": np.bincount(row.name_of, minlength=len(row.names))[chosen],
        "lift": lifts.astype(np.float16),
        "texts": texts,
        "top": np.array(top).reshape(*texts.shape, units.N_TOP, 2),
        "effect": effects.effect,
        "effect_low": effects.low,
        "effect_high": effects.high,
        "matters": effects.matters,
        "flips": effects.flips,
        "idle": effects.idle,
        "evenness": np.mean([units.evenness(run.taken) for run in runs], 0),
        "between": units.between_texts(row),
        "selective": (row.amount >= units.MIN_TAKEN).mean(0),
        "activation": np.quantile(activation, np.linspace(0, 1, units.N_DECILES + 1), axis=0).T,
        "active": np.packbits(is_active.T, axis=1),
        "cosine": cosine.astype(np.float16),
        "overlap": units.overlap(lifts).astype(np.float16),
        "names": np.array([name.score.rule if name.is_name else "" for _, name in names], str),
        "rules": np.array([name.score.rule for _, name in names], str),
        "aims": np.array([aim for aim, _ in names], str),
        "alike": np.array([" ".join(str(numbers[v] + 1) for v in name.alike) for _, name in names], str),
        "accuracy": np.array([name.score.accuracy for _, name in names]),
        "base": np.array([name.score.base for _, name in names]),
        "low": np.array([name.score.low for _, name in names]),
        "high": np.array([name.score.high for _, name in names]),
        "n": np.array([len(runs)]),
    }


def _keep(runs: Sequence[UnitRun]) -> tuple[ndarray, list[UnitRun]]:
    """The indices of the ``MAX_UNITS`` units that matter most, in ascending order, and the runs with only these."""
    changes = [np.abs(run.probabilities - run.without).max(1) for run in runs]
    chosen = np.sort(np.argsort(-np.mean(changes, 0), kind="stable")[:MAX_UNITS])
    kept = [
        replace(
            run,
            taken=run.taken[chosen],
            activation=run.activation[chosen],
            without=run.without[chosen],
            vectors=None if run.vectors is None else run.vectors[chosen],
        )
        for run in runs
    ]
    return chosen, kept


def words_of(sample: Any, run: UnitRun) -> list[str]:
    """The names of a run's inputs: the words of a text, or the numbers of a picture's places from 1."""
    if isinstance(sample, str):
        return [sample[start:end] for start, end in run.spans.tolist()]
    return [f"place {n}" for n in range(1, run.taken.shape[1] + 1)]


def name_units(
    library: Sequence[Rule], texts: Sequence[Text], row: units.Words, is_active: ndarray
) -> list[tuple[str, UnitName]]:
    """The aim and the name of each unit: what it takes, or when it is active, whichever a rule predicts better."""
    said = np.array([[rule.on_text(text) for text in texts] for rule in library])
    names = [rule.name for rule in library]
    active = rules.name_units(names, said, is_active.T, np.arange(len(texts)))
    on_words = [rule for rule in library if rule.of_word]
    if not on_words:
        return [(ACTIVE, name) for name in active]
    said = np.stack([np.concatenate([rule.on_words(text) for text in texts]) for rule in on_words])
    names = [rule.name for rule in on_words]
    takes = rules.name_units(names, said, (row.amount >= units.MIN_TAKEN).T, row.text_of)
    pairs = [((TAKES, first), (ACTIVE, second)) for first, second in zip(takes, active, strict=True)]
    return [max(pair, key=lambda aim: (aim[1].is_name, _gain(aim[1]))) for pair in pairs]


def _gain(name: UnitName) -> float:
    """The share of the most frequent answer's errors that a rule avoids."""
    return (name.score.accuracy - name.score.base) / max(1 - name.score.base, 1e-6)


def _top(amount: ndarray, spans: ndarray, unit: int) -> list[list[int]]:
    """The spans of the words that a unit takes most of in a text; [-1, -1] where there are fewer."""
    order = np.argsort(-amount[unit], kind="stable")[: units.N_TOP]
    chosen = [spans[k].tolist() for k in order if amount[unit, k] > 0 and len(spans)]
    return chosen + [[-1, -1]] * (units.N_TOP - len(chosen))
