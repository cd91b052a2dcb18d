"""Runs a file of texts through a model, on this machine or on a Ray cluster. A batch that was killed can resume."""

import json
import logging
import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import torch
from tqdm import tqdm

from core import cli, engines
from core.batch.folder import Folder
from core.batch.shards import count_shards, start_of
from core.batch.table import write_table
from core.batch.texts import choose_column, read_column
from core.batch.work import Work, load
from core.files import sha256_of, write
from core.json_files import read_json
from core.networks.many import run_texts

Engine = Callable[[Work, list[int]], Iterable[dict[str, Any]]]


def run(work: Work, engine: Engine, progress: bool = True) -> Path:
    """Run a batch and write its table, and its traces if asked for.

    Args:
        work: work to do on each shard.
        engine: function that takes the work and the shard numbers, and yields the result of each shard when it ends.
        progress: whether to show a progress bar.

    Returns:
        The path of the table.

    Raises:
        ValueError: the file cannot be read or changes during the run, or the folder holds another batch.
    """
    n_rows, folder = _begin(work), work.folder
    n_shards = count_shards(n_rows)
    if not folder.table.is_file():
        missing = [shard for shard in range(n_shards) if not folder.shard(shard).is_file()]
        done = n_rows - sum(min(start_of(shard + 1), n_rows) - start_of(shard) for shard in missing)
        with tqdm(total=n_rows, initial=done, unit="text", disable=not progress) as bar:
            for result in engine(work, missing) if missing else ():
                bar.update(result["rows"])
        _check_unchanged(work)
        write_table(folder, n_shards, _classes(work), work.path, work.column)
    folder.delete_shards()  # a batch that was killed while it deleted its shards leaves some
    return folder.table


def _begin(work: Work) -> int:
    """Make the folder of a batch, or check that an existing one belongs to this batch.

    Returns:
        The number of rows in the file of texts.
    """
    about = {
        "model": work.model,
        "weights": work.weights,
        "input": sha256_of(work.path),
        "column": work.column,
        "traces": work.traces,
    }
    folder = work.folder
    if folder.path.is_file():
        raise ValueError(f"{folder.path} is a file, wanted a folder")
    if folder.record.is_file():
        known = _read_record(folder.record)
        if different := [key for key in about if known.get(key) != about[key]]:
            raise ValueError(f"{folder.path} holds another batch, with another {different[0]}: name a new folder")
        folder.make(work.traces)
        return known["rows"]
    if other := folder.find_other():
        raise ValueError(f"{other} is there already and is not of a batch: name a new folder")
    n_rows = sum(1 for _ in read_column(work.path, work.column))
    folder.path.mkdir(parents=True, exist_ok=True)
    write(folder.record, json.dumps(about | {"rows": n_rows, "classes": _classes(work)}, indent=1).encode())
    folder.make(work.traces)
    return n_rows


def _read_record(path: Path) -> dict[str, Any]:
    """Read the record of a batch; ValueError if the file is something else."""
    try:
        record = read_json(path)
    except ValueError:
        record = {}
    if not isinstance(record.get("rows"), int):
        raise ValueError(f"{path} is not the record of a batch: name a new folder")
    return record


def _check_unchanged(work: Work) -> None:
    """Raise ValueError if the file of texts has changed since the batch began: its columns would be misaligned."""
    if sha256_of(work.path) != read_json(work.folder.record)["input"]:
        raise ValueError(f"{work.path.name} was changed while the batch ran: run it again, into a new folder")


def _classes(work: Work) -> tuple[str, ...]:
    return load(work.model, work.device).classes


def local(work: Work, shards: list[int], workers: int) -> Iterator[dict[str, Any]]:
    """Run shards in processes with one thread each; on a GPU, in one process. Errors as in ``core.engines``."""
    yield from engines.local(work, shards, workers, work.device)


def on_ray(work: Work, shards: list[int], address: str | None) -> Iterator[dict[str, Any]]:
    """Run shards as a Ray Data pipeline. Its actors hold the model, each on a GPU if the cluster has GPUs.

    Args:
        work: work to do; every worker must be able to reach its file and folder.
        shards: numbers of the shards to run.
        address: address of the cluster's head; if None, Ray starts a cluster on this machine.

    Raises:
        ValueError: Ray is not installed, or there is no cluster at the address.
        RuntimeError: a worker failed for good.
    """
    with engines.cluster(address) as ray:
        _quiet(ray)
        resources = ray.cluster_resources()
        on_gpus = resources.get("GPU", 0) >= 1 and work.device != "cpu"
        n_actors = max(1, min(len(shards), int(resources.get("GPU" if on_gpus else "CPU", 1))))
        items = ray.data.from_items([{"shard": shard} for shard in shards], override_num_blocks=len(shards))
        models = os.environ.get("ROUTESCOPE_MODELS")
        results = items.map_batches(
            _Actor,
            fn_constructor_args=(work,),
            batch_size=1,
            compute=ray.data.ActorPoolStrategy(min_size=1, max_size=n_actors),
            num_cpus=0 if on_gpus else 1,
            num_gpus=1 if on_gpus else 0,
            runtime_env={"env_vars": {"ROUTESCOPE_MODELS": models}} if models else {},
        )
        try:
            for result in results.iter_rows():
                if result["error"]:
                    raise RuntimeError(f"a worker failed: {result['error']}")
                yield result
        except ray.exceptions.RayError as error:
            raise RuntimeError(f"workers died: {str(error).strip().splitlines()[-1]}") from None


def _quiet(ray: Any) -> None:
    """Hide Ray Data's own progress output, because we show a bar."""
    ray.data.DataContext.get_current().enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)


class _Actor:
    """A worker of the pipeline. It is called with one shard at a time."""

    def __init__(self, work: Work):
        torch.set_num_threads(1)
        self._work = work

    def __call__(self, batch: dict[str, Any]) -> dict[str, list[Any]]:
        (shard,) = batch["shard"]
        try:
            result = self._work(int(shard)) | {"error": ""}
        except cli.REPORTED as error:  # Ray would pass on the traceback without the error
            result = {"shard": int(shard), "rows": 0, "error": str(error)}
        return {name: [value] for name, value in result.items()}


def start(
    model: str,
    path: Path,
    folder: Path,
    column: str | None = None,
    device: str = "auto",
    traces: bool = False,
    engine: str = "local",
    address: str | None = None,
    workers: int | None = None,
    progress: bool = True,
) -> Path:
    """Run a batch from the options of the command line, and return when it has ended.

    Returns and errors as in ``run``, and errors of ``core.zoo.load``.

    Args:
        model, path, folder, device, traces: as in ``Work``.
        column: column with the texts; if None, "text" or the only column.
        engine: "local" or "ray".
        address: address of a Ray cluster's head.
        workers: number of processes on this machine; one per core if None.
    """
    if workers is not None and workers < 1:
        raise ValueError(f"--workers is {workers}, wanted at least 1")
    checkpoint = load(model, device)
    (trial,) = run_texts(checkpoint, ["a"])
    if trial.error:  # a fault of this machine, such as a missing transformer, must not be recorded as a row's error
        raise ValueError(trial.error)
    column = choose_column(path, column)
    work = Work(model, checkpoint.sha256, device, path.absolute(), column, Folder(folder.absolute()), traces)
    if engine == "ray":
        return run(work, partial(on_ray, address=address), progress)
    return run(work, partial(local, workers=workers or os.cpu_count() or 1), progress)
