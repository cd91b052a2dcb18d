import dataclasses
import json

import numpy as np
import pytest
import torch

from core import zoo
from core.models import EMSmallNORBConfig
from core.training.__main__ import main
from core.training.recipes import RECIPES, Recipe
from core.training.recipes.views import SCALE, to_directions, view_loss
from tests.conftest import TINY

DIRECTIONS = torch.tensor(to_directions(np.array([[0.0, 30.0], [90.0, 50.0], [180.0, 70.0], [340.0, 50.0]])))
ONE_CLASS = torch.zeros(4, dtype=torch.long)


def poses_at(directions):
    """Poses 4 x 4 that are as far apart as the directions, rotated and shifted."""
    torch.manual_seed(0)
    rotation, _ = torch.linalg.qr(torch.randn(16, 16))
    padded = torch.nn.functional.pad(directions, (0, 13))
    return (padded @ rotation + torch.randn(16)).view(-1, 4, 4)


def test_directions_are_far_apart_where_a_toy_looks_different():
    apart = torch.cdist(DIRECTIONS, DIRECTIONS)
    assert apart[0, 1].item() == pytest.approx(SCALE * 3**0.5, rel=1e-6)  # a quarter turn and 20 degrees up
    assert apart[1, 3] > apart[0, 3]  # 350 degrees are 10


def test_poses_that_turn_with_the_toy_have_no_loss():
    assert view_loss(poses_at(DIRECTIONS), DIRECTIONS, ONE_CLASS).item() == pytest.approx(0, abs=1e-10)
    assert view_loss(2 * poses_at(DIRECTIONS), DIRECTIONS, ONE_CLASS) > 0.1
    standing = torch.zeros(4, 4, 4, requires_grad=True)
    loss = view_loss(standing, DIRECTIONS, ONE_CLASS)
    loss.backward()
    assert loss.item() == pytest.approx((torch.pdist(DIRECTIONS) ** 2).mean().item(), rel=1e-4)
    assert standing.grad.isfinite().all()


def test_toys_of_different_classes_are_not_compared():
    loss = view_loss(poses_at(DIRECTIONS), DIRECTIONS[[1, 0, 2, 3]], torch.tensor([0, 1, 2, 3]))
    assert loss.item() == 0
    loss = view_loss(poses_at(DIRECTIONS), DIRECTIONS[[0, 1, 3, 2]], torch.tensor([0, 0, 1, 2]))
    assert loss.item() == pytest.approx(0, abs=1e-10)


@pytest.fixture
def recipe(monkeypatch):
    """The recipe for a tiny network that begins anew."""
    full = RECIPES["em-smallnorb-views"].full
    network = EMSmallNORBConfig(**TINY["em-smallnorb"].sizes)
    schedule = dataclasses.replace(full.schedule, epochs=12, warmup=1, lr=1e-3)
    small = dataclasses.replace(full, network=network, batch=10, start_from="", schedule=schedule)
    recipe = Recipe("em-smallnorb-views", small)
    monkeypatch.setitem(RECIPES, recipe.name, recipe)
    return recipe


def test_the_recipe_lowers_its_loss(recipe, norb, tmp_path):
    assert main([recipe.name, "--data", str(norb), "--out", str(tmp_path), "--device", "cpu"]) == 0
    folder = tmp_path / recipe.name
    history = json.loads((folder / "metrics.json").read_text())["training"]["history"]
    assert history[-1]["train_loss"] < history[0]["train_loss"]
    assert "view loss" in (folder / "README.md").read_text()


def test_it_begins_with_another_network(recipe, tiny_em_smallnorb, monkeypatch):
    monkeypatch.setattr(zoo, "load", lambda name, device: tiny_em_smallnorb)
    made = dataclasses.replace(recipe.full, start_from="tiny-em-smallnorb").make_network()
    for name, weights in tiny_em_smallnorb.model.state_dict().items():
        assert torch.equal(made.state_dict()[name], weights)
