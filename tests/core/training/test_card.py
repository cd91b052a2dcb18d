"""The model cards of the recipes, and those of the shipped checkpoints."""

import json

import pytest

from core.manifest import PRETRAINED, describe
from core.training.card import CARDS, model_card, read_card
from core.training.recipes import RECIPES, Form

SHIPPED = sorted(path.parent.name for path in PRETRAINED.glob("*/README.md"))


@pytest.mark.parametrize("name", SHIPPED)
def test_the_recipes_write_the_shipped_cards(name):
    folder, recipe = PRETRAINED / name, RECIPES[name]
    config, metrics = (json.loads((folder / f"{file}.json").read_text()) for file in ("config", "metrics"))
    rendered = "rendered by core.datasets.toyrig, seed 0" if config["corpus"] == "smallnorb" else ""
    short = metrics["training"]["form"] == "short"
    training = recipe.training(Form(short))
    card = read_card(name + "-rendered" * bool(rendered) + "-short" * short, vars(training) | {"rendered": rendered})
    assert model_card(name, card.text, describe(name)) == (folder / "README.md").read_text()
    assert (config["kind"], config["corpus"], config["task"]) == (training.kind, training.corpus, card.task)
    assert metrics["training"]["data"].startswith(f"{card.data}: ")
    assert metrics["paper"].get("n") in (card.n_paper, metrics["test"]["n"], None)
    assert metrics["paper"]["accuracy"] == card.paper


def test_every_recipe_has_its_cards_and_every_card_its_recipe(tmp_path):
    forms = {(name, False) for name in RECIPES} | {(name, True) for name in RECIPES if RECIPES[name].short}
    expected = {name + "-short" * short for name, short in forms}
    assert {path.stem.replace("-rendered", "") for path in CARDS.glob("*.md")} == expected
    for name, short in forms:
        card = RECIPES[name].card(tmp_path, Form(short))
        assert card.task
        assert card.data
        assert card.source
        assert "{sizes}" in card.text
