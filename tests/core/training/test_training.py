"""Recipes of text models from data to checkpoint, and their batches."""

import dataclasses
import json
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

import core.__main__
from core import zoo
from core.datasets import Split, imdb, sst
from core.inputs.minilm import word_vectors
from core.inputs.text import Vocabulary
from core.inputs.transformers import backbone
from core.training import hidden
from core.training.__main__ import main
from core.training.metrics import accuracy
from core.training.recipes import RECIPES, Recipe
from core.training.recipes.batches import same_length_batches, similar_length_batches
from core.training.recipes.documents import first_words
from core.training.recipes.training import mix_up


def test_interrupted_hidden_states_are_completed(tmp_path, monkeypatch):
    minilm = backbone()
    texts = minilm.cut([f"{'film ' * (k % 7 + 1)}{k}" for k in range(20)])
    monkeypatch.setattr(hidden, "BATCH_SIZE", 3)
    full = hidden.HiddenStates(minilm, texts, tmp_path / "whole.hidden")
    file = tmp_path / "killed.hidden"
    first = hidden.HiddenStates(minilm, texts, file)
    # As if the process had been killed: the states from text 5 on are wrong, and no batch is noted as done.
    first.store[first.first[5] :] = 7
    first.note.write_text(json.dumps({"of": first.fingerprint, "done": 0}))
    repeated = hidden.HiddenStates(minilm, texts, file)
    assert torch.equal(repeated.store, full.store)
    batch = repeated.batch([1, 9, 4])
    expected, mask = minilm.hidden([texts[k] for k in (1, 9, 4)])
    assert torch.equal(batch["mask"], mask)
    torch.testing.assert_close(batch["hidden"], expected, rtol=2e-3, atol=2e-3)
    repeated.close()
    assert not file.exists()
    monkeypatch.setattr(hidden, "MAX_FILE", 0)  # no file is small enough: states are computed for each batch
    without_file = hidden.HiddenStates(minilm, texts, file)
    assert torch.equal(without_file.batch([1, 9, 4])["hidden"], expected)
    assert not file.exists()


def test_hidden_states_too_large_for_the_disk_are_refused_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: SimpleNamespace(free=1000))
    minilm = backbone()
    with pytest.raises(OSError, match=r"No space left on device for 0.0 GB: '.*x.hidden'"):
        hidden.HiddenStates(minilm, minilm.cut(["a film"]), tmp_path / "x.hidden")
    assert not list(tmp_path.iterdir())


def test_batches_hold_every_sample_once_and_one_length_each():
    lengths = torch.tensor([3, 1, 2, 3, 3, 1, 7])
    batches = same_length_batches(lengths, batch=2, seed=0)
    assert sorted(torch.cat(batches).tolist()) == list(range(7))
    assert all(len(batch) <= 2 and len(lengths[batch].unique()) == 1 for batch in batches)
    repeated = same_length_batches(lengths, batch=2, seed=0)
    assert all(torch.equal(a, b) for a, b in zip(batches, repeated, strict=True))


def test_word_vectors_start_as_predicted_for_unknown_words():
    vocabulary = Vocabulary([a + b for a in ("", "un", "re", "over") for b in ("seen", "made", "film", "do")])
    model = RECIPES["dragg-sst5"].full.model(vocabulary, Path())
    pieces = word_vectors(vocabulary.words)
    torch.testing.assert_close(model.embedding.weight, model.from_pieces(pieces))
    assert model.embedding.weight.std().item() == pytest.approx(1, abs=0.1)


def test_a_recipe_writes_a_complete_checkpoint(trees, tmp_path):
    out = tmp_path / "out"
    assert main(["dragg-sst5", "--data", str(trees), "--out", str(out), "--limit", "6", "--device", "cpu"]) == 0
    folder = out / "dragg-sst5"
    assert {p.name for p in folder.iterdir()} == {
        "config.json", "weights.safetensors", "vocab.txt", "metrics.json", "README.md", "answers.npz",
    }  # fmt: skip
    metrics = json.loads((folder / "metrics.json").read_text())
    checkpoint = zoo.load_folder(folder, "cpu")
    assert metrics["test"]["accuracy"] == accuracy(checkpoint, sst.sentences(trees, "test", 5))
    assert {"form", "seed", "data", "hardware", "minutes"} <= metrics["training"].keys()
    assert "50.5%" in (folder / "README.md").read_text()


def test_documents_are_trained_and_measured_sentence_by_sentence(reviews, tmp_path, monkeypatch):
    small = dataclasses.replace(RECIPES["dragg-imdb"].full, d=4, d_cooccurrence=0, min_count=1)
    recipe = Recipe("dragg-imdb", small)
    monkeypatch.setitem(RECIPES, recipe.name, recipe)
    monkeypatch.setenv("ROUTESCOPE_DATA", str(tmp_path))
    assert main([recipe.name, "--out", str(tmp_path / "out"), "--device", "cpu"]) == 0
    metrics = json.loads((tmp_path / "out" / recipe.name / "metrics.json").read_text())
    assert (metrics["test"]["n"], metrics["dev"]["n"]) == (24, 3)
    checkpoint = zoo.load_folder(tmp_path / "out" / recipe.name, "cpu")
    assert metrics["test"]["accuracy"] == accuracy(checkpoint, imdb.reviews(reviews, "test", by_sentence=True))


def test_a_network_may_be_trained_again_on_all_texts(reviews, tmp_path, monkeypatch):
    """Its card has the dev accuracy of the first training, which does not see the dev split."""
    small = dataclasses.replace(
        RECIPES["cccaps-imdb"].full, embedding="plain", d_cooccurrence=1, min_count=1, max_words=5
    )
    monkeypatch.setenv("ROUTESCOPE_DATA", str(tmp_path))
    about = {}
    for on_all in (False, True):
        recipe = Recipe("cccaps-imdb", small, on_all=on_all)
        monkeypatch.setitem(RECIPES, recipe.name, recipe)
        assert main([recipe.name, "--out", str(tmp_path / str(on_all)), "--device", "cpu"]) == 0
        about[on_all] = json.loads((tmp_path / str(on_all) / recipe.name / "metrics.json").read_text())
    assert "21 labelled samples" in about[False]["training"]["data"]
    assert "24 labelled samples per epoch; " in about[True]["training"]["data"]
    assert about[True]["dev"]["accuracy"] == about[False]["training"]["dev_accuracy"]
    assert about[True]["training"]["history"] == about[False]["training"]["history"]
    train, dev, _ = small.splits(reviews)
    assert max(map(len, small.joined(train, dev).words)) == 5


def test_documents_are_cut_after_whole_words():
    assert RECIPES["dragg-imdb"].full.words([["a", "b"], ["c"]]) == ["a", "b", "c"]
    assert list(first_words([["a", "b"], ["c", "d", "e"], ["f"]], 4)) == [["a", "b"], ["c", "d"]]


@pytest.mark.parametrize("trial", [["--limit", "6"], ["--epochs", "1"]])
def test_a_trial_replaces_no_shipped_model(trees, trial, capsys):
    assert main(["dragg-sst5", "--data", str(trees), *trial]) == 2
    assert "give --out as well" in capsys.readouterr().err


def test_another_seed_is_a_checkpoint_of_the_user(reviews, tmp_path, monkeypatch, capsys):
    small = dataclasses.replace(RECIPES["dragg-imdb"].full, d=4, d_cooccurrence=0, min_count=1)
    monkeypatch.setitem(RECIPES, "dragg-imdb", Recipe("dragg-imdb", small))
    monkeypatch.setenv("ROUTESCOPE_DATA", str(tmp_path))
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path / "models"))
    assert main(["dragg-imdb", "--seed", "1", "--device", "cpu"]) == 0
    metrics = json.loads((tmp_path / "models" / "dragg-imdb-seed-1" / "metrics.json").read_text())
    assert metrics["training"]["seed"] == 1
    assert metrics["training"]["command"] == "python -m core.training dragg-imdb --data DIR --seed 1"
    assert main(["dragg-imdb", "--seed", "-1"]) == 2
    assert "the seed is -1, wanted at least 0" in capsys.readouterr().err


def test_bad_data_gives_one_line_and_exit_code_2(tmp_path, capsys):
    assert main(["dragg-sst5", "--data", str(tmp_path)]) == 2
    assert "holds no trees/train.txt" in capsys.readouterr().err


def test_em_routing_over_any_transformer_end_to_end(trees, tmp_path, tiny_gpt2, monkeypatch, capsys):
    """The recipe for GPT-2 large, on a tiny one: train, describe, evaluate, explain."""
    over_tiny = dataclasses.replace(RECIPES["em-sst5-gpt2-large"].full, backbone=str(tiny_gpt2))
    recipe = Recipe("em-sst5-gpt2-large", over_tiny)
    monkeypatch.setitem(RECIPES, recipe.name, recipe)
    assert main([recipe.name, "--data", str(trees), "--out", str(tmp_path), "--limit", "6", "--device", "cpu"]) == 0
    folder = tmp_path / recipe.name
    assert not (folder / "vocab.txt").exists()
    assert json.loads((folder / "config.json").read_text())["backbone"] == str(tiny_gpt2)
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path))
    capsys.readouterr()
    assert core.__main__.main(["evaluate", recipe.name, "--data", str(trees), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["n"] == 4
    assert core.__main__.main(["explain", recipe.name, "a good film"]) == 0
    assert "very positive, score" in capsys.readouterr().out


def test_mixup_mixes_inputs_masks_and_targets_alike():
    torch.manual_seed(0)
    x, mask, y = torch.eye(4)[:, :, None], torch.eye(4), torch.eye(4)
    inputs, targets = mix_up({"hidden": x, "mask": mask}, y, alpha=0.2)
    assert torch.equal(inputs["mask"], targets)
    assert torch.equal(inputs["hidden"][:, :, 0], targets)
    torch.testing.assert_close(targets.sum(1), torch.ones(4))


def test_batches_of_similar_length_hold_every_sample_once():
    lengths = torch.tensor([5, 1, 9, 2, 2, 7, 30, 1])
    batches = similar_length_batches(lengths, batch=3, seed=0)
    assert sorted(k for batch in batches for k in batch.tolist()) == list(range(8))
    assert [b.tolist() for b in batches] == [b.tolist() for b in similar_length_batches(lengths, batch=3, seed=0)]


def test_couplings_are_equal_in_the_first_epochs_of_dragg():
    training = dataclasses.replace(RECIPES["dragg-sst5"].full, equal_epochs=1, batch=2)
    split = Split([["good", "film"], ["bad", "film"], ["a", "film"]], [4, 0, 2], sst.CLASSES[5])
    job = training.start(split, torch.device("cpu"), Path("data"), Path("cache"))
    first, second = (job.prepare(job.epoch_batches(epoch)[0])[0] for epoch in (0, 1))
    assert "edits" not in second
    *_, last = job.model.eval().steps(**first)
    assert torch.allclose(last.coupling, torch.full_like(last.coupling, 1 / 5))
