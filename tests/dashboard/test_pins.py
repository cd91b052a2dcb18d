"""The file of pinned runs: it gives back the same runs, and any other file is refused in one sentence."""

import json
import random
from dataclasses import replace

import pytest

from dashboard.screen import pins
from dashboard.screen.pins import Pin, from_json, to_json

RUN = Pin(
    name="<b>mine</b>",
    note="why\nso",
    page="routing",
    model="dragg-sst5",
    weights="ab" * 32,
    text="Déjà vu 👩‍👩‍👧 </script>",
    address={
        "checkpoint": ["dragg-sst5"],
        "t": ["2"],
        "edit": ["drop:1", "-capsule:0", "replace:1=a=b"],
        "word": ["3"],
    },
)


def test_a_file_gives_back_the_same_runs():
    assert from_json(to_json([RUN, RUN]).encode()) == [RUN, RUN]
    assert from_json(to_json([]).encode()) == []


def test_the_step_and_the_edits_come_from_the_address():
    assert (RUN.step, RUN.edits) == (2, ("drop:1", "replace:1=a=b"))
    assert Pin("", "", "agt", "m", "", "", {"layer": ["²"], "t": ["x", "-1", "9" * 20]}).step is None


def test_every_pinned_run_gets_a_different_name():
    pins.keep([RUN, RUN, RUN])
    assert [pin.name for pin in pins.pins()] == [RUN.name, f"{RUN.name} (2)", f"{RUN.name} (3)"]


def test_a_pinned_run_knows_if_its_weights_have_changed(add_model):
    add_model("dragg")
    pin = Pin("", "", "routing", "tiny", pins.checkpoints.about("tiny").sha256, "a", {})
    assert pin.state == "same"
    add_model("dragg", normalize="input", n_capsules=2)
    assert pin.state == "changed"
    assert replace(RUN, model="nobody").state == "not here"


def changed(**entries):
    """A file of one run, with some of its entries changed."""
    stored = json.loads(to_json([RUN]))
    stored["runs"][0] |= entries
    return json.dumps(stored).encode()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (changed(note="\ud800"), "not JSON"),
        (b"[]", "no pinned runs"),
        (b'{"runs": []}', "no pinned runs"),
        (json.dumps({"format": pins.FORMAT, "runs": [[]]}).encode(), "Run 1 in the file has other entries"),
        (changed(more=1), "Run 1 in the file has other entries"),
        (changed(page="../../etc"), "there is no page"),
        (changed(page="corpus"), "there is no page"),
        (changed(address={"iterations": []}), "address holds something other than lists of texts"),
        (changed(name=3), "name is not text"),
        (changed(address=[]), "address holds something other than lists of texts"),
        (changed(address={"t": "2"}), "address holds something other than lists of texts"),
        (changed(address={"t": ["x" * (pins.MAX_VALUE + 1)]}), "address holds something other than lists of texts"),
        (changed(address={"t": ["1"] * 101}), "longer than a run can be"),
        (changed(text="x" * 1_000_001), "longer than a run can be"),
        (json.dumps({"format": pins.FORMAT, "runs": [{}] * 201}).encode(), "201 runs, wanted at most 200"),
        (b" " * (pins.MAX_FILE + 1), "bytes, wanted at most"),
    ],
    ids=range(19),
)
def test_another_file_is_refused_in_one_sentence(content, message):
    with pytest.raises(ValueError, match=message) as caught:
        from_json(content)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_any_bytes_are_read_or_refused():
    chance, seed = random.Random("pins"), to_json([RUN, RUN]).encode()
    for _ in range(1000):
        content = bytearray(seed)
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(content))
            content[at : at + chance.randrange(3)] = chance.choice([b"", b'"', b"{", b"[", b"null", b"1e999", b"\x00"])
        try:
            read = from_json(bytes(content))
        except ValueError as error:
            assert "\n" not in str(error)
        else:
            assert all(isinstance(pin.step, int | None) for pin in read)


def test_pins_are_never_larger_than_a_file_that_can_be_read(add_model, monkeypatch):
    add_model("dragg")
    pins.keep([])
    told = []
    monkeypatch.setattr(pins.st, "toast", lambda sentence, **_: told.append(sentence))
    for _ in range(7):
        pins.pin_run("routing", "tiny", "x" * 1_000_000, "?edit=" + "drop:0&edit=" * 50)
    assert told[0].startswith("Pinned (1).")
    assert told[-1].startswith("Pinned runs hold at most 5 MB with their texts.")
    kept = pins.pins()
    assert from_json(to_json(kept).encode()) == kept
