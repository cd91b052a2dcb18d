"""A checkpoint from a zip archive is checked before it is used, and any bytes are read or refused in little memory."""

import io
import itertools
import json
import random
import resource
import shutil
import sys
import zipfile

import numpy as np
import pytest
import torch

from core import explain, manifest, zoo
from core.networks import NETWORKS
from core.networks.many import run_texts
from core.networks.run import class_capsules
from core.zoo import archive as archives
from core.zoo.archive import pack, unpack
from core.zoo.plan import Plan
from tests import hostile_files
from tests.archives import FILES, change_config, change_sizes, change_tensors, zipped
from tests.conftest import TINY, save_tiny

N = 1250  # mutated archives, the same number as for each format of texts
MAX_GROWTH = 300 * 2**20  # growth of the process in bytes while it reads all of them


@pytest.fixture
def files(tmp_path):
    """The three files of a tiny network by name."""
    folder = save_tiny(tmp_path / "made")
    return {name: (folder / name).read_bytes() for name in FILES}


def add(files, folder):
    """Unpack an archive of these files to a folder."""
    return unpack(io.BytesIO(zipped(files)), "mine.zip", folder)


def assert_refused(files, folder, message):
    """Assert that an archive is refused in one sentence that names no folder, and leaves nothing behind."""
    content = files if isinstance(files, bytes) else zipped(files)
    with pytest.raises(ValueError, match=message) as caught:
        unpack(io.BytesIO(content), "mine.zip", folder)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400
    assert str(folder) not in str(caught.value)
    assert not folder.exists()


@pytest.mark.parametrize("inside", ["", "mine/"])
def test_an_archive_of_three_files_becomes_a_checkpoint(files, tmp_path, inside):
    packed = {f"{inside}{name}": content for name, content in files.items()}
    about = add(packed | {f"{inside}model.pt": b"\x80\x04", f"{inside}.DS_Store": b"x"}, tmp_path / "mine")
    assert (about.name, about.kind, about.metrics.test.accuracy) == ("mine", "dragg", None)
    assert about.metrics.parameters == sum(p.numel() for p in zoo.load_folder(tmp_path / "mine").model.parameters())
    assert sorted(path.name for path in (tmp_path / "mine").iterdir()) == sorted([*FILES, "metrics.json"])
    trace = explain(zoo.load_folder(tmp_path / "mine", "cpu"), "a good film")
    assert (trace.model, trace.weights) == ("mine", about.sha256)


def test_stated_accuracies_are_kept_apart_from_measured_ones(files, tmp_path):
    scores = {"test": {"accuracy": 0.991, "n": 2210}, "paper": {"accuracy": 0.4}, "dev": {"accuracy": 0.9, "n": 10}}
    theirs = {"parameters": 1, "training": {"seed": 7}, "stated": {"test": {"accuracy": 0.2}}} | scores
    metrics = add(files | {"metrics.json": json.dumps(theirs), "evidence.json": b"{}"}, tmp_path / "mine").metrics
    assert [score.accuracy for score in (metrics.test, metrics.dev, metrics.paper)] == [None] * 3
    assert metrics.verdict is None
    assert metrics.stated.test.accuracy == 0.991
    assert metrics.stated.dev.accuracy == 0.9
    assert metrics.training == {"seed": 7}
    assert metrics.parameters > 1  # counted when unpacked
    assert not (tmp_path / "mine" / "evidence.json").exists()
    manifest.keep_accuracy(tmp_path / "mine", {"accuracy": 0.5, "n": 20})
    measured = manifest.describe_folder(tmp_path / "mine").metrics
    assert (measured.test.accuracy, measured.stated.test.accuracy) == (0.5, 0.991)


@pytest.mark.parametrize("kind", sorted(TINY))
def test_archives_of_every_kind_are_read(tmp_path, kind):
    folder = save_tiny(tmp_path / "made", kind)
    packed = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert add(packed, tmp_path / "mine").kind == kind


@pytest.mark.parametrize("kind", sorted(hostile_files.SIZES))
def test_the_archives_that_hostile_ones_start_from_are_sound(tmp_path, kind):
    assert unpack(io.BytesIO(hostile_files.sound(kind)), "sound.zip", tmp_path / "sound").kind == kind


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t.pop("vote.weight"), r"^weights.safetensors: tensor vote.weight is missing"),
        (lambda t: t.update(extra=torch.zeros(1)), "tensor extra is not one of this model"),
        (lambda t: t.update({"vote.bias": torch.zeros(3)}), r"tensor vote.bias is \[3\], wanted \[12\]"),
        (lambda t: t["vote.bias"].fill_(torch.nan), "tensor vote.bias holds NaN"),
    ],
)
def test_the_first_wrong_tensor_is_named(files, tmp_path, change, message):
    assert_refused(change_tensors(files, change), tmp_path / "mine", message)


def test_missing_and_wrong_files_are_named(files, tmp_path):
    folder = tmp_path / "mine"
    for name in FILES[:2]:
        assert_refused({k: v for k, v in files.items() if k != name}, folder, f"has no {name}; it holds ")
    assert_refused({"weights.safetensors": b"x", "model.pt": b"x"}, folder, 'holds "weights.safetensors", "model.pt"')
    assert_refused({k: v for k, v in files.items() if k != "vocab.txt"}, folder, "vocab.txt cannot be read")
    assert_refused(files | {"vocab.txt": b"a\nb\n"}, folder, "has 2 words, wanted 6")
    assert_refused(
        files | {"weights.safetensors": files["weights.safetensors"][:-1]}, folder, "cannot be read as safetensors"
    )
    assert_refused(files | {"config.json": b"[" * 50_000}, folder, "config.json cannot be read as JSON")
    assert_refused(files | {"config.json": b"[]"}, folder, "config.json cannot be read as JSON: it holds no object")
    assert_refused(
        change_config(files, classes=[1, 2, 3, 4, 5]), folder, "config.classes is .*, wanted at most 200 names"
    )
    assert_refused(change_config(files, kind="other"), folder, "config")
    assert_refused(change_sizes(files, n_iters=1000), folder, "a run takes 1,000 steps, wanted at most 50")
    assert_refused(files | {"metrics.json": b'{"parameters": 1}'}, folder, "metrics.test.accuracy is missing")
    metrics = {"parameters": 1, "test": {"accuracy": 7.0}, "paper": {"accuracy": None}}
    assert_refused(files | {"metrics.json": json.dumps(metrics)}, folder, "accuracy is 7.0, wanted 0 to 1")
    assert add(files, folder).name == "mine"


def test_sizes_are_compared_before_memory_is_taken(files, tmp_path, monkeypatch):
    built = []
    network = NETWORKS["dragg"].model
    monkeypatch.setattr(network, "__init__", watch(network.__init__, built))
    assert_refused(change_sizes(files, d_hidden=20_000, n_capsules=1), tmp_path / "mine", "wanted")
    assert built == ["meta"]


REFUSED = {  # hostile archives and their errors
    "sizes-of-4300-digits": "weights.safetensors cannot be read as safetensors: its header has 3,440,852 bytes",
    "deep-header": "weights.safetensors cannot be read as safetensors",
    "endless-header": "its header has .* bytes, wanted at most",
    "many-tensors": "its header has .* bytes, wanted at most",
    "million-newlines": "vocab.txt has 33,554,432 words, wanted 6",
    "too-large": "weights.safetensors has 135,266,304 bytes, wanted at most",
    "deep-metrics": "metrics.json cannot be read as JSON",
    "big-step": "metrics.json cannot be read as JSON: it holds the number 1000",
    "many-capsules": "a run on 1,000 words takes .* numbers in memory, wanted at most 100,000,000",
    "small-poses": "its poses are 1 x 1, wanted 4 x 4",
    "parameters-of-401-digits": "metrics.json cannot be read as JSON: it holds the number",
    "parameters-of-31-digits": "metrics.json cannot be read as JSON: it holds the number",
    "samples-of-401-digits": "metrics.json cannot be read as JSON: it holds the number",
    "accuracy-nan": "metrics.json cannot be read as JSON: it holds the number nan",
    "words-of-401-digits": "config.json cannot be read as JSON: it holds the number",
    "dropout-infinite": "config.json cannot be read as JSON: it holds the number inf",
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_hostile_archive_is_refused_before_it_is_read(tmp_path, name):
    assert_refused(hostile_files.ARCHIVES[f"{name}.zip"](), tmp_path / "mine", REFUSED[name])


def test_sizes_of_a_tensor_are_bounded_before_they_are_multiplied(tmp_path):
    assert_refused(hostile_files.sizes_of_4300_digits(200), tmp_path / "mine", "it holds the number 9999")
    assert_refused(
        hostile_files.sound(n_capsules=101, d_capsule=1), tmp_path / "mine", "takes 1,010,000 cells of a picture"
    )


def test_an_archive_is_checked_without_making_its_network(tmp_path, monkeypatch):
    monkeypatch.setattr(Plan, "fill", None)
    content = hostile_files.sound(d_word=100, n_words=1000)
    assert unpack(io.BytesIO(content), "sound.zip", tmp_path / "sound").metrics.parameters > 100_000


def test_missing_settings_have_the_defaults_of_the_kind(tmp_path):
    assert unpack(io.BytesIO(hostile_files.sound()), "sound.zip", tmp_path / "a").model["normalize"] == "output"
    assert unpack(io.BytesIO(hostile_files.sound("cccaps")), "sound.zip", tmp_path / "b").model["routing"] == "kmeans"


@pytest.mark.parametrize("kind", sorted(hostile_files.SIZES))
def test_an_overflow_in_a_network_gives_an_error(tmp_path, kind):
    unpack(io.BytesIO(hostile_files.overflowing(kind)), "large.zip", tmp_path / "large")
    checkpoint = zoo.load_folder(tmp_path / "large", "cpu")
    pair = np.zeros((2, 96, 96), np.uint8)
    if kind == "cccaps":  # its capsules are squashed: whatever goes in, their lengths are at most 1
        assert np.isfinite(explain(checkpoint, "a good film").probabilities).all()
        return
    with pytest.raises(ValueError, match="The numbers of this network overflow"):
        explain(checkpoint, pair if kind == "em-smallnorb" else "a good film")
    if kind == "em-smallnorb":
        with pytest.raises(ValueError, match="The numbers of this network overflow"):
            class_capsules(checkpoint, pair[None])
    else:
        assert run_texts(checkpoint, ["a good film"])[0].error.startswith("The numbers of this network overflow")


def watch(build, built):
    """Extend the constructor of a network: note the device of its parameters in a list."""

    def watched(self, config):
        build(self, config)
        built.append(next(self.parameters()).device.type)

    return watched


@pytest.mark.parametrize("name", ["/etc", "../there", ".", "core", "core/zoo", "no/such", "a b", "x" * 10_000, 5])
def test_all_unknown_transformers_are_refused_in_the_same_words(tmp_path, name):
    folder = save_tiny(tmp_path / "made", "em-sst")
    packed = {path.name: path.read_bytes() for path in folder.iterdir()}
    words = r"^config\.json: backbone is .*, wanted all-MiniLM-L6-v2 or another transformer that is installed here$"
    assert_refused(change_config(packed, backbone=name), tmp_path / "mine", words)


def test_a_packed_head_does_not_name_its_transformer_s_folder(tmp_path, tiny_gpt2):
    folder = save_tiny(tmp_path / "made", "em-sst")
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    backbones = {"my-gpt2": str(tiny_gpt2)}
    about = unpack(io.BytesIO(zipped(change_config(files, backbone="my-gpt2"))), "x.zip", tmp_path / "first", backbones)
    assert about.reader["backbone"] == str(tiny_gpt2)
    archive = pack(tmp_path / "first")
    assert str(tiny_gpt2.parent).encode() not in zipfile.ZipFile(io.BytesIO(archive)).read("config.json")
    backbones = {tiny_gpt2.name: str(tiny_gpt2)}
    again = unpack(io.BytesIO(archive), "x.zip", tmp_path / "second", backbones)
    assert (again.sha256, again.reader) == (about.sha256, about.reader)


def test_bombs_and_paths_are_refused(files, tmp_path, monkeypatch):
    folder = tmp_path / "mine"
    assert_refused(b"", folder, "cannot be read as a zip archive")
    assert_refused(zipped(files)[:-30], folder, "cannot be read as a zip archive")
    assert_refused(zipped({f"{k}.txt": b"" for k in range(101)}), folder, "holds more than 100 entries")
    assert_refused(zipped({"../config.json": b"{}"}), folder, "a name that leads out")
    assert_refused(zipped({"/config.json": b"{}"}), folder, "a name that leads out")
    assert_refused(zipped(files, zipfile.ZIP_BZIP2), folder, "compressed by an unsupported method")
    assert_refused(zipped(files | {"b/config.json": b"{}"}), folder, "more than one checkpoint")
    assert_refused(
        zipped(files | {"config.json": b" " * (1 << 20)}), folder, "config.json has 1,048,576 bytes, wanted at most"
    )
    monkeypatch.setitem(archives.MAX_BYTES, "weights.safetensors", 1000)
    assert_refused(zipped(files), folder, "weights.safetensors has .* bytes, wanted at most 1,000")
    assert not (tmp_path / "config.json").exists()


def test_a_checkpoint_is_listed_and_a_transformer_is_not(tiny_folder, tiny_gpt2):
    (tiny_folder.parent / "gpt2").symlink_to(tiny_gpt2)
    described, broken = manifest.survey()
    assert described["tiny"].metrics.parameters > 100
    assert not broken
    assert list(manifest.transformers()) == ["gpt2"]
    assert "gpt2" not in described


def test_a_version_changes_with_the_words_and_the_classes(tiny_folder):
    before = manifest.describe("tiny").version
    assert manifest.describe("tiny").version == before
    config = json.loads((tiny_folder / "config.json").read_text())
    config["classes"] = config["classes"][::-1]
    (tiny_folder / "config.json").write_text(json.dumps(config))
    assert manifest.describe("tiny").version != before


ODD = [
    None,
    True,
    -1,
    0,
    3,
    51,
    10**6,
    10**30,
    0.5,
    -0.5,
    1e308,
    float("nan"),
    float("inf"),
    "",
    "uniform",
    [],
    [1],
    {},
]


@pytest.mark.parametrize("kind", sorted(TINY))
def test_odd_settings_are_read_or_refused(tmp_path, kind):
    folder = save_tiny(tmp_path / "made", kind)
    packed = {path.name: path.read_bytes() for path in folder.iterdir()}
    config = json.loads(packed["config.json"])
    settings = [("model", key) for key in config["model"]] + [("", key) for key in config]
    for (where, key), value in itertools.product(settings, ODD):
        changed = config | ({where: config[where] | {key: value}} if where else {key: value})
        try:
            about = add(packed | {"config.json": json.dumps(changed).encode()}, tmp_path / "mine")
        except ValueError as error:
            assert str(error)
            assert "\n" not in str(error)
        else:
            assert about.kind == kind
            shutil.rmtree(tmp_path / "mine")


def mutated(seed, chance):
    """A content with a few bytes changed, removed, repeated or inserted, most often near its ends."""
    content = bytearray(seed)
    for _ in range(chance.randint(1, 6)):
        near = chance.choice([80, 400, len(content)])
        at = chance.randrange(min(near, len(content)))
        at = at if chance.random() < 0.5 else len(content) - 1 - at
        how = chance.randrange(4)
        if how == 0:
            content[at] = chance.choice([0, 1, 127, 255, chance.randrange(256)])
        elif how == 1:
            del content[at : at + chance.randrange(1, 20)]
        elif how == 2:
            content[at:at] = content[at : at + chance.randrange(1, 100)]
        else:
            content[at:at] = chance.choice([b"PK\x01\x02", b"PK\x05\x06", b"\xff" * 8, b"\x00" * 4, b'"model"'])
    return bytes(content)


def test_mutated_archives_are_read_or_refused_in_little_memory(files, tmp_path):
    chance = random.Random("zip")
    inside = {name: mutated(content, chance) for name, content in files.items()}
    seeds = [zipped(files), zipped(files, zipfile.ZIP_STORED), zipped(inside), zipped(files | {"a/b.txt": b"x" * 9999})]
    unit = 1 if sys.platform == "darwin" else 1024
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    folder = tmp_path / "mine"
    for k in range(N):
        content = mutated(chance.choice(seeds), chance) if k % 2 else zipped(mutate_one(files, chance))
        try:
            unpack(io.BytesIO(content), "mine.zip", folder)
        except ValueError as error:
            assert str(error)
            assert "\n" not in str(error)
            assert not folder.exists()
        else:
            assert {path.name for path in folder.iterdir()} <= set(archives.MAX_BYTES)
            shutil.rmtree(folder)
    assert [path.name for path in tmp_path.iterdir()] == ["made"]
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit - before < MAX_GROWTH


def mutate_one(files, chance):
    """The files with one of them changed: a sound archive with an unsound file."""
    name = chance.choice(FILES)
    return files | {name: mutated(files[name], chance)}
