"""Makes the files of an export menu prove themselves: each holds the record of its runs, numbers and settings."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import streamlit as st

from core.provenance.record import DrawnArray, DrawnRun, Provenance
from core.provenance.seal import holds_records, seal
from core.trace import Trace
from dashboard.screen.export_files import File

TEXT = "Include the text"
WHY = """It is written under the title and kept in the files. With it, `routescope verify FILE` computes the numbers
of a file again. Without it, that command only says whether they are as you exported them; the words are in the files
all the same, as labels. Notebooks always have the text, because they repeat the run.""".replace("\n", " ")
OF_RUN = ("edit", "text")  # beginnings of entries of an address that a run has


class ExportedRun(NamedTuple):
    """A run that is exported.

    Attributes:
        trace: its trace.
        text: its text as typed; "" for pictures.
        entry: entry of an address that holds the text.
        cuts: effects of cuts that are drawn, too.
    """

    trace: Trace
    text: str
    entry: str = "text"
    cuts: Sequence[DrawnArray] = ()


def sealed(
    files: Mapping[str, File], title: str, exported: Sequence[ExportedRun], with_text: bool, steps: Mapping[str, int]
) -> dict[str, File]:
    """The files, each with a record if its format can hold one.

    Args:
        files: files by label.
        title: title above the picture.
        exported: runs that the picture shows; none for a picture of something else.
        with_text: whether the texts may be in the files; they are in notebooks in any case.
        steps: steps of the scrubbers, and the picked cell.
    """
    settings = {name: value for name, value in steps.items() if name != "turn"} | (_address() if exported else {})

    def make(file: File) -> str | bytes:
        ending, content, _ = file
        made, name = content(), f"figure.{ending}"
        has_text = with_text or ending.endswith(".ipynb")  # a notebook repeats the run, so its code has the text
        runs = tuple(DrawnRun.of(run.trace, run.text if has_text and run.text else None, run.cuts) for run in exported)
        record = Provenance(title, settings, runs)
        if not holds_records(name):
            return made
        return seal(made.encode(), name, record).decode() if isinstance(made, str) else seal(made, name, record)

    return {label: (file[0], partial(make, file), file[2]) for label, file in files.items()}


def _address() -> dict[str, list[str]]:
    """The page's settings in its address, without what the runs have."""
    return {key: st.query_params.get_all(key) for key in st.query_params if not key.startswith(OF_RUN)}
