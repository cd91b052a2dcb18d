"""Imports the networks of EM routing with the weights that their author published, for tests."""

from pathlib import Path

import numpy as np
import pytest

from core import zoo
from core.zoo import heinsen
from core.zoo.__main__ import main

PUBLISHED = Path(__file__).parents[3] / "shared" / "published" / "heinsen2019"


def import_published(name, tmp_path, method="auto"):
    """Import the author's weights with the command, and return the checkpoint and the expected results.

    Args:
        name: name of the network.
        tmp_path: folder for the checkpoint.
        method: method of the routing to the parts; "auto" for that of the checkpoint.
    """
    if not PUBLISHED.is_dir():
        pytest.skip(f"no published weights in {PUBLISHED}")
    file = PUBLISHED / f"{name}_pretrained_model_state_dict.pt"
    assert main(["import-heinsen", str(file), "--name", name, "--out", str(tmp_path)]) == 0
    published = next(published for published in heinsen.PUBLISHED.values() if published.name == file.name)
    assert zoo.describe_folder(tmp_path / name).sha256 == published.weights
    checkpoint = zoo.load_folder(tmp_path / name, "cpu")
    if method != "auto":
        checkpoint.model.to_parts.method = method
    return checkpoint, np.load(PUBLISHED / "expected.npz")
