"""python -m core.training RECIPE --data DIR: train a checkpoint and write its folder complete."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from core import cli

with cli.importing():
    from core.datasets import folder_of
    from core.manifest import PRETRAINED, check_not_shipped, user_folder
    from core.training.recipes import RECIPES, SHIPPED, Form
    from core.training.run import train


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a recipe and return the exit code."""
    return cli.run(_parser(), run, arguments)


def run(args: argparse.Namespace) -> None:
    """Train a recipe's checkpoint."""
    recipe, form = RECIPES[args.recipe], Form(args.short, args.epochs, args.seed)
    training = recipe.training(replace(form, seed=None))
    is_trial = args.limit is not None or training not in (recipe.full, recipe.short)
    usual = PRETRAINED if recipe.name in SHIPPED and form.seed is None else user_folder()
    out = args.out or usual
    if out.resolve() == user_folder().resolve():
        check_not_shipped(recipe.checkpoint(form))
    if is_trial and out.resolve() in (PRETRAINED.resolve(), usual.resolve()):
        raise ValueError("with --limit or --epochs give --out as well: a trial must not overwrite a trained model")
    data = args.data or folder_of(training.corpus)
    train(recipe, data, out, args.device, args.resume, args.limit, form)


def _parser() -> argparse.ArgumentParser:
    parser = cli.Parser(prog="python -m core.training", description=__doc__)
    parser.set_defaults(stopped=cli.RESUMES)
    parser.add_argument("recipe", choices=sorted(RECIPES), metavar="RECIPE", help="one of " + ", ".join(RECIPES))
    help = "folder of the dataset as released (default: ROUTESCOPE_DATA/CORPUS)"
    parser.add_argument("--data", type=Path, metavar="DIR", help=help)
    cli.add_device(parser)
    help = "folder of checkpoints (default: pretrained/ for a shipped recipe, ROUTESCOPE_MODELS for your own)"
    parser.add_argument("--out", type=Path, metavar="DIR", help=help)
    parser.add_argument("--resume", action="store_true", help="continue an interrupted training")
    parser.add_argument("--limit", type=int, metavar="N", help="train on the first N samples only, as a trial")
    parser.add_argument("--short", action="store_true", help="use the recipe's short form, which has fewer epochs")
    parser.add_argument("--epochs", type=int, metavar="N", help="number of epochs, to which the schedule is fitted")
    help = "seed of another training, saved as NAME-seed-N in ROUTESCOPE_MODELS, to see how much a seed changes"
    parser.add_argument("--seed", type=int, metavar="N", help=help)
    return parser


if __name__ == "__main__":
    sys.exit(main())
