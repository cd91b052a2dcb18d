"""``python -m core batch`` on a file of texts, compared with one ``explain`` per text."""

import os
import random
import tempfile
import time
from pathlib import Path

import torch

from core import explain, zoo
from core.batch.run import start
from tests.benchmarks.figure import Figure

# Lower limit of the ratio, texts in the file, and texts that are run one by one, by checkpoint.
BARS = {"dragg-sst5": (3.0, 40_000, 300), "em-sst5": (1.7, 6000, 100)}
N_WORDS = (3, 40)  # shortest and longest sentence


def batch(device: str) -> list[Figure]:
    """The speed of a batch, in texts per second, as a multiple of the speed of one ``explain`` per text.

    Sentences have 3 to 40 words. The time of the batch includes the start of one process per core.
    """
    words = zoo.load("dragg-sst5", "cpu").reader.vocabulary.words
    return [_compare(name, words, device, *limits) for name, limits in BARS.items()]


def _compare(name: str, words: list[str], device: str, bar: float, n_file: int, n_single: int) -> Figure:
    draw = random.Random(0)
    texts = [" ".join(draw.choices(words, k=draw.randint(*N_WORDS))) for _ in range(n_file)]
    checkpoint = zoo.load(name, device)
    one_by_one = min(_seconds_one_by_one(checkpoint, texts[:n_single], threads) for threads in (1, os.cpu_count() or 1))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "texts.txt"
        file.write_text("\n".join(texts), encoding="utf-8")
        began = time.perf_counter()
        start(name, file, Path(folder) / "out", device=device, progress=False)
        together = (time.perf_counter() - began) / n_file
    label = f"a file of {n_file:,} texts, texts a second, batch / one explain after the other, {name}"
    return Figure(label, one_by_one / together, bar, "times", at_least=True)


def _seconds_one_by_one(checkpoint: zoo.Checkpoint, texts: list[str], threads: int) -> float:
    """Seconds per text if each has an ``explain`` of its own."""
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    explain(checkpoint, texts[0])
    began = time.perf_counter()
    for text in texts:
        explain(checkpoint, text)
    torch.set_num_threads(before)
    return (time.perf_counter() - began) / len(texts)
