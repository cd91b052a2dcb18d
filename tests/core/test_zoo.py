"""Checkpoints in folders: loading, damage, listing, names, and devices."""

import hashlib
import json
import sys

import pytest
import safetensors.torch
import torch

from core import zoo
from core.__main__ import main
from core.device import devices, pick_device
from core.training import head
from core.training.__main__ import main as train_main
from core.zoo import weights
from core.zoo.__main__ import main as import_main
from core.zoo.plan import Plan
from tests.conftest import TINY, save_tiny


def rewrite(folder, change):
    """Change the tensors of a checkpoint and keep its hash right."""
    tensors = safetensors.torch.load_file(folder / "weights.safetensors")
    change(tensors)
    content = safetensors.torch.save(tensors)
    (folder / "weights.safetensors").write_bytes(content)
    config = json.loads((folder / "config.json").read_text())
    config["sha256"] = hashlib.sha256(content).hexdigest()
    (folder / "config.json").write_text(json.dumps(config))


def test_a_checkpoint_is_loaded_by_its_name_or_its_folder(tiny_folder):
    first, second = zoo.load("tiny", "cpu"), zoo.load_folder(tiny_folder, "cpu")
    assert first.name == "tiny"
    assert first.classes[0] == "very negative"
    assert not first.model.training
    batch = first.inputs([["good", "film"], ["zyx"]])
    assert torch.equal(first.model(**batch), second.model(**batch))
    assert all(t.dtype == torch.float32 for t in first.model.state_dict().values())


def test_word_vectors_are_stored_in_8_bits_and_the_rest_in_16(tiny_folder):
    stored = safetensors.torch.load_file(tiny_folder / "weights.safetensors")
    assert {name for name, t in stored.items() if t.dtype == torch.float8_e4m3fn} == {"embedding.weight"}
    assert {t.dtype for t in stored.values()} == {torch.float8_e4m3fn, torch.float16}


def test_weights_are_read_block_by_block(tiny_folder, monkeypatch):
    expected = zoo.load_folder(tiny_folder, "cpu").model.state_dict()
    monkeypatch.setattr(weights, "BLOCK", 7)
    read = zoo.load_folder(tiny_folder, "cpu").model.state_dict()
    assert all(torch.equal(read[name], tensor) for name, tensor in expected.items())


def test_inputs_are_padded_and_masked(tiny):
    batch = tiny.inputs([["good", "zyx"], ["film"]])
    assert batch["words"].tolist() == [[3, 6], [2, 0]]
    assert batch["mask"].tolist() == [[True, True], [True, False]]
    assert batch["unknown"].shape == (1, 384)
    assert tiny.inputs([["good"]])["mask"] is None


def test_an_unknown_name_lists_the_known_ones(tiny_folder):
    with pytest.raises(ValueError, match=r"no model named 'nope'.*tiny"):
        zoo.load("nope")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t.pop("vote.weight"), "tensor vote.weight is missing"),
        (lambda t: t.update(extra=torch.zeros(1)), "tensor extra is not one of this model"),
        (lambda t: t.update({"vote.bias": torch.zeros(3)}), r"tensor vote.bias is \[3\], wanted \[12\]"),
        (lambda t: t["vote.bias"].fill_(torch.nan), "tensor vote.bias holds NaN"),
        (
            lambda t: t.update({"vote.bias": t["vote.bias"].int()}),
            "tensor vote.bias is I32, wanted one of F8",
        ),
    ],
)
def test_the_first_wrong_tensor_is_named(tiny_folder, change, message):
    rewrite(tiny_folder, change)
    with pytest.raises(ValueError, match=message):
        zoo.load("tiny", "cpu")


def test_damaged_weights_are_refused(tiny_folder):
    weights = tiny_folder / "weights.safetensors"
    full = weights.read_bytes()
    weights.write_bytes(full[:-8] + bytes(8))
    with pytest.raises(ValueError, match="sha256 differs"):
        zoo.load("tiny", "cpu")
    weights.write_bytes(full[: len(full) // 2])
    with pytest.raises(ValueError, match="cannot be read as safetensors"):
        zoo.load("tiny", "cpu")
    weights.write_bytes(b"\x80\x04pickle")
    with pytest.raises(ValueError, match="cannot be read as safetensors"):
        zoo.load("tiny", "cpu")


def test_damaged_text_files_are_refused(tiny_folder):
    (tiny_folder / "vocab.txt").write_text("a\nb\n")
    with pytest.raises(ValueError, match="has 2 words, wanted 6"):
        zoo.load("tiny", "cpu")
    (tiny_folder / "vocab.txt").write_text("a\nbad\ngood\nfilm\nn't\nis\n")
    with pytest.raises(ValueError, match="its words differ"):
        zoo.load("tiny", "cpu")
    (tiny_folder / "config.json").write_text('{"kind": "other"}')
    with pytest.raises(ValueError, match="does not describe a known model"):
        zoo.load("tiny", "cpu")
    (tiny_folder / "config.json").write_text("{")
    with pytest.raises(ValueError, match="cannot be read as JSON"):
        zoo.load("tiny", "cpu")


@pytest.mark.parametrize("value", [None, 5])
def test_a_checkpoint_without_its_reader_is_refused(tiny_folder, tiny_em, value):
    for folder, entry in ((tiny_folder, "vocabulary_sha256"), (tiny_folder.parent / "tiny-em", "backbone")):
        config = json.loads((folder / "config.json").read_text())
        config.pop(entry, None)
        if value:
            config[entry] = value
        (folder / "config.json").write_text(json.dumps(config))
        with pytest.raises(ValueError, match=entry):
            zoo.load_folder(folder, "cpu")


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("n_words", 10**12, "n_words is"),
        ("n_words", -1, "n_words is"),
        ("n_classes", 2, "names 5 classes, and its model has 2"),
        ("normalize", "both", "normalize is 'both', wanted one of output, input"),
    ],
)
def test_impossible_sizes_are_refused_before_memory_is_taken(tiny_folder, key, value, message):
    config = json.loads((tiny_folder / "config.json").read_text())
    config["model"][key] = value
    (tiny_folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(ValueError, match=message):
        zoo.load("tiny", "cpu")


def test_classes_of_the_same_name_are_refused(tiny_folder):
    config = json.loads((tiny_folder / "config.json").read_text())
    config["classes"] = [*config["classes"][:-1], config["classes"][0]]
    (tiny_folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(ValueError, match=r"wanted at most 200 names of .* all different"):
        zoo.describe_folder(tiny_folder)


@pytest.mark.parametrize(
    "metrics",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"parameters": 1, "test": [], "paper": 3}',
        '{"parameters": 1, "test": {"accuracy": 0.5, "n": 9, "interval": [0, 2]}, "paper": {"accuracy": null}}',
        '{"parameters": 1, "test": {"accuracy": 0.5, "n": 9, "interval": [1, 0]}, "paper": {"accuracy": null}}',
        f'{{"parameters": 1, "test": {{"accuracy": 0.5, "n": {10**400}}}, "paper": {{"accuracy": null}}}}',
    ],
)
def test_a_folder_that_cannot_be_read_is_left_out_with_a_sentence(tiny_folder, metrics):
    (tiny_folder / "metrics.json").write_text(metrics)
    described, broken = zoo.survey()
    assert "tiny" not in described
    assert "dragg-sst5" in described
    assert len(broken) == 1
    assert broken[0].startswith("tiny is left out")


def test_the_paper_s_accuracy_may_be_missing(tiny_folder, capsys):
    metrics = {"parameters": 1, "test": {"accuracy": 0.5}, "paper": {"accuracy": None}}
    (tiny_folder / "metrics.json").write_text(json.dumps(metrics))
    about = zoo.describe("tiny").metrics
    assert (about.parameters, about.test.accuracy, about.paper.accuracy, about.training) == (1, 0.5, None, {})
    main(["models"])
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("tiny")]
    assert line.split()[:3] == ["tiny", "1", "50.0%"]


def test_a_word_list_may_have_windows_line_ends(tiny_folder):
    path = tiny_folder / "vocab.txt"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert "film" in zoo.load("tiny", "cpu").reader.vocabulary


def test_a_device_is_chosen_by_its_name(monkeypatch):
    assert pick_device("cpu").type == "cpu"
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert pick_device("auto").type == "cpu"
    with pytest.raises(ValueError, match="no CUDA device"):
        pick_device("cuda")
    with pytest.raises(ValueError, match="device is 'tpu', wanted auto, cpu, mps or cuda, or one GPU, such as cuda:0"):
        pick_device("tpu")
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    with pytest.raises(ValueError, match=r"There is no GPU of a Mac \(mps\) here: use auto or cpu\."):
        pick_device("mps")
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)
    assert pick_device("mps").type == "mps"
    assert devices() == {"mps": "Apple GPU", "cpu": "CPU"}
    assert zoo.load("dragg-sst5", torch.device("cpu")).device.type == "cpu"


def test_one_of_several_gpus_is_chosen_by_its_name(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    names = ("auto", "cuda", "cuda:1", torch.device("cuda:1"), "cpu")
    assert [str(pick_device(name)) for name in names] == ["cuda:0", "cuda:0", "cuda:1", "cuda:1", "cpu"]
    monkeypatch.setattr(torch.cuda, "get_device_name", "GPU {}".format)
    assert devices() == {"cuda": "GPU 0", "cuda:1": "GPU 1", "cpu": "CPU"}
    with pytest.raises(ValueError, match="There is no cuda:2 here: use auto, cpu or cuda:0, cuda:1"):
        pick_device("cuda:2")


def test_a_shipped_checkpoint_keeps_its_name(tiny_folder, capsys):
    own = tiny_folder.rename(tiny_folder.with_name("dragg-sst2"))
    sentence = "Your own dragg-sst2 is left out: the shipped checkpoint of this name answers."
    assert zoo.folders()["dragg-sst2"] == zoo.PRETRAINED / "dragg-sst2" != own
    assert any(line.startswith(sentence) for line in zoo.survey()[1])
    assert main(["explain", "dragg-sst2", "a good film"]) == 0
    assert capsys.readouterr().err.startswith(sentence)


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        (main, ["models", "--new", "dragg-sst2", "--kind", "dragg"]),
        (head.main, ["folder", "--name", "dragg-sst2"]),
        (import_main, ["import-heinsen", "file.pt", "--name", "dragg-sst2"]),
        (train_main, ["dragg-sst2", "--out", "{models}"]),
    ],
)
def test_the_name_of_a_shipped_checkpoint_cannot_be_taken(tiny_folder, capsys, command, arguments):
    assert command([argument.format(models=tiny_folder.parent) for argument in arguments]) == 2
    assert capsys.readouterr().err.endswith(": dragg-sst2 is a shipped checkpoint: choose another name\n")


def test_no_plan_of_a_network_loads_pytorch_s_compiler(tmp_path, monkeypatch):
    """The compiler takes longer to import than the rest of loading takes."""
    folders = [save_tiny(tmp_path, kind) for kind in TINY]
    monkeypatch.setitem(sys.modules, "torch._dynamo", None)  # every import of it is now an error
    assert [Plan.read(folder).model.training for folder in folders] == [True] * len(TINY)
