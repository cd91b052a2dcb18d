"""What checkpoints there are and what they say of themselves: JSON only, so that a list of them needs no PyTorch."""

import json
import os
from pathlib import Path
from types import NoneType
from typing import Any

from core.trace import Trace

PRETRAINED = Path(__file__).parents[1] / "pretrained"
DEPTHS = {"agt": "n_layers", "drnn": "window"}  # what a kind has instead of iterations
ENTRIES = {  # what every description holds, and one whole number more, its count of iterations
    "config.kind": str,
    "config.corpus": str,
    "config.task": str,
    "config.classes": list,
    "config.model": dict,
    "config.sha256": str,
    "metrics.parameters": int,
    "metrics.test.accuracy": (float, NoneType),  # None: nobody measured it here
    "metrics.paper.accuracy": (float, NoneType),  # None: the paper has none
}


def folders() -> dict[str, Path]:
    """Every checkpoint's folder by name: pretrained/, then the folder that ROUTESCOPE_MODELS names."""
    roots = [PRETRAINED] + [Path(p) for p in [os.environ.get("ROUTESCOPE_MODELS")] if p]
    return {f.parent.name: f.parent for root in roots for f in sorted(root.glob("*/config.json"))}


def describe(name: str) -> dict[str, Any]:
    """config.json and metrics.json of a checkpoint as {"config": .., "metrics": ..}; no weights are read.

    Raises:
        ValueError: there is no such checkpoint, or a file of it is missing, not JSON, or lacks an entry.
    """
    return describe_folder(folder_of(name))


def describe_folder(folder: Path) -> dict[str, Any]:
    """The same for a checkpoint's folder anywhere."""
    about = {"config": read_json(folder / "config.json"), "metrics": read_json(folder / "metrics.json")}
    depth = DEPTHS.get(str(_entry(about, "config.kind")), "n_iters")
    for path, wanted in (ENTRIES | {f"config.model.{depth}": int}).items():
        if not isinstance(value := _entry(about, path), wanted):
            said = "missing" if value is ... else repr(value)
            raise ValueError(f"{folder}: {path} is {said}, wanted {wanted}")
    return about


def _entry(about: dict[str, Any], path: str) -> Any:
    """What stands at a dotted path, ... where nothing does."""
    value: Any = about
    for key in path.split("."):
        value = value.get(key, ...) if isinstance(value, dict) else ...
    return value


def survey() -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Every checkpoint's description by name, and a sentence on each that cannot be described."""
    described, broken = {}, []
    for name in folders():
        try:
            described[name] = describe(name)
        except ValueError as error:
            broken.append(f"{name} is left out: {error}")
    return described, broken


def read_example(name: str) -> Trace | None:
    """The run of a text that lies beside a checkpoint's weights; None where there is none, or it is damaged, or of
    other weights.

    ``python -m core explain NAME TEXT --out pretrained/NAME/example.json`` makes it.
    """
    try:
        trace = Trace.from_json((folder_of(name) / "example.json").read_text(encoding="utf-8"))
        return trace if trace.weights == describe(name)["config"]["sha256"] else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
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
