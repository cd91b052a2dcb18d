"""The folder that ``push`` writes for the Hugging Face Hub, and the front matter of cards."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from huggingface_hub import ModelCard

from core import explain, zoo
from core.__main__ import main
from core.datasets import CORPORA
from core.fit.own_file import OwnFile
from core.manifest import PRETRAINED, describe
from core.zoo.front_matter import front_matter, without

SHIPPED = sorted(path.parent.name for path in PRETRAINED.glob("*/README.md"))
NOTES = "\nMy notes.\n"


def push(name, folder):
    return main(["push", name, "--to", str(folder)])


@pytest.mark.parametrize("name", SHIPPED)
def test_the_hub_reads_the_front_matter_of_each_card(name):
    data, about = ModelCard.load(PRETRAINED / name / "README.md").data, describe(name)
    assert (data.license, data.library_name, data.metrics) == ("mit", "routescope", ["accuracy"])
    assert data.pipeline_tag == ("image" if "smallnorb" in name else "text") + "-classification"
    (result,) = data.eval_results  # raises for a result that the Hub would refuse
    assert data.model_name == name
    assert result.metric_value == pytest.approx(about.metrics.test.accuracy, abs=1e-4)
    assert f"{about.metrics.test.n:,} samples" in result.metric_name
    known = {corpus.hub for corpus in CORPORA.values()} - {""}
    assert (data.datasets is None) == ("smallnorb" in name)  # its toys are rendered
    assert set(data.datasets or ()) <= known
    assert (result.dataset_type in known) == (data.datasets is not None)


def test_a_card_states_the_terms_of_its_datasets():
    card = (PRETRAINED / "drnn-ag" / "README.md").read_text()
    assert "AG's News is for research and other non-commercial use; DBpedia is under CC BY-SA 3.0." in card


@pytest.mark.parametrize("name", [name for name, corpus in CORPORA.items() if corpus.terms])
def test_terms_are_those_that_the_page_on_datasets_states(name):
    page = (PRETRAINED.parent / "core/training/README.md").read_text()
    (row,) = [line for line in page.splitlines() if line.startswith(f"| `{name}` |")]
    assert f"| {re.sub('^is (under )?', '', CORPORA[name].terms)} |" in row


def test_front_matter_states_only_what_is_on_record(tiny_folder):
    data = ModelCard(front_matter("tiny", describe("tiny")) + "\n# tiny\n").data.to_dict()
    assert data.keys() == {"library_name", "pipeline_tag", "tags", "metrics"}


@pytest.mark.parametrize("card", ["# x\n", "---\nno end", "", "# x\n\n---\n\ntext"])
def test_a_card_without_front_matter_stays_as_it_is(card):
    assert without(card) == card
    assert without(f"---\nlicense: mit\n---\n\n{card}") == card


@pytest.mark.parametrize("name", ["dragg-sst5", "cccaps-ag", "em-smallnorb-views"])
def test_a_pushed_folder_loads_as_it_is(name, tmp_path, capsys):
    to = tmp_path / "new" / "folder"
    assert push(name, to) == 0
    assert f"hf upload YOU/{name}" in capsys.readouterr().out
    pushed, own = zoo.load(to, "cpu"), zoo.load(name, "cpu")
    sample = np.zeros((2, 96, 96), np.uint8) if name == "em-smallnorb-views" else "A warm and funny film."
    assert np.array_equal(explain(pushed, sample).probabilities, explain(own, sample).probabilities)
    files = {path.relative_to(PRETRAINED / name) for path in (PRETRAINED / name).rglob("*") if path.is_file()}
    assert {path.relative_to(to) for path in to.rglob("*") if path.is_file()} == {*files, Path(".gitattributes")}
    assert "*.safetensors filter=lfs" in (to / ".gitattributes").read_text()
    card = ModelCard.load(to / "README.md")
    assert card.data.model_name == name
    assert f'zoo.load(Path("{name}"))' in card.text
    for path in to.rglob("*"):
        assert path.is_dir() or str(PRETRAINED).encode() not in path.read_bytes()


def test_a_push_replaces_an_earlier_one_and_nothing_else(tmp_path, capsys):
    to = tmp_path / "clone"
    (to / ".git").mkdir(parents=True)
    (to / ".gitattributes").write_text("*.bin filter=lfs\n")  # what an empty repository of the Hub has
    assert push("dragg-sst2", to) == 0
    (to / "features.npz").write_bytes(b"of earlier weights")
    assert push("dragg-sst2", to) == 0
    assert not (to / "features.npz").exists()
    assert push("dragg-sst5", to) == 2
    (to / "notes.txt").write_text(NOTES)
    assert push("dragg-sst2", to) == 2
    other = tmp_path / "mine"
    other.mkdir()
    (other / "README.md").write_text(NOTES)
    assert push("dragg-sst2", other) == 2
    assert push("dragg-sst2", other / "README.md") == 2
    assert push("dragg-sst2", PRETRAINED / "dragg-sst2") == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 5
    assert sum("has other files" in line for line in lines) == 4
    assert (other / "README.md").read_text() == (to / "notes.txt").read_text() == NOTES
    assert zoo.load(to, "cpu").name == "clone"


def test_a_push_holds_no_text_of_its_users_file(tiny_folder, tmp_path):
    config, secret = json.loads((tiny_folder / "config.json").read_text()), "A secret review."
    (tiny_folder / "config.json").write_text(json.dumps(config | {"corpus": "reviews.csv"}))
    metrics = {"parameters": 1, "test": {"accuracy": 0.5, "n": 12}, "paper": {"accuracy": None}}
    (tiny_folder / "metrics.json").write_text(json.dumps(metrics))
    OwnFile("reviews.csv", "0", "review", "stars", (secret,), ("good",)).save(tiny_folder)
    np.savez(tiny_folder / "shown.npz", texts=np.array([secret]))
    np.savez(tiny_folder / "units.npz", data=np.array("the 12 held-out texts of reviews.csv"))
    to = tmp_path / "pushed"
    assert push("tiny", to) == 0
    data = ModelCard.load(to / "README.md").data
    assert data.license is None  # its owner chooses one
    assert (data.eval_results[0].dataset_type, data.eval_results[0].metric_value) == ("own-texts", 0.5)
    stored = "".join(_texts(to))
    assert "held-out texts" in stored
    assert secret not in stored


def test_a_push_has_only_the_name_of_a_transformers_folder(tiny_folder, tmp_path):
    config = tiny_folder / "config.json"
    config.write_text(json.dumps(json.loads(config.read_text()) | {"backbone": "/home/me/my-gpt2"}))
    assert push("tiny", tmp_path / "pushed") == 0
    assert json.loads((tmp_path / "pushed/config.json").read_text())["backbone"] == "my-gpt2"
    assert "/home/me" not in "".join(_texts(tmp_path / "pushed"))


def _texts(folder):
    """Yield the texts in the files of a folder; those in arrays, too."""
    for path in folder.rglob("*"):
        if path.suffix == ".npz":
            with np.load(path) as arrays:
                yield from (
                    str(word) for name in arrays for word in arrays[name].ravel() if arrays[name].dtype.kind == "U"
                )
        elif path.suffix in (".json", ".md"):
            yield path.read_text()
