"""The page over a tiny network, and uploads to it."""

import json

import pytest

from dashboard.runs import checkpoints, pictures
from tests.conftest import save_tiny
from tests.dashboard.app import open_app
from tests.dashboard.smallnorb.shown import (
    METRICS,
    NAME,
)


@pytest.fixture
def models(tmp_path, monkeypatch):
    """Where the tiny network lies."""
    folder = save_tiny(tmp_path / "models", "em-smallnorb", NAME)
    (folder / "metrics.json").write_text(json.dumps(METRICS))
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(folder.parent))
    monkeypatch.setenv("ROUTESCOPE_DATA", str(tmp_path / "data"))
    for cached in (checkpoints.survey, pictures._official_toy):
        cached.clear()
    yield folder
    for cached in (checkpoints.survey, pictures._official_toy):
        cached.clear()


@pytest.fixture
def app(models):
    app = open_app("smallnorb")
    app.query_params["checkpoint"] = NAME
    return app


@pytest.fixture
def upload(app):
    app.query_params["source"] = "Your pictures"
    app.run()
    assert [info.value for info in app.info] == ["Nothing is uploaded yet."]

    def upload(files):
        given = [(name, content, "application/octet-stream") for name, content in files.items()]
        app.file_uploader(key="upload").set_value(given).run()
        assert not app.exception
        return app

    return upload
