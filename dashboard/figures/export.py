"""Figures as files: pictures for a paper, and a notebook that draws the picture."""

import re
from collections.abc import Sequence
from unicodedata import normalize

from dashboard.figures.vega import Spec

DOTS_PER_INCH = 300
# An installed copy is the package ``routescope.dashboard``.
PLACE = "where Routescope is installed" if __name__.startswith("routescope.") else "in a checkout of Routescope"


def to_svg(sheet: Spec) -> bytes:
    """Convert a sheet of figures to SVG."""
    import vl_convert

    return vl_convert.vegalite_to_svg(sheet).encode()


def to_pdf(sheet: Spec) -> bytes:
    """Convert a sheet of figures to PDF, in which text stays text."""
    import vl_convert

    return vl_convert.vegalite_to_pdf(sheet)


def to_png(sheet: Spec) -> bytes:
    """Convert a sheet of figures to PNG with 300 dots per inch."""
    import vl_convert

    return vl_convert.vegalite_to_png(sheet, ppi=DOTS_PER_INCH)


def file_name(name: str, ending: str) -> str:
    """Join a name and an ending to a file name in ASCII without blanks."""
    plain = normalize("NFKD", f"{name}-{ending}").encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9._-]+", "-", plain).strip("-")


def to_notebook(
    title: str, checkpoint: str, sample: str, n_iters: int | None, settings: str = "", edits: Sequence[str] = ()
) -> bytes:
    """Make a notebook of five cells that draws a page's main picture from ``core``.

    Args:
        title: title of the notebook.
        checkpoint: name of the network.
        sample: Python whose last line evaluates to the text or the pair of pictures. Lines above it are imports.
        n_iters: number of iterations; the trained number if None.
        settings: Python arguments of ``trace.plot``.
        edits: edits of the run, in their form on the command line.
    """
    iterations = "" if n_iters is None else f", n_iters={n_iters}"
    changes = f", edits={list(edits)!r}" if edits else ""
    *imports, expression = sample.splitlines()
    sources = (
        "\n".join(["from core import explain, zoo", *imports]),
        f"checkpoint = zoo.load({checkpoint!r})\nsample = {expression}",
        f"trace = explain(checkpoint, sample{iterations}{changes})\nprint(*trace.summary(), sep='\\n')",
        f"trace.plot({settings})",
    )
    return notebook_of(title, *sources)


def notebook_of(title: str, *sources: str) -> bytes:
    """Make a notebook with a title and one cell per piece of Python."""
    from nbformat import v4, writes

    heading = f"# {title}\n\nRun this notebook {PLACE}."
    cells = [v4.new_markdown_cell(heading), *map(v4.new_code_cell, sources)]
    for k, cell in enumerate(cells):
        cell.id = f"cell-{k}"  # not random, so that the same run gives the same file
    return writes(v4.new_notebook(cells=cells)).encode()
