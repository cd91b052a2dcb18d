"""The page smallNORB with a tiny network, and uploads to it."""

import pytest

from tests.dashboard.app import open_app
from tests.dashboard.smallnorb.shown import METRICS, NAME


@pytest.fixture
def model_folder(tmp_path, monkeypatch, add_model):
    """The folder of the tiny network."""
    monkeypatch.setenv("ROUTESCOPE_DATA", str(tmp_path / "data"))
    return add_model("em-smallnorb", NAME, metrics=METRICS)


@pytest.fixture
def app(model_folder, no_sweeps):
    """The smallNORB page on the tiny network, before its first run."""
    app = open_app("smallnorb")
    app.query_params["checkpoint"] = NAME
    return app


@pytest.fixture
def upload(app):
    """A function that uploads files, given by name, and returns the page."""
    app.query_params["source"] = "Your pictures"
    app.run()
    assert [info.value for info in app.info] == ["Upload pictures to begin."]

    def upload(files):
        given = [(name, content, "application/octet-stream") for name, content in files.items()]
        app.file_uploader(key="upload").set_value(given).run()
        assert not app.exception
        return app

    return upload
