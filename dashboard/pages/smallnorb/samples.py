"""Files to try the uploader with, rendered when they are asked for."""

from io import BytesIO

import streamlit as st

from dashboard.runs import pictures as picture_runs
from dashboard.screen.address import in_address


class SampleFile(BytesIO):
    """A file as the uploader gives it."""

    def __init__(self, name: str, content: bytes):
        super().__init__(content)
        self.name = self.file_id = name


def choose_sample() -> list[SampleFile]:
    """The files of the sample that is chosen; none where none is."""
    help = "Rendered toys, in the files that this page reads."
    sample = st.pills("Or try", list(picture_runs.SAMPLES), help=help, **in_address("sample"))
    return [SampleFile(name, content) for name, content in picture_runs.sample_files(sample).items()] if sample else []
