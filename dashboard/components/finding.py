"""What follows the scrubber besides the charts with its parameter: a sentence, and the frames of a Plotly chart."""

from collections.abc import Sequence

from dashboard.components.component import Component
from dashboard.figures.standalone import Part

_finding = Component("finding")
_frames = Component("frames")


def finding(key: str, sentences: list[str], param: str = "iteration") -> Part:
    """Draw one sentence a step: the one of the scrubber's step."""
    part = sentence_part(sentences, param)
    _finding(key=key, data=part.data)
    return part


def sentence_part(sentences: Sequence[str], param: str = "iteration") -> Part:
    """One sentence a step for a page that stands alone, not drawn here. Arguments as in ``finding``."""
    return Part(_finding.source, {"sentences": list(sentences), "param": param, "start": len(sentences)})


def frames(key: str, chart: str, param: str = "view") -> None:
    """Make a Plotly chart show the frame of the scrubber's step.

    Args:
        chart: key of the chart, which has a button for each frame. The ``meta`` of its last trace is the frame's
            number.
        param: of the scrubber.
    """
    _frames(key=key, data={"chart": chart, "param": param, "start": 1})
