"""Followers of the scrubber: a sentence, and the frames of a Plotly chart."""

from collections.abc import Sequence

from dashboard.components.component import Component
from dashboard.figures.standalone import DrawnComponent

_finding = Component("finding")
_frames = Component("frames")


def finding(key: str, sentences: list[str], param: str = "iteration") -> DrawnComponent:
    """Draw the sentence of the scrubber's step.

    Args:
        key: key of the component.
        sentences: one sentence per step.
        param: parameter of the scrubber.
    """
    part = sentence_part(sentences, param)
    _finding(key=key, data=part.data)
    return part


def sentence_part(sentences: Sequence[str], param: str = "iteration") -> DrawnComponent:
    """The component for a self-contained page, without drawing it here. Arguments as in ``finding``."""
    return DrawnComponent(_finding.source, {"sentences": list(sentences), "param": param, "start": len(sentences)})


def frames(key: str, chart: str, param: str = "view") -> None:
    """Make a Plotly chart show the frame of the scrubber's step.

    Args:
        key: key of the component.
        chart: key of the chart, which has one button per frame. The ``meta`` of its last trace is the frame's number.
        param: parameter of the scrubber.
    """
    _frames(key=key, data={"chart": chart, "param": param, "start": 1})
