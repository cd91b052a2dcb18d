"""Lists the checkpoints and reads their descriptions, which are JSON files, so that no PyTorch is needed."""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice, zip_longest
from math import prod
from pathlib import Path
from types import NoneType
from typing import Any

from core.files import cache_folder, write
from core.header import read_header
from core.json_files import read_json
from core.near import did_you_mean
from core.scores import Metrics, unmeasured
from core.stored import BY_KIND
from core.titles import title_of
from core.trace import Trace

PRETRAINED = Path(__file__).parents[1] / "pretrained"
DEPTHS = {"iteration": "n_iters", "layer": "n_layers", "window": "window"}  # setting with the number of these steps
ENTRIES = {  # types of the entries that every description must have, in addition to the number of steps
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
IN_WORDS = {str: "text", int: "a whole number", list: "a list", dict: "an object", (float, NoneType): "a number"}
METRICS = "metrics.json"
STATED_EVIDENCE = "evidence.stated.json"  # evidence of an imported checkpoint, which was not measured here
WEIGHTS = "weights.safetensors"
EXAMPLE, CUT_EXAMPLE = "example.json", "example.cut.json"  # a stored run, and the same run with a word cut
CAPSULE_EXAMPLE = "example.capsule.json"  # the same run without the deciding capsule
OWN_FILE = "data.json"  # the user's file of texts that a network learned from, with some of its held-out texts
MAX_EXAMPLES = 5
MAX_CLASSES, MAX_CLASS_NAME = 200, 200  # classes, and characters of a name


@dataclass(frozen=True)
class Manifest:
    """A checkpoint as its config.json and metrics.json describe it.

    Args:
        kind: a key of ``core.networks.NETWORKS``.
        corpus: as in ``core.datasets.read_split``.
        model: hyper-parameters, the arguments of the kind's configuration.
        sha256: sha256 of the weights file.
        reader: remaining entries of config.json, which belong to the reader, such as the name of a transformer.
        examples: some held-out texts of the user's file that it learned from; empty for a known corpus.
        labels: the label of each example, by its text.
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
    examples: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The network in plain words, such as "EM routing · film sentences, 5 classes"."""
        return title_of(self.kind, self.model, self.corpus, self.task, len(self.classes))

    @property
    def version(self) -> str:
        """A value that changes when something changes on which the results of runs depend."""
        settings = (self.kind, self.corpus, self.task, self.classes, self.model, self.sha256, self.reader)
        return hashlib.sha256(repr(settings).encode()).hexdigest()


def name_with_seed(name: str, seed: int | str) -> str:
    """The name of another training of a network, by the same recipe with another seed."""
    return f"{name}-seed-{seed}"


def user_folder() -> Path:
    """The folder of the user's own checkpoints: ROUTESCOPE_MODELS, or one in the user's cache directory."""
    return Path(os.environ.get("ROUTESCOPE_MODELS") or cache_folder() / "models")


def folders() -> dict[str, Path]:
    """The folders of all checkpoints by name: the shipped ones, then the user's. Shipped ones win a name clash."""
    shipped = _folders_in(PRETRAINED)
    return shipped | {name: folder for name, folder in _folders_in(user_folder()).items() if name not in shipped}


def _folders_in(root: Path) -> dict[str, Path]:
    """The folders with a config.json, by name."""
    return {file.parent.name: file.parent for file in sorted(root.glob("*/config.json"))}


def left_out() -> dict[str, str]:
    """One sentence per user checkpoint that is left out because a shipped one has its name."""
    own = {} if user_folder().resolve() == PRETRAINED.resolve() else _folders_in(user_folder())
    sentence = "Your own {} is left out: the shipped checkpoint of this name answers. Give its folder another name."
    return {name: sentence.format(name) for name in _folders_in(PRETRAINED) if name in own}


def check_not_shipped(name: str) -> None:
    """Raise ValueError if a shipped checkpoint has this name."""
    if name in _folders_in(PRETRAINED):
        raise ValueError(f"{name} is a shipped checkpoint: choose another name")


def describe(name: str) -> Manifest:
    """Read a checkpoint's description, without its weights.

    Raises:
        ValueError: there is no such checkpoint, or one of its files is missing, is not JSON, or lacks an entry.
    """
    return describe_folder(folder_of(name))


def describe_folder(folder: Path) -> Manifest:
    """``describe`` for a checkpoint in any folder. Without metrics.json, only its number of parameters is known."""
    if not (folder / "config.json").is_file():
        there = "there is no config.json in it" if folder.is_dir() else "there is no such folder"
        raise ValueError(f"{folder} holds no network: {there}")
    about = {"config": read_json(folder / "config.json"), "metrics": _read_metrics(folder)}
    trace = BY_KIND.get(str(_entry(about, "config.kind")), Trace)
    for path, expected in (ENTRIES | {f"config.model.{DEPTHS[trace.along]}": int}).items():
        value = _entry(about, path)
        if not isinstance(value, expected) or isinstance(value, bool):
            found = "missing" if value is ... else f"{value!r:.40}"
            raise ValueError(f"{folder}: {path} is {found}, wanted {IN_WORDS[expected]}")
    kinds = [kind for kind, trace in BY_KIND.items() if trace.is_of_network]
    if about["config"]["kind"] not in kinds:
        raise ValueError(f"{folder}: config.kind is {about['config']['kind']!r:.40}, wanted one of {', '.join(kinds)}")
    classes = about["config"]["classes"]
    if not _are_names(classes):
        wanted = f"wanted at most {MAX_CLASSES:,} names of at most {MAX_CLASS_NAME} characters, all different"
        raise ValueError(f"{folder}: config.classes is {classes!r:.60}, {wanted}")
    if about["metrics"]["parameters"] < 0:
        raise ValueError(f"{folder}: metrics.parameters is {about['metrics']['parameters']}, wanted 0 or more")
    config, metrics = about["config"], about["metrics"]
    described = {key: config.pop(key) for key in ("kind", "corpus", "task", "model", "sha256")}
    try:
        scores = Metrics.read(metrics)
    except ValueError as error:
        raise ValueError(f"{folder / METRICS}: {error}") from None
    examples = _read_examples(folder / OWN_FILE)
    return Manifest(
        name=folder.name,
        classes=tuple(config.pop("classes")),
        reader=config,
        metrics=scores,
        examples=tuple(examples),
        labels={text: label for text, label in examples.items() if label},
        **described,
    )


def _read_examples(file: Path) -> dict[str, str]:
    """The texts that the file of own texts offers as examples, with their labels; none if there is no such file.

    An archive may come from elsewhere. What is no text is left out, and a label that is none becomes "".
    """
    stored = read_json(file) if file.is_file() else {}
    texts, labels = (value if isinstance(value, list) else [] for value in map(stored.get, ("examples", "labels")))
    pairs = islice(zip_longest(texts, labels), len(texts))
    known = {text: label if isinstance(label, str) else "" for text, label in pairs if isinstance(text, str)}
    return dict(islice(((text, label) for text, label in known.items() if text.strip()), MAX_EXAMPLES))


def _are_names(classes: list) -> bool:
    """Whether these can be class names: few, short and distinct."""
    if len(classes) > MAX_CLASSES or not all(isinstance(name, str) for name in classes):
        return False
    return len(set(classes)) == len(classes) and all(name.strip() and len(name) <= MAX_CLASS_NAME for name in classes)


def _read_metrics(folder: Path) -> dict[str, Any]:
    """The contents of metrics.json; without the file, only the number of parameters in the weights."""
    if (folder / METRICS).exists():
        return read_json(folder / METRICS)
    return unmeasured(sum(prod(stored.shape) for stored in read_header(folder / WEIGHTS).values()))


def keep_accuracy(folder: Path, test: Mapping[str, Any]) -> None:
    """Store an accuracy that was measured here in a checkpoint's metrics.json, in place of an earlier one.

    Args:
        folder: folder of the checkpoint.
        test: accuracy as ``core.training.metrics.figures`` returns it.
    """
    write(folder / METRICS, json.dumps(_read_metrics(folder) | {"test": dict(test)}, indent=1).encode())


def _entry(about: dict[str, Any], path: str) -> Any:
    """The value at a dotted path; Ellipsis if there is none, because None is a valid value."""
    value: Any = about
    for key in path.split("."):
        value = value.get(key, ...) if isinstance(value, dict) else ...
    return value


def survey() -> tuple[dict[str, Manifest], list[str]]:
    """The descriptions of all checkpoints by name, and one sentence per checkpoint that is left out."""
    described, broken, others = {}, list(left_out().values()), transformers()
    for name, folder in folders().items():
        if name in others:
            continue
        try:
            described[name] = describe_folder(folder)
        except ValueError as error:
            broken.append(f"{name} is left out: {error}")
    return described, broken


def transformers() -> dict[str, Path]:
    """Folders of the user's transformers by name, as Hugging Face saves them. They are not our checkpoints."""

    def is_transformer(folder: Path) -> bool:
        try:
            config = read_json(folder / "config.json")
        except ValueError:
            return False
        return isinstance(config, dict) and "model_type" in config and "kind" not in config

    return {name: folder for name, folder in folders().items() if is_transformer(folder)}


def read_example(name: str, file: str = EXAMPLE) -> Trace | None:
    """Read an example trace that is stored next to a checkpoint's weights.

    ``python -m core explain NAME TEXT --out pretrained/NAME/example.json`` writes it, and with ``--edit`` a run with a
    word cut, which is stored as ``CUT_EXAMPLE``, or without the deciding capsule, ``CAPSULE_EXAMPLE``.

    Returns:
        The trace; None if it is missing or damaged, or was made with other weights.
    """
    try:
        trace = Trace.from_json((folder_of(name) / file).read_text(encoding="utf-8"))
        return trace if trace.weights == describe(name).sha256 else None
    except (OSError, ValueError):
        return None


def folder_of(name: str) -> Path:
    """A checkpoint's folder; ValueError if there is no such checkpoint."""
    by_name = folders()
    if name not in by_name:
        raise ValueError(f"There is no model named {name!r}. {did_you_mean(str(name), by_name)}")
    return by_name[name]
