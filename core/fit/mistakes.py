"""The held-out texts that a network gets wrong, and the word that each wrong answer rests on most."""

from pathlib import Path

import numpy as np
from tqdm import tqdm

from core import zoo
from core.analysis.faithfulness import without_each
from core.fit.own_file import held_out
from core.manifest import folders
from core.measured import store
from core.measured.evidence.probes import probe

BAR = "mistakes"  # name of the progress bar


def measure_mistakes(name: str, path: Path, limit: int, device: str = "auto") -> str:
    """Mask each word of the texts that a trained network gets wrong, and keep "mistakes" next to its weights.

    The mistakes that rest most on one word come first. Texts of one word are left out.

    Args:
        name: name of the checkpoint.
        path: file that it learned from.
        limit: largest number of texts; of more, evenly spaced ones are taken.
        device: as in ``core.fit.run.fit``.

    Returns:
        A sentence on how many answers would be right without one word.

    Raises:
        ValueError: as in ``core.fit.own_file.held_out``.
    """
    checkpoint, folder = zoo.load(name, device), folders()[name]
    test, data = held_out(checkpoint, path)
    given = store.read_in(folder, "given", checkpoint.sha256)
    if given is None:
        raise ValueError(f"the answers of {name} to its held-out texts are not kept")
    wrong = np.flatnonzero(given["given"] != np.array(test.labels))
    chosen = wrong[np.arange(min(limit, len(wrong))) * len(wrong) // max(1, min(limit, len(wrong)))]
    rows = []
    for k in tqdm(chosen.tolist(), BAR, unit="text"):
        read = probe(checkpoint, test.words[k])
        if read.answer == test.labels[k] or len(read.parts) < 2:
            continue
        p = read.masked(without_each(len(read.parts), len(read.parts)))[1:]
        word = int(p[:, read.answer].argmin())
        rows.append((k, read.p[read.answer], word, read.parts[word], p[word, read.answer], int(p[word].argmax())))
    rows.sort(key=lambda row: row[4] - row[1])
    texts, certainty, word, named, without, then = zip(*rows, strict=True) if rows else ((),) * 6
    arrays = {
        "texts": np.array(texts, int),
        "certainty": np.array(certainty, float),
        "word": np.array(word, int),
        "named": np.array(named, str),
        "without": np.array(without, float),
        "then": np.array(then, int),
        "n_wrong": np.array([len(wrong)]),
    }
    store.save_in(folder, "mistakes", arrays | {"data": np.array(data)}, checkpoint.sha256)
    return say_mistakes(len(wrong), len(rows), sum(test.labels[k] == y for k, y in zip(texts, then, strict=True)))


def say_mistakes(n_wrong: int, n: int, n_right: int) -> str:
    """One sentence on mistakes that one word makes.

    Args:
        n_wrong: number of wrong answers.
        n: number of those that were looked at.
        n_right: number of those that are right with one word masked.
    """
    if not n_wrong:
        return "It gets none of its test texts wrong."
    if not n:
        return "No word was masked: no wrong answer that was looked at is of a text with two words or more."
    return f"Of {n:,} wrong answer{'s' * (n != 1)}, {n_right:,} would be right with one word masked."
