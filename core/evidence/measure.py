"""Measures a checkpoint's evidence on a test split, and keeps it beside the weights as evidence.json."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import torch
from tqdm import tqdm

from core import manifest, zoo
from core.analysis.faithfulness import SHARES, interval_of_mean
from core.checkpoint import Checkpoint
from core.datasets import Split, read_split
from core.evidence.routings import ROUTED, of_capsules, of_couplings, of_iterations
from core.evidence.texts import FIGURES, measure_text
from core.files import write

FILE = "evidence.json"
ROWS = "evidence.rows.jsonl"  # beside it until all texts are measured
AT_ONCE = 8  # texts in a piece of work
MOST_CAPSULES = 16  # beyond which accuracy without each is measured on fewer texts
FEWER = 500
LISTS = {"comprehensiveness", "sufficiency"}

Engine = Callable[[Callable[[Any], Any], Sequence[Any]], Iterator[Any]]


@dataclass(frozen=True)
class Task:
    """Some texts of a split to measure.

    Args:
        name: of the checkpoint. data: folder of the corpus.
        limit: texts that are taken from the split, at equal distances.
        numbers: of the texts among these.
    """

    name: str
    data: Path
    device: str
    limit: int
    numbers: tuple[int, ...]

    def __call__(self) -> list[dict[str, Any]]:
        """A row for each text."""
        torch.set_num_threads(1)
        checkpoint, split = _load(self.name, self.data, self.device, self.limit)
        rows = []
        for number in self.numbers:
            rows.append({"text": number, "rankings": measure_text(checkpoint, split.words[number], seed=number)})
        return rows


@lru_cache(maxsize=1)
def _load(name: str, data: Path, device: str, limit: int) -> tuple[Checkpoint, Split]:
    checkpoint = zoo.load(name, device)
    if checkpoint.reader.reads != "text":
        raise ValueError(f"{name} reads pictures, and evidence is measured on texts.")
    split = read_split(checkpoint.corpus, data, "test", len(checkpoint.classes))
    return checkpoint, split.evenly(limit)


def measure(name: str, data: Path, limit: int, device: str, engine: Engine, progress: bool = True) -> Path:
    """Measure a checkpoint, or go on where a measurement stopped, and return the path of its evidence.

    Args:
        name: of the checkpoint.
        data: folder of its corpus.
        limit: how many texts of the official test split are measured, at equal distances.
        engine: runs the pieces of work.

    Raises:
        ValueError: there is no such checkpoint or corpus, or the checkpoint reads no text.
    """
    checkpoint, split = _load(name, data, device, limit)
    folder = manifest.folders()[name]
    path = folder / ROWS
    rows = _read_rows(path, checkpoint.sha256, limit)
    missing = [number for number in range(len(split)) if number not in rows]
    tasks = [Task(name, data, device, limit, tuple(missing[k : k + AT_ONCE])) for k in range(0, len(missing), AT_ONCE)]
    with (
        tqdm(total=len(split), initial=len(rows), disable=not progress, unit="text", desc=name) as bar,
        path.open("a", encoding="utf-8") as file,
    ):
        if not rows:
            file.write(json.dumps({"weights": checkpoint.sha256, "limit": limit}) + "\n")
        for measured in engine(_run, tasks):
            file.writelines(json.dumps(row) + "\n" for row in measured)
            file.flush()
            rows |= {row["text"]: row["rankings"] for row in measured}
            bar.update(len(measured))
    evidence = _about(checkpoint, split, data, limit) | _of_routing(checkpoint, split)
    evidence["rankings"] = _summarize(list(rows.values()))
    write(folder / FILE, json.dumps(evidence, indent=1).encode())
    path.unlink()
    return folder / FILE


def _run(task: Task) -> list[dict[str, Any]]:
    return task()


def _read_rows(path: Path, weights: str, limit: int) -> dict[int, dict]:
    """The texts that were measured with these weights already; a last line that was cut off is left out."""
    if not path.is_file():
        return {}
    first, *lines = path.read_text(encoding="utf-8").splitlines() or [""]
    if first != json.dumps({"weights": weights, "limit": limit}):
        path.unlink()
        return {}
    rows, whole = {}, [first]
    for line in lines:
        try:
            row = json.loads(line)
        except ValueError:
            continue
        rows[row["text"]] = row["rankings"]
        whole.append(line)
    write(path, ("\n".join(whole) + "\n").encode())
    return rows


def _about(checkpoint: Checkpoint, split: Split, data: Path, limit: int) -> dict[str, Any]:
    whole = len(read_split(checkpoint.corpus, data, "test", len(checkpoint.classes)))
    return {
        "weights": checkpoint.sha256,
        "n": len(split),
        "sample": f"{len(split):,} of the {whole:,} texts of the official test split, at equal distances",
        "command": f"python -m core evidence {checkpoint.name} --data {checkpoint.corpus} --limit {limit}",
        "shares": list(SHARES),
    }


def _of_routing(checkpoint: Checkpoint, split: Split) -> dict[str, Any]:
    """What the routing is worth; nothing for a network that routes nothing."""
    if checkpoint.kind not in ROUTED or getattr(checkpoint.model.config, "routing", "") == "none":
        return {}
    few = split.evenly(FEWER) if getattr(checkpoint.model.config, "n_parts", 0) > MOST_CAPSULES else split
    return {
        "iterations": of_iterations(checkpoint, split),
        "trained_iterations": checkpoint.model.config.n_iters,
        "couplings": of_couplings(checkpoint, split),
        "capsules": {"n": len(few), "of": of_capsules(checkpoint, few)},
    }


def _summarize(rows: list[dict]) -> dict[str, dict[str, dict[str, Any]]]:
    """Means over the texts, with their 95% bootstrap intervals, by way of deletion and ranking."""
    rows = [row for row in rows if row]
    summary: dict[str, dict[str, dict[str, Any]]] = {}
    for way, rankings in rows[0].items() if rows else ():
        summary[way] = {}
        for ranking in rankings:
            of_ranking = [row[way][ranking] for row in rows if ranking in row[way]]
            summary[way][ranking] = {"n": len(of_ranking)} | {figure: _mean(of_ranking, figure) for figure in FIGURES}
    return summary


def _mean(rows: list[dict], figure: str) -> Any:
    if figure in LISTS:
        return [_mean_of([row[figure][k] for row in rows]) for k in range(len(SHARES))]
    return _mean_of([row[figure] for row in rows])


def _mean_of(values: list[float | None]) -> dict[str, Any] | None:
    given = [value for value in values if value is not None]
    if len(given) < 2:
        return None
    low, high = interval_of_mean(given)
    return {"mean": round(sum(given) / len(given), 4), "interval": [round(low, 4), round(high, 4)]}


def engine_of(kind: str, workers: int, address: str | None) -> Engine:
    """The engine that a command line names: processes here, or a Ray cluster."""
    from core.sweep import engines

    return partial(engines.on_ray, address=address) if kind == "ray" else partial(engines.local, workers=workers)
