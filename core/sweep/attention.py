"""How much of AGT is its attention: s_l in all layers, for l <= 2, for l = 0 only (Guo 2017, section 3.2)."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from core.measured.store import read_sweep, save_sweep
from core.training.__main__ import train
from core.training.recipes import RECIPES, AGTRecipe

NAME, BASE = "attention", replace(RECIPES["agt-sst5"], teachers=())  # from labels alone, as in the paper
PAPER = {15: 0.505, 3: 0.490, 1: 0.485}  # test accuracy by how many layers attend


def sweep(data: Path, scratch: Path, device: str = "auto", seeds: int = 3) -> pd.DataFrame:
    """Train each network with each seed; one row a training, kept as soon as it is there.

    Args:
        scratch: a folder for a checkpoint a training. One that was stopped goes on.

    Returns:
        The table. What it has of the same recipes is not trained again; what it has of others is dropped.
    """
    wanted = {str(recipe): recipe for recipe in recipes(seeds)}
    before = read_sweep(NAME)
    known = [] if before is None or "recipe" not in before else before.to_dict("records")
    rows = [row for row in known if row["recipe"] in wanted]
    for said, recipe in wanted.items():
        if said not in {row["recipe"] for row in rows}:
            train(recipe, data, scratch, device, resume=True)
            rows.append(_row(recipe, scratch / recipe.name))
            save_sweep(NAME, pd.DataFrame(rows))
    return pd.DataFrame(rows)


def _row(recipe: AGTRecipe, folder: Path) -> dict[str, Any]:
    metrics = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
    return {
        "attending": recipe.n_attending,
        "seed": recipe.seed,
        "dev": metrics["dev"]["accuracy"],
        "test": metrics["test"]["accuracy"],
        "paper": recipe.paper,
        "parameters": metrics["parameters"],
        "minutes": metrics["training"]["minutes"],
        "hardware": metrics["training"]["hardware"],
        "recipe": str(recipe),
    }


def recipes(seeds: int) -> Iterator[AGTRecipe]:
    """A recipe a seed and network."""
    for seed in range(seeds):
        for attending, paper in PAPER.items():
            name = f"{BASE.name}-{attending}-{seed}"
            yield replace(BASE, name=name, n_attending=attending, seed=seed, paper=paper)
