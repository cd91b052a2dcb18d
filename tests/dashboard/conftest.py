"""What tests of pages share: no measured sweeps, and networks of the user's own."""

import functools
import json

import pytest
from streamlit.components.v2 import manifest_scanner

from dashboard.runs import checkpoints
from dashboard.sessions import owned
from tests.conftest import save_tiny

METRICS = {"parameters": 1, "test": {"accuracy": None}, "paper": {"accuracy": None}}


@pytest.fixture(scope="session", autouse=True)
def _components_are_looked_for_once():
    """An ``AppTest`` reads the metadata of all installed packages, a fifth of a second long: the first for all."""
    with pytest.MonkeyPatch.context() as patch:
        scan = functools.cache(manifest_scanner.scan_component_manifests)
        patch.setattr(manifest_scanner, "scan_component_manifests", scan)
        yield


@pytest.fixture(autouse=True)
def _end_sessions():
    """The pages of one test are of one session, and those of the next test of another."""
    yield
    owned.end(owned.owners())


@pytest.fixture
def add_model(tmp_path, monkeypatch):
    """A function that saves a tiny network beside the shipped ones, and returns its folder.

    It takes the kind of the network, and what ``save_tiny`` takes besides; and the network's metrics.
    """
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path / "models"))

    def add(kind, name="", metrics=METRICS, **settings):
        folder = save_tiny(tmp_path / "models", kind, name, **settings)
        (folder / "metrics.json").write_text(json.dumps(metrics))
        checkpoints.survey.clear()
        return folder

    yield add
    checkpoints.survey.clear()
