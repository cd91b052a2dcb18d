"""metrics.json, the model card and the page say the same about every checkpoint."""

from pathlib import Path

import pytest

from core import manifest
from dashboard.runs import checkpoints
from dashboard.screen.markdown import escape
from tests.dashboard.app import open_app, shown_as_markdown

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

FIRST_OF_KINDS = {manifest.describe(name).kind: name for name in reversed(SHIPPED)}.values()  # one checkpoint per kind


def interval_of(metrics):
    return "{:.1%} to {:.1%}".format(*metrics.test.interval)


def test_the_cards_have_the_measured_numbers():
    for name in SHIPPED:
        metrics = manifest.describe(name).metrics
        card = (manifest.PRETRAINED / name / "README.md").read_text()
        assert f"| test | {metrics.test.accuracy:.1%} | {interval_of(metrics)} |" in card
        if metrics.paper.accuracy is None:
            assert "in the paper" not in card
        else:
            assert f"| {metrics.paper.accuracy:.1%} |" in card
            assert f"| {metrics.verdict}: {metrics.paper.differs} |" in card


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in FIRST_OF_KINDS else pytest.mark.slow) for name in SHIPPED]
)
def test_the_page_has_the_measured_numbers(name):
    about = manifest.describe(name)
    if about in checkpoints.waiting()[0]:
        pytest.skip(f"wants {checkpoints.waiting()[1]}")
    ours, theirs = about.metrics.test, about.metrics.paper.accuracy
    app = open_app(PAGES[about.kind])
    app.query_params.update({"checkpoint": name, "tab": "Card"})
    app.run()
    assert not app.exception
    (shown,) = (text for text in shown_as_markdown(app) if "Test accuracy" in text and "parameters" in text)
    assert f"Test accuracy {ours.accuracy:.1%} (95% interval {interval_of(about.metrics)})" in shown
    assert f"{about.metrics.parameters:,} parameters" in shown
    if theirs is None:
        assert "In the paper: " not in shown
    else:
        assert f". In the paper: {theirs:.1%}" in shown
        assert f". Verdict: {about.metrics.verdict} ({escape(about.metrics.paper.differs)})" in shown
