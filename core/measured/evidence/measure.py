"""Measures a checkpoint's evidence on a test split, and keeps it next to the weights as evidence.json."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tqdm import tqdm

from core import engines, manifest, zoo
from core.analysis.faithfulness import SHARES, bootstrap_interval
from core.checkpoint import Checkpoint
from core.datasets import Split, ViewSubset, read_split, smallnorb, sst
from core.files import check_writable, write
from core.json_files import read_json
from core.measured.evidence.record import EVIDENCE_FILE, Evidence
from core.measured.evidence.routings import measure_capsules, measure_couplings, measure_iterations
from core.measured.evidence.texts import FIGURES, PHRASES, RANDOM, WAYS, Marks, measure_text
from core.networks.base import network_of
from core.networks.probe import Sample
from core.networks.reading import MAX_WORDS

ROWS = ".rows.jsonl"  # suffix of the neighbouring file that keeps rows until all texts are measured
MAX_TEXTS = 8  # texts in one task
MAX_PAIRS = 200  # pairs of pictures whose places are ranked; each pair takes some hundred runs
MAX_RANKED = MAX_WORDS  # words of a text that are ranked, if each word takes a run over all others
MAX_CAPSULES = 16  # for a network with more capsules, they are measured on ``FEWER`` texts
FEWER = 500
CAVEAT = (
    "Labels of phrases are no rationales: nobody was asked which words decide. A word is marked if it stands in a "
    "phrase that bears sentiment while no phrase inside it does."
)
OFFICIAL = "the official test split"
LISTS = {"comprehensiveness", "sufficiency"}  # figures that are lists, with one number for each of ``SHARES``

Engine = Callable[[Callable[[Any], Any], Sequence[Any]], Iterator[Any]]
ReadSplit = Callable[[Checkpoint, Path], tuple[Split | ViewSubset, str]]  # the split and a phrase for it


@dataclass(frozen=True, eq=False)
class MeasuredCheckpoint:
    """A checkpoint and the test split of its corpus.

    Args:
        marks: the words that people marked in each text; None if nobody did.
        of: phrase for the split.
    """

    checkpoint: Checkpoint
    split: Split | ViewSubset
    marks: list[Marks] | None
    of: str = OFFICIAL

    def sample(self, number: int) -> Sample:
        """The ranked words of a text, the sentences of a document, or a pair of pictures."""
        split = self.split
        return split.words[number][: self.most] if isinstance(split, Split) else split.batch(np.array([number]))[0][0]

    @property
    def most(self) -> int | None:
        """The number of words of a text that are ranked; None if all parts of a sample are."""
        return MAX_RANKED if network_of(self.checkpoint).runs_by_part else None

    def describe(self, numbers: Sequence[int]) -> str:
        """A phrase for these samples of the split."""
        n, whole, are_texts = len(numbers), len(self.split), isinstance(self.split, Split)
        kind = "texts" if are_texts else "pairs of pictures"
        amount = f"all {n:,}" if n == whole else f"{n:,} of the {whole:,}"
        lengths = (len(self.split.words[k]) for k in numbers) if isinstance(self.split, Split) else ()
        is_cut = self.most is not None and max(lengths, default=0) > self.most
        ranked = f"; for the rankings, longer texts are cut after {self.most} words" if is_cut else ""
        if not are_texts and n > MAX_PAIRS:
            ranked = f"; rankings are of {MAX_PAIRS} of them"
        spaced = "" if n == whole else ", evenly spaced"
        return f"{amount} {kind} of {self.of}{spaced}{ranked}"


@dataclass(frozen=True)
class Task:
    """The measurement of some texts of a test split.

    Args:
        name: name of the checkpoint.
        data: folder of its corpus.
        numbers: indices of the texts in the split.
        read: function that reads the test split.
    """

    name: str
    data: Path
    device: str
    numbers: tuple[int, ...]
    read: ReadSplit

    def __call__(self) -> list[dict[str, Any]]:
        """Measure each text and return one row per text."""
        torch.set_num_threads(1)
        subject = _load(self.name, self.data, self.device, self.read)
        return [{"text": number, "figures": self._measure(subject, number)} for number in self.numbers]

    def _measure(self, subject: MeasuredCheckpoint, number: int) -> dict[str, Any]:
        """Measure one text."""
        marks = None if subject.marks is None else subject.marks[number].first(subject.most)
        return measure_text(subject.checkpoint, subject.sample(number), seed=number, marks=marks)


def official_split(checkpoint: Checkpoint, data: Path) -> tuple[Split | ViewSubset, str]:
    """The test split of a checkpoint's corpus, and a phrase for it."""
    split = read_split(checkpoint.corpus, data, "test", len(checkpoint.classes))
    rendered_by = "" if isinstance(split, Split) else smallnorb.rendered_by(data)
    return split, f"the test split, {rendered_by}" if rendered_by else OFFICIAL


@lru_cache(maxsize=1)
def _load(name: str, data: Path, device: str, read: ReadSplit) -> MeasuredCheckpoint:
    """Load a checkpoint and its test split, once per process."""
    checkpoint = zoo.load(name, device)
    split, of = read(checkpoint, data)
    is_marked = checkpoint.corpus == sst.CORPUS.name
    return MeasuredCheckpoint(checkpoint, split, _marks(data, len(checkpoint.classes)) if is_marked else None, of)


def _marks(data: Path, n_classes: int) -> list[Marks]:
    """The words of each test sentence that the treebank's labels mark."""
    marked = sst.sentiment_words(data, "test", n_classes)
    share = sum(sum(words) / len(words) for words in marked) / len(marked)
    return [Marks(words, share) for words in marked]


def measure(
    name: str,
    data: Path,
    limit: int,
    device: str,
    engine: Engine,
    progress: bool = True,
    out: Path | None = None,
    read: ReadSplit = official_split,
) -> Path:
    """Measure a checkpoint, or continue an interrupted measurement, and return the path of its evidence.

    Args:
        name: name of the checkpoint.
        data: folder of its corpus.
        limit: number of texts of the test split to measure, at equal distances.
        engine: function that runs tasks.
        out: file to write; ``EVIDENCE_FILE`` next to the weights if None.
        read: function that reads the test split.

    Raises:
        ValueError: there is no such checkpoint, the folder does not hold its corpus, the file next to the weights has
            more texts, or there is no folder for ``out``.
    """
    if out and not out.parent.is_dir():
        raise ValueError(f"{out} cannot be written: there is no folder {out.parent}")
    subject = _load(name, data, device, read)
    checkpoint, whole = subject.checkpoint, len(subject.split)
    sample = evenly(range(whole), limit)
    if out is None:
        out = manifest.folder_of(name) / EVIDENCE_FILE
        _check_replaces(out, checkpoint.sha256, len(sample))
    check_writable(out)
    path = out.with_name(out.stem + ROWS)
    rows = _read_rows(path, checkpoint.sha256)
    ranked = sample if isinstance(subject.split, Split) else evenly(sample, MAX_PAIRS)
    missing = [number for number in ranked if number not in rows]
    tasks = [
        Task(name, data, device, tuple(missing[k : k + MAX_TEXTS]), read) for k in range(0, len(missing), MAX_TEXTS)
    ]
    with (
        tqdm(
            total=len(ranked), initial=len(ranked) - len(missing), disable=not progress, unit="text", desc=name
        ) as bar,
        path.open("a", encoding="utf-8") as file,
    ):
        if not path.stat().st_size:
            file.write(_header(checkpoint.sha256) + "\n")
        for measured in engine(_run, tasks):
            file.writelines(json.dumps(row) + "\n" for row in measured)
            file.flush()
            rows |= {row["text"]: row["figures"] for row in measured}
            bar.update(len(measured))
    measured_texts = [rows[number] for number in ranked if rows[number]]
    evidence = _about(subject, sample, limit) | _measure_routing(checkpoint, subject.split.take(sample))
    evidence["rankings"] = {way: _summarize_rankings([row[way] for row in measured_texts], FIGURES) for way in WAYS}
    if subject.marks:
        marked = [row["phrases"] for row in measured_texts if "phrases" in row]
        share = round(subject.marks[0].share, 4)
        evidence["phrases"] = {"share": share, "caveat": CAVEAT, "rankings": _summarize_rankings(marked, PHRASES)}
    evidence |= _trainings_in(out, checkpoint.sha256)
    write(out, json.dumps(evidence, indent=1).encode())
    if rows.keys() <= set(ranked):  # otherwise a larger measurement was interrupted and may still continue
        path.unlink()
    return out


def _check_replaces(file: Path, weights: str, n: int) -> None:
    """Raise ValueError if a file of evidence has more than n texts, measured with these weights."""
    try:
        existing = Evidence.read(read_json(file))
    except ValueError:  # the file is missing or damaged
        return
    if existing.weights == weights and existing.n > n:
        raise ValueError(f"{file} has {existing.n:,} {existing.samples}, more than {n:,}: name another file with --out")


def _trainings_in(file: Path, weights: str) -> dict[str, Any]:
    """The entry on other trainings in a file of evidence about these weights; empty if there is none."""
    stored = read_json(file) if file.is_file() else {}
    return {"trainings": stored["trainings"]} if stored.get("weights") == weights and "trainings" in stored else {}


def _run(task: Task) -> list[dict[str, Any]]:
    return task()


def _read_rows(path: Path, weights: str) -> dict[int, dict]:
    """The texts that were already measured with these weights, without a last line that was cut off."""
    if not path.is_file():
        return {}
    first, *lines = path.read_text(encoding="utf-8").splitlines() or [""]
    if first != _header(weights):
        path.unlink()
        return {}
    rows, complete = {}, [first]
    for line in lines:
        try:
            row = json.loads(line)
        except ValueError:
            continue
        rows[row["text"]] = row["figures"]
        complete.append(line)
    write(path, ("\n".join(complete) + "\n").encode())
    return rows


def _header(weights: str) -> str:
    """The first line of a file of rows: the weights, and the limit of words with which they were measured."""
    return json.dumps({"weights": weights, "most_words": MAX_RANKED})


def _about(subject: MeasuredCheckpoint, sample: Sequence[int], limit: int) -> dict[str, Any]:
    """The entries of the evidence that say what was measured."""
    checkpoint, place = subject.checkpoint, "DIR" if subject.of == OFFICIAL else "FILE"
    return {
        "weights": checkpoint.sha256,
        "n": len(sample),
        "sample": subject.describe(sample),
        "unit": network_of(checkpoint).record.ranked_unit,
        "command": f"python -m core evidence {checkpoint.name} --data {place} --limit {limit}",
        "shares": list(SHARES),
    }


def evenly(numbers: Sequence[int], n: int) -> list[int]:
    """Choose n of the numbers at equal distances, or all if there are fewer."""
    n = min(n, len(numbers))
    return [numbers[len(numbers) * k // n] for k in range(n)]


def _measure_routing(checkpoint: Checkpoint, split: Split | ViewSubset) -> dict[str, Any]:
    """Measure accuracy by iterations, couplings and capsules; empty for a network without routing."""
    network = network_of(checkpoint)
    if not network.is_routed(checkpoint.model):
        return {}
    measured = {
        "iterations": measure_iterations(checkpoint, split),
        "trained_iterations": checkpoint.model.config.n_iters,
        "couplings": measure_couplings(checkpoint, split),
    }
    if network.capsules_are_classes:  # without a capsule there would be no score for its class
        return measured
    if getattr(checkpoint.model.config, "n_parts", 0) > MAX_CAPSULES:
        split = split.take(evenly(range(len(split)), FEWER))
    return measured | {"capsules": {"n": len(split), "of": measure_capsules(checkpoint, split)}}


def _summarize_rankings(rows: list[dict[str, dict]], figures: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Summarize the figures of each ranking by their means over the texts.

    ``over_random`` is the main figure minus that of a random ranking of the same texts. The main figure is the AOPC, or
    else the first one.
    """
    summary: dict[str, dict[str, Any]] = {}
    for ranking in rows[0] if rows else ():
        its_rows = [row[ranking] for row in rows]
        summary[ranking] = {"n": len(its_rows)} | {figure: _mean(its_rows, figure) for figure in figures}
        main = "aopc" if "aopc" in figures else figures[0]
        summary[ranking]["over_random"] = _mean_of([row[ranking][main] - row[RANDOM][main] for row in rows])
    return summary


def _mean(rows: list[dict], figure: str) -> Any:
    """The mean of a figure over the texts; a list of means for a figure that is a list."""
    if figure in LISTS:
        return [_mean_of([row[figure][k] for row in rows]) for k in range(len(SHARES))]
    return _mean_of([row[figure] for row in rows])


def _mean_of(values: list[float | None]) -> dict[str, Any] | None:
    """The mean of the values that are not None and its 95% bootstrap interval; None for fewer than two."""
    given = [value for value in values if value is not None]
    if len(given) < 2:
        return None
    low, high = bootstrap_interval(given)
    mean = sum(given) / len(given)
    return {"mean": round(mean, 4), "interval": [round(low, 4), round(high, 4)], "n": len(given)}


def engine_of(kind: str, workers: int, address: str | None, device: str) -> Engine:
    """The engine that a command line names: local processes, or a Ray cluster."""
    if kind == "ray":
        return partial(engines.on_ray, address=address)
    return partial(engines.local, workers=workers, device=device)
