"""python -m core evaluate NAME: the command that measures a network's accuracy."""

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core import cli, manifest
from core.commands import options

if TYPE_CHECKING:
    from core.checkpoint import Checkpoint
    from core.datasets import Split, ViewSubset


def add_parser(commands: argparse._SubParsersAction) -> None:
    """Add the command to the others."""
    command = commands.add_parser("evaluate", help="measure a model's accuracy on an official split")
    command.add_argument("name", metavar="NAME", help="name of a checkpoint")
    options.add_data(command)
    help = "evaluate on a folder of toy pictures instead; each file name contains the category"
    command.add_argument("--pictures", type=Path, metavar="DIR", help=help)
    command.add_argument("--split", default="test", help="name of the split (default: test)")
    command.add_argument("--limit", type=int, metavar="N", help="evaluate on the first N samples only")
    command.add_argument("--iterations", type=int, metavar="N", help="routing iterations (default: the trained number)")
    options.add_edit(command)
    help = "save next to the weights which test samples were answered correctly, and the accuracy if none is saved yet"
    command.add_argument("--keep", action="store_true", help=help)
    command.add_argument("--json", action="store_true", help="print the result as JSON")
    options.add_progress(command)
    cli.add_device(command)
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Print a model's accuracy on an official split, or on a folder of labelled pictures."""
    if args.data and args.pictures:
        raise ValueError("evaluate takes --data or --pictures, not both")
    if args.keep and (args.pictures or args.split != "test" or args.limit or args.iterations or args.edit):
        raise ValueError("--keep needs the whole test split and the unchanged network")
    from core import zoo
    from core.measured import store
    from core.measured.answers import arrays_of, check_replaces
    from core.networks.admit import admit_edits, describe_with_form
    from core.training.metrics import answers, figures, toys_of

    checkpoint = zoo.load(args.name, args.device)
    if args.iterations is not None:
        checkpoint = checkpoint.with_iterations(args.iterations)
    split = _labelled(checkpoint, args)
    if args.limit is not None:
        split = split.first(args.limit)
    if args.keep:
        check_replaces(args.name, len(split))
        store.check_keeps("answers", args.name)
    edits = admit_edits(checkpoint, args.edit)
    labels, given = answers(checkpoint, split, options.shows_progress(args), edits)
    accuracy = figures(labels == given, None if args.pictures else toys_of(split))
    result = accuracy | _by_class(labels, given, split.classes)
    if args.keep:
        arrays = arrays_of(labels == given, checkpoint.corpus, len(split.classes), _folder(checkpoint, args))
        store.save("answers", args.name, arrays, checkpoint.sha256)
        if manifest.describe(args.name).metrics.test.accuracy is None:
            manifest.keep_accuracy(manifest.folder_of(args.name), accuracy)
    if args.json:
        print(json.dumps(result | {"edits": [str(edit) for edit in edits]}))
        return
    edited = f", edited: {'; '.join(describe_with_form(checkpoint, edit) for edit in edits)}" if edits else ""
    print(f"{args.name}: {result['accuracy']:.1%} of {result['n']:,} right{edited}")
    if args.pictures:
        by_class = ", ".join(f"{name} {share:.0%}" for name, share in result["by_class"].items())
        print(f"mean over classes {result['mean_over_classes']:.1%}: {by_class}")


def _by_class(labels: np.ndarray, given: np.ndarray, classes: tuple[str, ...]) -> dict[str, Any]:
    """Accuracy per class, and its mean over the classes."""
    by_class = {}
    for k, name in enumerate(classes):
        is_right = given[labels == k] == k
        if len(is_right):
            by_class[name] = float(is_right.mean())
    return {"by_class": by_class, "mean_over_classes": sum(by_class.values()) / len(by_class)}


def _labelled(checkpoint: "Checkpoint", args: argparse.Namespace) -> "Split | ViewSubset":
    """The samples that the arguments of ``evaluate`` choose."""
    if args.pictures:
        from core.pictures.labelled import read_labelled

        return read_labelled(args.pictures)
    from core.datasets import read_split
    from core.fit.own_file import held_out, own_file

    if file := own_file(args.name):
        if args.split != "test" or args.keep:
            raise ValueError(f"{args.name} learned from {file.name}: only its held-out texts can be evaluated")
        return held_out(checkpoint, options.own_path(file.name, args))[0]
    return read_split(checkpoint.corpus, _folder(checkpoint, args), args.split, len(checkpoint.classes))


def _folder(checkpoint: "Checkpoint", args: argparse.Namespace) -> Path:
    """The folder of the checkpoint's dataset: the argument --data, or the default one."""
    from core.datasets import folder_of

    return args.data or folder_of(checkpoint.corpus)
