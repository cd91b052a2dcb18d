"""Archives carry the units of a network: hash-bound, checked as everything, and kept apart from measured ones."""

import io
import tracemalloc
import zipfile

import numpy as np
import pytest

from core import manifest
from core.measured import carried, store, units
from core.measured.units import measure_reading
from core.zoo import load_folder
from core.zoo.archive import pack, unpack
from tests.archives import zipped
from tests.conftest import save_tiny

TEXTS = [f"a {word} film , {word} and dull {'long ' * k}." for k in range(3) for word in ("good", "bad", "fine", "odd")]
HUGE = {"shape": (10**12,), "descr": "<f8", "fortran_order": False}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A tiny network with measured units."""
    folder = save_tiny(tmp_path_factory.mktemp("made"))
    checkpoint = load_folder(folder, "cpu")
    measured = {"units": units.measure(checkpoint, TEXTS), "reading": measure_reading(checkpoint, folder)[0]}
    for quantity, arrays in measured.items():
        store.save_in(folder, quantity, arrays | {"data": np.array("12 texts")}, checkpoint.sha256)
    store.save_in(folder, "shown", {"numbers": np.array([0]), "texts": np.array(["secret"]), "data": np.array("")}, "x")
    return folder


@pytest.fixture
def files(folder):
    """The files of its archive by name."""
    archive = zipfile.ZipFile(io.BytesIO(pack(folder)))
    return {name: archive.read(name) for name in archive.namelist()}


def add(files, folder):
    return unpack(io.BytesIO(zipped(files)), "mine.zip", folder)


def sha256(folder):
    return manifest.describe_folder(folder).sha256


def test_units_are_carried_and_stay_apart_from_measured_ones(folder, files, tmp_path):
    assert {"units.npz", "reading.npz"} <= files.keys()
    assert "shown.npz" not in files  # a user's own texts
    about = add(files, tmp_path / "mine")
    for quantity in carried.CARRIED:
        assert store.read_in(tmp_path / "mine", quantity, about.sha256) is None
        stated = store.read_in(tmp_path / "mine", f"{quantity}{store.STATED}", about.sha256)
        measured = store.read_in(folder, quantity, sha256(folder))
        assert stated.keys() == measured.keys()
        for name, array in measured.items():
            np.testing.assert_array_equal(stated[name], array)


def test_units_of_other_weights_are_not_packed(folder, tmp_path):
    other = save_tiny(tmp_path / "other", n_capsules=4)
    (other / "units.npz").write_bytes((folder / "units.npz").read_bytes())
    (other / "reading.npz").write_bytes(b"damaged")
    assert not {"units.npz", "reading.npz"} & {*zipfile.ZipFile(io.BytesIO(pack(other))).namelist()}


def changed(content, **arrays):
    """A file of arrays with some of them replaced; None leaves one out."""
    with np.load(io.BytesIO(content)) as file:
        kept = {name: file[name] for name in file} | arrays
    out = io.BytesIO()
    np.savez_compressed(out, **{name: array for name, array in kept.items() if array is not None})
    return out.getvalue()


def with_member(content, name, member):
    """A file of arrays in which the bytes of one are replaced."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return zipped({one: archive.read(one) for one in archive.namelist()} | {f"{name}.npy": member})


def header(**entries):
    """The bytes of an array with this header and hardly any content."""
    out = io.BytesIO()
    np.lib.format.write_array_header_1_0(out, entries)
    return out.getvalue() + bytes(8)


BAD = {
    "other weights": (lambda c: changed(c, sha256=np.array("0" * 64)), "measured with other weights"),
    "missing": (lambda c: changed(c, lift=None), "the array lift is missing"),
    "shape": (lambda c: changed(c, matters=np.zeros(2)), "an array has another shape"),
    "not finite": (lambda c: changed(c, low=np.full(3, np.nan)), "not finite"),
    "pickled": (lambda c: changed(c, names=np.array([print, 1, 2], object)), "the array names is damaged"),
    "numbers for text": (lambda c: changed(c, names=np.zeros(3)), "names has the type float64, wanted text"),
    "text for numbers": (lambda c: changed(c, low=np.array(["a"] * 3)), "low has the type <U1, wanted numbers"),
    "classes": (
        lambda c: changed(c, **dict.fromkeys(("effect", "effect_low", "effect_high"), np.zeros((3, 2)))),
        "on 5",
    ),
    "samples": (lambda c: changed(c, n=np.array([10**12])), "wanted 1 to "),
    "bits": (lambda c: changed(c, n=np.array([90])), "a bit for each sample"),
    "numbers": (lambda c: changed(c, numbers=np.array([1, 1, 2])), "all different"),
    "places": (lambda c: changed(c, texts=np.full((3, 10, 3), 10**7)), "numbers of samples below"),
    "large": (lambda c: changed(c, matters=np.full(3, 1e300)), "numbers that can be shown"),
    "lines": (lambda c: changed(c, names=np.array(["a\nb", "", ""])), "a text of several lines"),
    "long": (lambda c: changed(c, rules=np.array(["a" * 9999, "", ""])), "more than 400 characters"),
    "alike": (lambda c: changed(c, alike=np.array(["<b>", "", ""])), "another text than a measurement gives"),
    "aims": (lambda c: changed(c, aims=np.array(["x", "active", "active"])), "another text than a measurement gives"),
    "header": (lambda c: with_member(c, "low", header(**HUGE)), "the array low is damaged"),
    "no bytes": (lambda c: with_member(c, "names", header(**HUGE | {"descr": "<U0"})), "the array names is damaged"),
    "object": (lambda c: with_member(c, "low", header(**HUGE | {"descr": "|O", "shape": (1,)})), "low is damaged"),
    "magic": (lambda c: with_member(c, "low", b"\x93NUMPY\x09\x00"), "the array low is damaged"),
    "bomb": (lambda c: with_member(c, "low", bytes(33 << 20)), "the array low has more than 32 MB"),
    "no archive": (lambda c: b"PK" + c, None),
    "nothing": (lambda c: b"", "is empty or damaged"),
    "cut": (lambda c: c[:-40], "cannot be read as a zip archive"),
    "path": (lambda c: zipped({"../low.npy": b"a"}), "leads out of the archive"),
}


@pytest.mark.parametrize("what", BAD)
def test_harmful_units_are_refused_in_one_sentence(files, tmp_path, what):
    spoil, message = BAD[what]
    content = spoil(files["units.npz"])
    folder = tmp_path / "mine"
    tracemalloc.start()
    try:
        if message is None:  # zip files may begin with anything
            assert add(files | {"units.npz": content}, folder)
            return
        with pytest.raises(ValueError, match=message) as caught:
            add(files | {"units.npz": content}, folder)
        assert tracemalloc.get_traced_memory()[1] < 150 << 20
    finally:
        tracemalloc.stop()
    assert str(caught.value).startswith(("units.npz", '"units.npz"'))
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400
    assert str(tmp_path) not in str(caught.value)
    assert not folder.exists()


def test_a_sentence_that_the_program_lacks_is_refused(files, tmp_path):
    texts = np.full((3, 10, 3), 500)  # sentences count from 0
    with pytest.raises(ValueError, match=r"reading\.npz: wanted numbers of samples below 500"):
        add(files | {"reading.npz": changed(files["reading.npz"], texts=texts)}, tmp_path / "mine")


def test_each_shipped_network_could_be_carried(tmp_path):
    for name, folder in manifest.folders().items():
        about = manifest.describe(name)
        for quantity in carried.CARRIED:
            if (folder / f"{quantity}.npz").is_file() and folder.parent == manifest.PRETRAINED:
                carried.read(folder / f"{quantity}.npz", quantity, about.sha256, len(about.classes))
