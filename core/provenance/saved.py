"""Saves a run in a file that proves itself."""

from pathlib import Path
from typing import Any

from core.files import write
from core.provenance.record import DrawnRun, Provenance
from core.provenance.seal import holds_records, seal
from core.trace import Trace


def save(trace: Trace, path: Path, name: str, step: int, with_text: bool, settings: dict[str, Any]) -> None:
    """Write a file with a picture of a run, or with its numbers.

    Args:
        trace: the run.
        path: file.
        name: name of the picture.
        step: step that it shows.
        with_text: whether the file holds the text as typed.
        settings: settings of the picture.

    Raises:
        ValueError: the file has another ending, or the trace does not know its text.
        OSError: the file cannot be written.
    """
    if with_text and trace.origin is None:
        raise ValueError("This trace does not know its text: it was read from a file, copied, or made from pictures.")
    text = trace.origin.text if with_text and trace.origin else None
    ending = path.suffix.lower()
    made = trace.load_figures().content(trace, ending, name, step, text, settings)
    if holds_records(file := f"run{ending}"):
        made = seal(made, file, Provenance(trace.model, {trace.along: step}, (DrawnRun.of(trace, text),)))
    write(path, made)
