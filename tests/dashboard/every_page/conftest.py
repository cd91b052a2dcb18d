"""Each page in turn, before its first run."""

import pytest

from tests.dashboard.app import open_app
from tests.dashboard.every_page.pages import PAGES


@pytest.fixture
def page(request):
    return PAGES[request.param]


@pytest.fixture
def app(page, no_sweeps, add_model):
    """The page, with no measurements except those that are shipped with its checkpoint."""
    app = open_app(page.folder)
    if page.kind:
        add_model(page.kind)
        app.query_params["checkpoint"] = page.checkpoint
    return app
