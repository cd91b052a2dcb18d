"""Shared setup of the tests of pages."""

import functools
import json

import pytest
from streamlit.components.v2 import manifest_scanner

from dashboard.runs import checkpoints
from dashboard.sessions import owned
from tests.conftest import save_tiny

METRICS = {"parameters": 1, "test": {"accuracy": None}, "paper": {"accuracy": None}}


@pytest.fixture(scope="session", autouse=True)
def _scan_components_once():
    """Let all tests share one scan of the installed packages, which would take each ``AppTest`` a fifth of a second."""
    with pytest.MonkeyPatch.context() as patch:
        scan = functools.cache(manifest_scanner.scan_component_manifests)
        patch.setattr(manifest_scanner, "scan_component_manifests", scan)
        yield


@pytest.fixture(autouse=True)
def _end_sessions():
    """End all sessions after each test, so that the next test has a new one."""
    yield
    owned.end(owned.owners())


@pytest.fixture
def add_model(tmp_path, monkeypatch):
    """A function that saves a tiny network as a user's checkpoint, and returns its folder.

    It takes the arguments of ``save_tiny``, and the network's metrics.
    """
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path / "models"))

    def add(kind, name="", metrics=METRICS, **settings):
        folder = save_tiny(tmp_path / "models", kind, name, **settings)
        (folder / "metrics.json").write_text(json.dumps(metrics))
        checkpoints.survey.clear()
        return folder

    yield add
    checkpoints.survey.clear()
