"""The training that asks poses to turn with the toy."""

import dataclasses
import json

import numpy as np
import pytest
import torch

from core import zoo
from core.models import EMSmallNORBConfig
from core.training.__main__ import main
from core.training.recipes import RECIPES, Recipe
from core.training.recipes.views import fit_readouts, to_targets
from tests.conftest import TINY


def test_neighbours_on_the_circle_have_close_targets():
    targets = to_targets(np.array([[0.0, 30.0], [90.0, 50.0], [350.0, 70.0]]))
    assert targets[0] == pytest.approx([0, 1, -1])
    assert targets[1] == pytest.approx([1, 0, 0], abs=1e-12)
    assert np.linalg.norm(targets[2, :2] - targets[0, :2]) == pytest.approx(2 * np.sin(np.radians(5)))


def test_each_class_has_a_readout_of_its_own():
    random = np.random.default_rng(0)
    targets = random.normal(size=(400, 3))
    classes = np.repeat([0, 1], 200)
    turned = np.where(classes[:, None] == 0, targets, -targets)
    poses = np.pad(1e-2 * turned, ((0, 0), (0, 1))) + 5  # they vary little, and one number does not vary at all
    readouts = fit_readouts(poses, classes, targets, 2)
    read = readouts.read(torch.tensor(poses).float().view(-1, 2, 2), torch.tensor(classes))
    assert ((read.numpy() - targets) ** 2).mean() < 0.01
    wrong = readouts.read(torch.tensor(poses).float().view(-1, 2, 2), torch.tensor(1 - classes))
    assert ((wrong.numpy() - targets) ** 2).mean() > 1
    with pytest.raises(ValueError, match="class 2 has no poses"):
        fit_readouts(poses, classes, targets, 3)


@pytest.fixture
def recipe(monkeypatch, tiny_em_smallnorb):
    """The recipe for a tiny network."""
    monkeypatch.setattr(zoo, "load", lambda name, device: tiny_em_smallnorb)
    full = RECIPES["em-smallnorb-views"].full
    network = EMSmallNORBConfig(**TINY["em-smallnorb"].sizes)
    schedule = dataclasses.replace(full.schedule, epochs=12, warmup=1, lr=1e-3)
    small = dataclasses.replace(full, network=network, batch=10, schedule=schedule)
    recipe = Recipe("em-smallnorb-views", small)
    monkeypatch.setitem(RECIPES, recipe.name, recipe)
    return recipe


def test_the_recipe_writes_a_checkpoint(recipe, norb, tmp_path):
    assert main([recipe.name, "--data", str(norb), "--out", str(tmp_path), "--device", "cpu"]) == 0
    folder = tmp_path / recipe.name
    assert json.loads((folder / "metrics.json").read_text())["training"]["steps"] == 2 * recipe.full.schedule.epochs
    assert "view loss" in (folder / "README.md").read_text()


def test_it_begins_with_another_network_whose_poses_come_to_turn(recipe, norb, tiny_em_smallnorb, tmp_path):
    train, _, _ = recipe.full.splits(norb)
    job = recipe.full.start(train, torch.device("cpu"), norb, tmp_path / "cache")
    for name, weights in tiny_em_smallnorb.model.state_dict().items():
        assert torch.equal(job.model.state_dict()[name], weights)
    inputs, targets = job.prepare(job.epoch_batches(0)[0])
    optimizer = torch.optim.Adam(job.model.parameters(), 1e-2)
    losses = []
    for _ in range(60):
        scores, added = job.forward(job.model, inputs, targets)
        losses.append(added.item())
        optimizer.zero_grad()
        added.backward()
        optimizer.step()
    assert scores.shape == targets.shape
    assert losses[-1] < losses[0] / 2
