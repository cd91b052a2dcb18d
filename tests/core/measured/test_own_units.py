"""Units measured on a user's own texts."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from core import engines
from core.measured import own_units, store, unit_runs
from core.measured.own_units import OwnTexts
from core.networks import network_of
from tests.conftest import save_tiny
from tests.core.fit.files import write_rows

FILMS = [f"a {word} film" for word in ["good", "bad", "slow", "fine", "dull", "warm", "odd", "long", "new", "old"]]
HERE = partial(engines.local, workers=1)


@pytest.fixture
def tiny_in_folder(tmp_path, monkeypatch):
    """A checkpoint that other processes can load, too."""
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path / "models"))
    save_tiny(tmp_path / "models", "dragg", "tiny")
    unit_runs._load.cache_clear()
    return unit_runs._load("tiny", "cpu")


def test_rows_without_a_text_are_left_out(tmp_path):
    rows = [("1", FILMS[0]), ("2", ""), ("3", "  "), *((str(k), text) for k, text in enumerate(FILMS[1:], 4))]
    path = write_rows(tmp_path / "films.csv", [*rows, ("", "a last film")], ("id", "review"))
    own = own_units.read(path, "review", 100)
    assert (own.texts, own.numbers) == ([*FILMS, "a last film"], [1, *range(4, 14)])
    assert own.data == "the 11 texts of films.csv"
    few = own_units.read(path, "review", 3)
    assert (few.numbers, few.data) == ([1, 6, 10], "3 of the 11 texts of films.csv")


def test_the_arrays_name_the_rows_whose_texts_they_show(tiny_in_folder):
    own = OwnTexts([FILMS[0], " ", *FILMS[1:]], range(11, 22), "the 11 texts of films.csv")
    measured = own_units.measure(tiny_in_folder, own, "cpu", HERE)
    kept, shown = measured["units"], measured["shown"]
    assert str(kept["data"]) == "the 11 texts of films.csv, 1 of which cannot be read"
    assert kept["n"].tolist() == [10]
    assert set(kept["texts"].ravel()) <= set(shown["numbers"].tolist())
    texts = dict(zip(shown["numbers"].tolist(), shown["texts"].tolist(), strict=True))
    assert 12 not in texts  # has no word
    assert all(own.texts[number - 11] == text for number, text in texts.items())


def test_texts_in_chunks_give_the_runs_of_single_texts(tiny_in_folder, monkeypatch):
    monkeypatch.setattr(unit_runs, "CHUNK", 3)
    runs = unit_runs.run_texts(tiny_in_folder, FILMS, "cpu", HERE)
    for text, run in zip(FILMS, runs, strict=True):
        (single,) = network_of(tiny_in_folder).unit_runs(tiny_in_folder, [text])
        np.testing.assert_allclose(run.without, single.without, atol=1e-6)


def test_two_processes_give_the_same_numbers_as_one(tiny_in_folder):
    own = OwnTexts(FILMS, range(1, 11), "ten")
    one = own_units.measure(tiny_in_folder, own, "cpu", HERE)
    two = own_units.measure(tiny_in_folder, own, "cpu", partial(engines.local, workers=2, device="cpu"))
    for name, array in one["units"].items():
        if array.dtype.kind == "f":
            np.testing.assert_allclose(array, two["units"][name], atol=1e-5, err_msg=name)


def test_a_text_that_fails_does_not_spoil_its_batch(tiny_in_folder, monkeypatch):
    network, whole = network_of(tiny_in_folder), type(network_of(tiny_in_folder)).unit_runs

    def fail_on_old(self, checkpoint, texts):
        if any("old" in text for text in texts):
            raise ValueError("overflow")
        return whole(self, checkpoint, texts)

    monkeypatch.setattr(type(network), "unit_runs", fail_on_old)
    runs = dict(unit_runs.run_units(tiny_in_folder, FILMS))
    assert [k for k, run in runs.items() if run is None] == [9]


def test_too_few_texts_are_refused_in_one_sentence(tiny_in_folder):
    own = OwnTexts([*FILMS[:9], "\n"], range(1, 11), "the 10 texts of films.csv")
    wanted = "the 10 texts of films.csv: 9 can be read, wanted at least 10 with a word"
    with pytest.raises(ValueError, match=wanted):
        own_units.measure(tiny_in_folder, own, "cpu", HERE)


def test_a_network_of_pictures_reads_no_texts(tmp_path, monkeypatch):
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path / "models"))
    save_tiny(tmp_path / "models", "em-smallnorb", "toys")
    unit_runs._load.cache_clear()
    with pytest.raises(ValueError, match="reads"):
        own_units.measure(unit_runs._load("toys", "cpu"), OwnTexts(FILMS, range(10), "ten"), "cpu", HERE)


def test_long_texts_are_kept_in_part_and_stay_readable(tiny_in_folder, tmp_path):
    texts = [f"{film} {'x' * 2000}" for film in FILMS]
    measured = own_units.measure(tiny_in_folder, replace(OwnTexts(FILMS, range(10), "ten"), texts=texts), "cpu", HERE)
    assert {len(text) for text in measured["shown"]["texts"]} == {own_units.MAX_SHOWN + 1}
    for quantity, arrays in measured.items():
        store.save_in(tmp_path, quantity, arrays, "sum")
        assert store.read_in(tmp_path, quantity, "sum") is not None
        assert store.read_in(tmp_path, quantity, "other") is None
