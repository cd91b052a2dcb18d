"""Published numbers are confirmed, or differ, or are not checked."""

import json

import pytest

from core import check, manifest
from core.__main__ import main
from core.check import Found
from core.measured import store


@pytest.fixture
def measured(tiny_folder, trees, monkeypatch, capsys):
    """The folder of a checkpoint whose answers to a small treebank are kept."""
    monkeypatch.setenv("ROUTESCOPE_DATA", str(trees.parent))
    assert main(["evaluate", "tiny", "--keep"]) == 0
    capsys.readouterr()
    return tiny_folder


def test_equations_and_kept_answers_are_confirmed(measured, capsys):
    assert main(["check", "tiny"]) == 0
    equations, accuracy, total = capsys.readouterr().out.splitlines()
    assert equations == "confirmed    picture of tiny: 135 of 135 numbers of a run equal the paper's equations"
    assert accuracy.startswith("confirmed    test accuracy of tiny, ")
    assert ": 4 of 4 answers are those kept, and " in accuracy
    assert total == "2 published numbers confirmed, 0 not checked"


def test_other_answers_than_those_kept_differ(measured, capsys):
    kept = store.read("answers", "tiny")
    arrays = {name: kept[name] for name in ("bits", "n", "data")} | {"bits": ~kept["bits"]}
    store.save("answers", "tiny", arrays, manifest.describe("tiny").sha256)
    assert main(["check", "tiny"]) == 2
    printed = capsys.readouterr()
    assert "differs      test accuracy of tiny, " in printed.out
    assert ": 0 of 4 answers are those kept" in printed.out
    assert printed.err == "core: 1 published number differs from what is found here\n"


def test_a_picture_with_other_numbers_differs(measured, monkeypatch):
    monkeypatch.setattr(check, "work", lambda *args: [])
    picture = next(iter(check.check(["tiny"])))
    assert picture.result is Found.DIFFERS


def test_without_the_data_nothing_is_checked(measured, monkeypatch, tmp_path):
    monkeypatch.setenv("ROUTESCOPE_DATA", str(tmp_path / "nowhere"))
    *_, accuracy = check.check(["tiny"])
    assert accuracy.result is Found.NOT_CHECKED
    assert "nowhere" in accuracy.here


def test_evidence_of_other_weights_differs(measured):
    evidence = json.loads((manifest.PRETRAINED / "dragg-sst5" / "evidence.json").read_text())
    (measured / "evidence.json").write_text(json.dumps(evidence))
    badge = next(iter(check.check(["tiny"])))
    assert (badge.result, badge.here) == (Found.DIFFERS, "its evidence is that of other weights")


def test_table_7_is_confirmed(monkeypatch):
    monkeypatch.setattr(manifest, "folders", dict)
    (counts,) = check.check()
    assert (counts.result, counts.here) == (Found.CONFIRMED, "48 of 48 counts agree")


def test_a_few_samples_are_evenly_spaced(measured):
    *_, accuracy = check.check(["tiny"], n=2)
    assert "2 of 2 answers are those kept" in accuracy.here
