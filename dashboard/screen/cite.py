"""The part of the export menu that cites the picture."""

from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from dashboard.screen.citation import Citation, to_archive
from dashboard.screen.export_files import File

FORMS = {"LaTeX": Citation.to_latex, "Markdown": Citation.to_markdown, "Image and link": Citation.to_link}
HEIGHT = 220  # pixels of the text to copy


def citation_files(citation: Citation, figures: Mapping[str, File]) -> dict[str, File]:
    """The archives with the figure and its citation, by label."""

    def make(picture: str, ending: str, write: Callable[[Citation], str]) -> bytes:
        files = {
            f"{citation.figure}.{picture.lower()}": figures[picture][1],
            f"{citation.figure}.{ending}": lambda: write(citation),
            "references.bib": lambda: citation.bibtex + "\n",
        }
        return to_archive(files)

    return {
        "LaTeX, zip": ("latex.zip", partial(make, "PDF", "tex", Citation.to_latex), "application/zip"),
        "Markdown, zip": ("markdown.zip", partial(make, "SVG", "md", Citation.to_markdown), "application/zip"),
    }


def draw_texts(citation: Citation, key: str) -> None:
    """Let the user choose a form of the citation, and draw it with a button that copies it."""
    form = st.segmented_control("Copy as", list(FORMS), key=f"{key} cite", label_visibility="collapsed")
    if form:
        st.code(FORMS[form](citation), language=None, wrap_lines=True, height=HEIGHT)
