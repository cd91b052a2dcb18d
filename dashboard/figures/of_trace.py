"""A trace's picture from Python: as an Altair chart, or as the content of a file."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from core.trace import Trace
from dashboard.figures import export
from dashboard.figures.figure import Figure
from dashboard.figures.kinds import family_of
from dashboard.figures.plots import answers_without_name
from dashboard.figures.sheet import Heading, sheet
from dashboard.figures.standalone import stand_alone

if TYPE_CHECKING:
    import altair

FIXED = {".svg": export.to_svg, ".pdf": export.to_pdf, ".png": export.to_png}  # pictures of one step
NUMBERS: dict[str, Callable[[Trace], bytes]] = {".json": lambda trace: trace.to_json().encode(), ".npz": Trace.to_npz}
HTML = ".html"  # a page with a slider
ENDINGS = (*FIXED, HTML, *NUMBERS)


def plots(trace: Trace) -> tuple[str, ...]:
    """Names of the pictures of a trace; the first is the main one."""
    return tuple(family_of(trace).plots)


def chart(trace: Trace, name: str, step: int, settings: dict[str, Any]) -> "altair.VConcatChart":
    """A picture of a trace as an Altair chart, with a slider that begins at a step."""
    from dashboard.figures.chart import sheet_as_chart

    return sheet_as_chart({f"{name}, {trace.model}": _draw(trace, name, settings)}, {trace.along: step})


def content(trace: Trace, ending: str, name: str, step: int, text: str | None, settings: dict[str, Any]) -> bytes:
    """The content of a file with a picture of a trace, or with its numbers.

    Args:
        trace: the trace.
        ending: one of ``ENDINGS``.
        name: name of the picture.
        step: step that the picture shows, or at which the slider begins.
        text: text of the run, which stands below the title; None if it may not be in the file.
        settings: settings of the picture.

    Raises:
        ValueError: there are no files with this ending.
    """
    if ending not in ENDINGS:
        raise ValueError(f"A file cannot end with {ending!r}. It can end with: {', '.join(ENDINGS)}.")
    if ending in NUMBERS:
        return NUMBERS[ending](trace)
    figure, at = {name: _draw(trace, name, settings)}, {trace.along: step}
    if ending == HTML:
        edited = f"edited: {', '.join(trace.edits_in_words())}" if trace.edits else None
        return stand_alone(_heading(trace, text, edited), figure, chosen=at).encode()
    return FIXED[ending](sheet(figure, _heading(trace, text, answers_without_name(trace)[step - 1]), at))


def _heading(trace: Trace, *lines: str | None) -> Heading:
    """The network's name, and the lines that there are."""
    return Heading(trace.model, [line for line in lines if line])


def _draw(trace: Trace, name: str, settings: dict[str, Any]) -> Figure:
    return family_of(trace).plots[name](trace, **settings)
