"""Which checkpoints there are and how their files describe them: JSON only, so that listing them needs no PyTorch."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import NoneType
from typing import Any

from core.trace import BY_KIND, Trace

PRETRAINED = Path(__file__).parents[1] / "pretrained"
DEPTHS = {"iteration": "n_iters", "layer": "n_layers", "window": "window"}  # the size that says how many steps
ENTRIES = {  # in every description, beside the number of steps
    "config.kind": str,
    "config.corpus": str,
    "config.task": str,
    "config.classes": list,
    "config.model": dict,
    "config.sha256": str,
    "metrics.parameters": int,
    "metrics.test.accuracy": (float, NoneType),
    "metrics.paper.accuracy": (float, NoneType),
}


@dataclass(frozen=True)
class Score:
    """accuracy: None where nobody measured it, or the paper reports none. n: samples. source: table of the paper."""

    accuracy: float | None
    n: int | None = None
    source: str = ""

    @classmethod
    def read(cls, entry: Any) -> "Score":
        known = entry if isinstance(entry, dict) else {}
        return cls(known.get("accuracy"), known.get("n"), str(known.get("source", "")))


@dataclass(frozen=True)
class Metrics:
    """test, dev: accuracy on the corpus's splits; paper: what its paper reports of the network.

    training: how the weights came to be; empty where nothing is said of it.
    """

    parameters: int
    test: Score
    dev: Score
    paper: Score
    training: Mapping[str, Any]


@dataclass(frozen=True)
class Manifest:
    """A checkpoint as its config.json and metrics.json describe it.

    kind: a key of ``core.kinds.KINDS``. corpus: a key of ``core.datasets.CORPORA``.
    model: the network's configuration. sha256: of the file of weights.
    reader: the entries of its reader, such as the name of a transformer.
    """

    name: str
    kind: str
    corpus: str
    task: str
    classes: tuple[str, ...]
    model: Mapping[str, Any]
    sha256: str
    reader: Mapping[str, Any]
    metrics: Metrics


def folders() -> dict[str, Path]:
    """Every checkpoint's folder by name: pretrained/, then the folder that ROUTESCOPE_MODELS names."""
    roots = [PRETRAINED] + [Path(p) for p in [os.environ.get("ROUTESCOPE_MODELS")] if p]
    return {f.parent.name: f.parent for root in roots for f in sorted(root.glob("*/config.json"))}


def describe(name: str) -> Manifest:
    """A checkpoint's description; no weights are read.

    Raises:
        ValueError: there is no such checkpoint, or a file of it is missing, not JSON, or lacks an entry.
    """
    return describe_folder(folder_of(name))


def describe_folder(folder: Path) -> Manifest:
    """The same for a checkpoint's folder anywhere."""
    about = {"config": read_json(folder / "config.json"), "metrics": read_json(folder / "metrics.json")}
    trace = BY_KIND.get(str(_entry(about, "config.kind")), Trace)
    for path, wanted in (ENTRIES | {f"config.model.{DEPTHS[trace.along]}": int}).items():
        if not isinstance(value := _entry(about, path), wanted):
            is_now = "missing" if value is ... else repr(value)
            raise ValueError(f"{folder}: {path} is {is_now}, wanted {wanted}")
    config, metrics = about["config"], about["metrics"]
    training = metrics.get("training")
    own = {key: config.pop(key) for key in ("kind", "corpus", "task", "model", "sha256")}
    return Manifest(
        name=folder.name,
        classes=tuple(config.pop("classes")),
        reader=config,
        metrics=Metrics(
            parameters=metrics["parameters"],
            test=Score.read(metrics["test"]),
            dev=Score.read(metrics.get("dev")),
            paper=Score.read(metrics["paper"]),
            training=training if isinstance(training, dict) else {},
        ),
        **own,
    )


def _entry(about: dict[str, Any], path: str) -> Any:
    """The value at a dotted path, ... where there is none."""
    value: Any = about
    for key in path.split("."):
        value = value.get(key, ...) if isinstance(value, dict) else ...
    return value


def survey() -> tuple[dict[str, Manifest], list[str]]:
    """Every checkpoint's description by name, and a sentence on each that cannot be described."""
    described, broken = {}, []
    for name in folders():
        try:
            described[name] = describe(name)
        except ValueError as error:
            broken.append(f"{name} is left out: {error}")
    return described, broken


def read_example(name: str) -> Trace | None:
    """The stored run of a text beside a checkpoint's weights; None where there is none, or it is damaged, or of other
    weights.

    ``python -m core explain NAME TEXT --out pretrained/NAME/example.json`` makes it.
    """
    try:
        trace = Trace.from_json((folder_of(name) / "example.json").read_text(encoding="utf-8"))
        return trace if trace.weights == describe(name).sha256 else None
    except (OSError, ValueError):
        return None


def folder_of(name: str) -> Path:
    known = folders()
    if name not in known:
        raise ValueError(f"There is no model named {name!r}. There are: {', '.join(known) or 'none'}.")
    return known[name]


def read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{path} cannot be read as JSON: {error}") from None
