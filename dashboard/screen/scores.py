"""A checkpoint's accuracy in words: who measured it, and the paper's next to it."""

from core.scores import Metrics, Score
from dashboard.figures.vega import STATED
from dashboard.screen.markdown import escape


def sentence_on(metrics: Metrics) -> str:
    """Test accuracy with its interval, and the paper's. It says so where only an archive states them. Escaped."""
    stated = metrics.stated if metrics.stated and metrics.stated.test.accuracy is not None else None
    if metrics.test.accuracy is not None:
        theirs = f", measured here; {stated.test.accuracy:.1%} is {STATED}" if stated else ""
        return f"{_scores(metrics)}{_verdict(metrics)}{theirs}"
    if stated:
        return f"{STATED.capitalize()}: {_scores(stated)[:1].lower()}{_scores(stated)[1:]}"
    return f"Test accuracy not measured here{_of_paper(metrics.paper)}"


def _scores(metrics: Metrics) -> str:
    test = metrics.test
    interval = " (95% interval {:.1%} to {:.1%})".format(*test.interval) if test.interval else ""
    return f"Test accuracy {test.accuracy:.1%}{interval}{_of_paper(metrics.paper)}"


def _of_paper(paper: Score) -> str:
    source = f" ({escape(paper.source)})" if paper.source else ""
    return "" if paper.accuracy is None else f", the paper's {paper.accuracy:.1%}{source}"


def _verdict(metrics: Metrics) -> str:
    differs = f", {escape(metrics.paper.differs)}" if metrics.paper.differs else ""
    return f": {metrics.verdict}{differs}" if metrics.verdict else ""
