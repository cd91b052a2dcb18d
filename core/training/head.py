"""python -m core.training.head TRANSFORMER --name NAME: train an EM head over any transformer in a few epochs.

TRANSFORMER is a folder written by Hugging Face's ``save_pretrained``, or the name of a model in its cache. The head
learns sentiment from the Stanford Sentiment Treebank. It cannot be trained on other data.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from core import cli

with cli.importing():
    from core import zoo
    from core.datasets import folder_of
    from core.datasets.sst import CLASSES
    from core.manifest import user_folder
    from core.training.recipes import Form
    from core.training.recipes.head import HeadRecipe, HeadTraining
    from core.training.run import train


def main(arguments: Sequence[str] | None = None) -> int:
    """Train a head and return the exit code."""
    return cli.run(_parser(), run, arguments)


def run(args: argparse.Namespace) -> None:
    """Train the head that the command line describes."""
    zoo.check_name(args.name)
    training = HeadTraining(n_classes=args.classes, backbone=args.transformer)
    out = args.out or user_folder()
    recipe, data = HeadRecipe(args.name, training), args.data or folder_of(training.corpus)
    train(recipe, data, out, args.device, args.resume, form=Form(epochs=args.epochs))


def _parser() -> argparse.ArgumentParser:
    description = (__doc__ or "").partition(": ")[2]
    parser = cli.Parser(prog="python -m core.training.head", description=description)
    parser.set_defaults(stopped=cli.RESUMES)
    parser.add_argument("transformer", metavar="TRANSFORMER", help="folder or name of the transformer")
    parser.add_argument("--name", required=True, help="name of the new checkpoint")
    help = "number of sentiment classes (default: 5)"
    parser.add_argument("--classes", type=int, choices=sorted(CLASSES), default=5, help=help)
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="folder of the treebank (default: ROUTESCOPE_DATA/sst)"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder of checkpoints (default: ROUTESCOPE_MODELS)")
    parser.add_argument("--epochs", type=int, metavar="N", help="number of epochs, to which the schedule is fitted")
    parser.add_argument("--resume", action="store_true", help="continue an interrupted training")
    cli.add_device(parser)
    return parser


if __name__ == "__main__":
    sys.exit(main())
