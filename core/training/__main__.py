"""python -m core.training RECIPE --data DIR: train a checkpoint and write pretrained/NAME/ complete."""

import argparse
import dataclasses
import json
import sys
from pathlib import Path

import torch

from core import zoo
from core.datasets import folder_of
from core.files import write
from core.training.card import model_card
from core.training.fitted import fitted
from core.training.metrics import accuracy, hardware
from core.training.recipes import RECIPES, Recipe


def main(arguments: list[str] | None = None) -> int:
    """Run a recipe; 0, or 2 after one clear line on bad input."""
    parser = argparse.ArgumentParser(prog="python -m core.training", description=__doc__)
    parser.add_argument("recipe", choices=sorted(RECIPES), metavar="RECIPE", help="one of " + ", ".join(RECIPES))
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="the dataset as released; ROUTESCOPE_DATA/CORPUS unless given"
    )
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")
    parser.add_argument("--out", type=Path, metavar="DIR", default=zoo.PRETRAINED, help="pretrained/ unless given")
    parser.add_argument("--resume", action="store_true", help="go on with a run that was stopped")
    parser.add_argument("--limit", type=int, metavar="N", help="a trial on the first N samples only")
    parser.add_argument("--short", action="store_true", help="the form of fewer epochs, where the recipe has one")
    args = parser.parse_args(arguments)
    try:
        if args.limit and args.out == zoo.PRETRAINED:
            raise ValueError("a trial with --limit wants --out, so that it replaces no shipped model")
        recipe = RECIPES[args.recipe]
        data = args.data or folder_of(recipe.corpus)
        train(recipe.short() if args.short else recipe, data, args.out, args.device, args.resume, args.limit)
    except (ValueError, RuntimeError, OSError) as error:
        print(f"core.training: {error}", file=sys.stderr)
        return 2
    return 0


def train(
    recipe: Recipe, data: Path, out: Path, device: str = "auto", resume: bool = False, limit: int | None = None
) -> None:
    """Train by a recipe, measure what was saved on the dev and test splits, write out/NAME/."""
    recipe = recipe.on(data)
    made = fitted(recipe, data, out / ".training", device, resume, limit)
    folder = out / recipe.name
    zoo.save(made.checkpoint, folder)
    saved = zoo.load_folder(folder, device)  # what is measured is what is shipped: rounded
    metrics = {
        "parameters": sum(p.numel() for p in saved.model.parameters()),
        "dev": {"accuracy": accuracy(saved, made.dev), "n": len(made.dev)},
        "test": {"accuracy": accuracy(saved, made.test), "n": len(made.test)},
        "paper": {"accuracy": recipe.paper, "source": recipe.source, "n": recipe.n_paper or len(made.test)},
        "training": {
            "command": f"python -m core.training {recipe.name} --data DIR" + " --short" * (recipe.form == "short"),
            "form": recipe.form if limit is None else f"trial on the first {limit} samples",
            "data": f"{recipe.data}: {made.n:,} labelled samples an epoch, weights chosen on the dev split",
            "seed": recipe.seed,
            "schedule": dataclasses.asdict(recipe.schedule),
            "hardware": hardware(saved.device),
            "torch": torch.__version__,
            "preparation_minutes": made.preparation,
            **made.run,
        },
    }
    write(folder / "metrics.json", json.dumps(metrics, indent=1).encode())
    card = model_card(zoo.describe_folder(folder), recipe.name, recipe.departs, recipe.purpose, recipe.reads)
    write(folder / "README.md", card.encode())
    made.close()
    beside = "" if recipe.paper is None else f", the paper's {recipe.paper:.1%}"
    print(f"{folder}: test accuracy {metrics['test']['accuracy']:.1%}{beside}")


if __name__ == "__main__":
    sys.exit(main())
