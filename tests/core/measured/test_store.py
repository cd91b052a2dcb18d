"""Stored measurements: those shipped, and arrays that are not read."""

import json
import subprocess
import sys

import numpy as np
import pytest

from core.manifest import PRETRAINED
from core.measured import store

SHIPPED = [
    ("poses", "em-smallnorb"),
    ("grid", "em-smallnorb"),
    ("grid", "em-smallnorb-views"),
    ("built_in", "em-smallnorb"),
    ("elevations", "em-smallnorb-views"),
    ("features", "em-smallnorb"),
    ("selections", "agt-sst5"),
    ("constituents", "agt-sst5"),
]


@pytest.mark.parametrize(("quantity", "name"), SHIPPED)
def test_shipped_measurements_belong_to_the_shipped_weights(quantity, name):
    assert (PRETRAINED / name / f"{quantity}.npz").is_file()
    assert store.read(quantity, name) is not None


def test_built_in_toys_have_the_poses_of_the_rendered_test_split():
    built_in, test_toys = (store.read(quantity, "em-smallnorb") for quantity in ("built_in", "poses"))
    rows = [built_in["toys"].tolist().index(toy) for toy in test_toys["toys"].tolist()]
    measured = np.concatenate([test_toys["azimuth"], test_toys["elevation"]], 1)
    np.testing.assert_allclose(built_in["views"][rows], measured, rtol=1e-3, atol=1e-3)


def test_the_store_needs_no_pytorch():
    """The dashboard reads it before PyTorch is loaded."""
    script = "import sys; from core.measured import store; print('torch' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"


def test_arrays_with_different_numbers_of_layers_are_not_read(tiny_agt, tmp_path):
    name, shapes = tiny_agt.name, {"attention": (3, 20), "gates": (2, 20), "lengths": (3, 8)}
    folder = tmp_path / "models" / name
    (folder / "metrics.json").write_text('{"parameters": 1, "test": {"accuracy": null}, "paper": {"accuracy": 0.5}}')
    arrays = {array: np.zeros(shape) for array, shape in shapes.items()}
    arrays |= {
        "top_words": np.full((3, 10), "a"),
        "top_counts": np.zeros((3, 10)),
        "sentences": np.ones(1),
        "data": np.array("a test"),
    }
    sha256 = json.loads((folder / "config.json").read_text())["sha256"]
    store.save("selections", name, arrays, sha256)
    assert store.read("selections", name) is not None
    store.save("selections", name, arrays | {"lengths": np.zeros((4, 8))}, sha256)
    assert store.read("selections", name) is None
