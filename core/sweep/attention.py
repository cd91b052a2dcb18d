"""How much of AGT is its attention: s_l in all layers, for l <= 2, for l = 0 only (Guo 2017, section 3.2)."""

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import pandas as pd

from core.training.__main__ import train
from core.training.recipes import RECIPES, AGTRecipe

NAME, BASE = "attention", RECIPES["agt-sst5"]
PAPER = {15: 0.505, 3: 0.490, 1: 0.485}  # test accuracy by how many layers attend


def sweep(data: Path, scratch: Path, device: str = "auto", seeds: int = 3) -> pd.DataFrame:
    """Train each network with each seed; one row a training.

    Args:
        scratch: a folder for a checkpoint a training. What is there by the same recipe is not trained again, and a
            training that was stopped goes on.
    """
    rows = []
    for recipe in recipes(seeds):
        folder = scratch / recipe.name
        if not _is_by(recipe, folder):
            train(recipe, data, scratch, device, resume=True)
        metrics = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
        rows.append(
            {
                "attending": recipe.n_attending,
                "seed": recipe.seed,
                "dev": metrics["dev"]["accuracy"],
                "test": metrics["test"]["accuracy"],
                "paper": recipe.paper,
                "parameters": metrics["parameters"],
                "minutes": metrics["training"]["minutes"],
                "hardware": metrics["training"]["hardware"],
            }
        )
    return pd.DataFrame(rows)


def recipes(seeds: int) -> Iterator[AGTRecipe]:
    """A recipe a seed and network; the first is the shipped checkpoint's own."""
    for seed in range(seeds):
        for attending, paper in PAPER.items():
            own = (attending, seed) == (BASE.n_attending, BASE.seed)
            name = BASE.name if own else f"{BASE.name}-{attending}-{seed}"
            yield replace(BASE, name=name, n_attending=attending, seed=seed, paper=paper)


def _is_by(recipe: AGTRecipe, folder: Path) -> bool:
    """Whether the folder has a checkpoint that this recipe made."""
    try:
        made = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))["training"]
    except OSError:
        return False
    return (made["form"], made["seed"], made["schedule"]) == (recipe.form, recipe.seed, asdict(recipe.schedule))
