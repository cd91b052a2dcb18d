"""metrics.json, the model card and the page say the same of every checkpoint."""

from pathlib import Path

import pytest

from core import manifest
from dashboard.screen.markdown import escape
from tests.dashboard.app import open_app

PAGES = {
    "dragg": "routing",
    "dragg-documents": "routing",
    "cccaps": "kmeans",
    "em-sst": "sentiment_capsules",
    "agt": "agt",
    "drnn": "drnn",
    "em-smallnorb": "smallnorb",
}
ROOT = Path(__file__).parents[2]
SHIPPED = sorted(path.name for path in manifest.PRETRAINED.iterdir() if (path / "metrics.json").is_file())


@pytest.mark.parametrize("name", SHIPPED)
def test_the_card_and_the_page_have_the_measured_numbers(name):
    about = manifest.describe(name)
    ours, theirs = about.metrics.test, about.metrics.paper.accuracy
    interval = "{:.1%} to {:.1%}".format(*ours.interval)
    card = (manifest.PRETRAINED / name / "README.md").read_text()
    assert f"| test | {ours.accuracy:.1%} | {interval} |" in card
    app = open_app(PAGES[about.kind])
    app.query_params["checkpoint"] = name
    app.run()
    assert not app.exception
    (shown,) = (caption.value for caption in app.sidebar.caption if "Test accuracy" in caption.value)
    assert f"Test accuracy {ours.accuracy:.1%} (95% interval {interval})" in shown
    assert f"{about.metrics.parameters:,} parameters" in shown
    if theirs is None:
        assert "in the paper" not in card
        assert "the paper's" not in shown
    else:
        assert f"| {theirs:.1%} |" in card
        assert f"the paper's {theirs:.1%}" in shown
    if theirs is not None:
        verdict, differs = about.metrics.verdict, about.metrics.paper.differs
        assert f": {verdict}, {escape(differs)}" in shown
        assert f"| {verdict}: {differs} |" in card
