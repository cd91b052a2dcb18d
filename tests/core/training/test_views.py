"""The recipe em-smallnorb-views, whose view loss asks that the toy's direction can be read off its pose."""

import dataclasses
import json
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from core import zoo
from core.models import EMSmallNORBConfig
from core.training.__main__ import main
from core.training.recipes import RECIPES, Recipe
from core.training.recipes.views import fit_readouts, to_directions
from tests.conftest import TINY


def test_neighbours_on_the_circle_have_close_targets():
    targets = to_directions(np.array([[0.0, 30.0], [90.0, 50.0], [350.0, 70.0]]))
    assert targets[0] == pytest.approx([0, 1, -1])
    assert targets[1] == pytest.approx([1, 0, 0], abs=1e-12)
    assert np.linalg.norm(targets[2, :2] - targets[0, :2]) == pytest.approx(2 * np.sin(np.radians(5)))


def test_each_class_has_its_own_readout():
    random = np.random.default_rng(0)
    targets = random.normal(size=(400, 3))
    classes = np.repeat([0, 1], 200)
    turned = np.where(classes[:, None] == 0, targets, -targets)
    poses = np.pad(1e-2 * turned, ((0, 0), (0, 1))) + 5  # small differences, and one number that never differs
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
    full = RECIPES["em-smallnorb-views"].full
    monkeypatch.setattr(zoo, "load", lambda name, device: {full.start_from: tiny_em_smallnorb}[name])
    monkeypatch.setattr(zoo, "describe", lambda name: SimpleNamespace(sha256=f"weights of {name}"))
    network = EMSmallNORBConfig(**TINY["em-smallnorb"].sizes)
    schedule = dataclasses.replace(full.schedule, epochs=12, warmup=1, lr=1e-3)
    small = dataclasses.replace(full, network=network, batch=10, schedule=schedule)
    recipe = Recipe("em-smallnorb-views", small)
    monkeypatch.setitem(RECIPES, recipe.name, recipe)
    return recipe


def test_the_recipe_writes_a_checkpoint(recipe, norb, tmp_path):
    assert main([recipe.name, "--data", str(norb), "--out", str(tmp_path), "--device", "cpu"]) == 0
    folder = tmp_path / recipe.name
    training = json.loads((folder / "metrics.json").read_text())["training"]
    assert training["steps"] == 2 * recipe.full.schedule.epochs
    assert training["begins_with"] == f"weights of {recipe.full.start_from}"
    assert "view loss" in (folder / "README.md").read_text()


def test_training_starts_from_another_network(recipe, norb, tiny_em_smallnorb, tmp_path):
    train, _, _ = recipe.full.splits(norb)
    job = recipe.full.start(train, torch.device("cpu"), norb, tmp_path / "cache")
    for name, weights in tiny_em_smallnorb.model.state_dict().items():
        assert torch.equal(job.model.state_dict()[name], weights)
    assert recipe.full.begins_with() == f"weights of {recipe.full.start_from}"


def test_the_view_loss_is_proportional_to_its_weight(recipe, norb, tmp_path):
    train, _, _ = recipe.full.splits(norb)
    added = {}
    for weight in (1.0, 3.0):
        training = dataclasses.replace(recipe.full, view_weight=weight)
        job = training.start(train, torch.device("cpu"), norb, tmp_path / "cache")
        torch.manual_seed(0)
        inputs, classes = job.prepare(job.epoch_batches(0)[0])
        scores, added[weight] = job.forward(job.model.eval(), inputs, classes)
        assert scores.shape == classes.shape
    assert added[3.0].item() == pytest.approx(3 * added[1.0].item())


def test_the_view_loss_moves_the_weights_of_the_network(recipe, norb, tmp_path):
    """The readouts are fixed, so the loss of one batch falls only if the poses move."""
    train, _, _ = recipe.full.splits(norb)
    job = recipe.full.start(train, torch.device("cpu"), norb, tmp_path / "cache")
    inputs, classes = job.prepare(job.epoch_batches(0)[0])
    optimizer = torch.optim.Adam(job.model.parameters(), 1e-2)
    losses = []
    for _ in range(60):
        _, added = job.forward(job.model, inputs, classes)
        losses.append(added.item())
        optimizer.zero_grad()
        added.backward()
        optimizer.step()
    assert losses[-1] < losses[0] / 2
