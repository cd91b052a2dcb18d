"""A trace's picture from Python: as an Altair chart, or as a file that proves itself."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.files import write
from core.provenance.record import DrawnRun, Provenance
from core.provenance.seal import holds_records, seal
from core.trace import Trace
from dashboard.figures import export
from dashboard.figures.figure import Figure
from dashboard.figures.kinds import family_of
from dashboard.figures.plots import answers
from dashboard.figures.sheet import Heading, sheet
from dashboard.figures.standalone import stand_alone

if TYPE_CHECKING:
    import altair

FIXED = {".svg": export.to_svg, ".pdf": export.to_pdf, ".png": export.to_png}
NUMBERS: dict[str, Callable[[Trace], bytes]] = {".json": lambda trace: trace.to_json().encode(), ".npz": Trace.to_npz}
HTML = ".html"
ENDINGS = (*FIXED, HTML, *NUMBERS)


def plots(trace: Trace) -> tuple[str, ...]:
    """Names of the pictures of a trace; the first is the main one."""
    return tuple(family_of(trace).plots)


def chart(trace: Trace, name: str, step: int, settings: dict[str, Any]) -> "altair.VConcatChart":
    """A picture of a trace as an Altair chart, with a slider that begins at a step."""
    from dashboard.figures.chart import sheet_as_chart

    return sheet_as_chart({f"{name}, {trace.model}": _draw(trace, name, settings)}, {trace.along: step})


def save(trace: Trace, path: Path, name: str, step: int, with_text: bool, settings: dict[str, Any]) -> None:
    """Write a file with a picture of a trace, or with its numbers.

    Args:
        trace: the trace.
        path: file, which is replaced; it ends with one of ``ENDINGS``: a picture, a page with a slider, or numbers.
        name: name of the picture.
        step: step that the picture shows, or at which the slider begins.
        with_text: whether the text is written in the file.
        settings: settings of the picture.

    Raises:
        ValueError: the name of the file has another ending, or the trace does not know its text.
        OSError: the file cannot be written.
    """
    if (ending := path.suffix.lower()) not in ENDINGS:
        raise ValueError(f"{path.name} has no ending of a file that can be made: {', '.join(ENDINGS)}.")
    if with_text and trace.origin is None:
        raise ValueError("This trace does not know its text: it was read from a file, copied, or made from pictures.")
    text = trace.origin.text if with_text and trace.origin else None
    edited = f"{trace.model}, edited: {', '.join(trace.edits_in_words())}" if trace.edits else ""
    lines = [*filter(None, [text, answers(trace)[step - 1] if ending in FIXED else edited])]
    write(path, content(trace, ending, name, step, Heading(trace.model, lines), text, settings))


def content(
    trace: Trace, ending: str, name: str, step: int, heading: Heading, text: str | None, settings: dict[str, Any]
) -> bytes:
    """The content of such a file, with a record if its format can hold one.

    Args:
        trace, name, step, settings: as in ``save``.
        ending: one of ``ENDINGS``.
        heading: heading of a picture or page.
        text: text for the record; None if it may not be there.
    """
    if ending in NUMBERS:
        made = NUMBERS[ending](trace)
    elif ending == HTML:
        made = stand_alone(heading, {name: _draw(trace, name, settings)}, chosen={trace.along: step}).encode()
    else:
        made = FIXED[ending](sheet({name: _draw(trace, name, settings)}, heading, {trace.along: step}))
    file = f"run{ending}"
    record = Provenance(heading.title, {trace.along: step}, (DrawnRun.of(trace, text),))
    return seal(made, file, record) if holds_records(file) else made


def _draw(trace: Trace, name: str, settings: dict[str, Any]) -> Figure:
    return family_of(trace).plots[name](trace, **settings)
