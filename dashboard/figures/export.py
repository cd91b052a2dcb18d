"""Figures and runs as files: pictures for paper, a page that stands alone, a notebook that makes the picture again."""

import io
from typing import Any

from dashboard.figures.figure import Figure, together

DOTS_PER_INCH = 300
POINTS_PER_INCH = 72


def to_svg(titled: dict[str, Figure], at: dict[str, int] | None = None) -> bytes:
    """The figures below each other as SVG.

    Args:
        at: values of the parameters that have a slider, by name; each figure's own value unless given.
    """
    import vl_convert

    return vl_convert.vegalite_to_svg(_sentence(titled, at)).encode()


def to_pdf(titled: dict[str, Figure], at: dict[str, int] | None = None) -> bytes:
    """The same as PDF, its text as text."""
    import vl_convert

    return vl_convert.vegalite_to_pdf(_sentence(titled, at))


def to_png(titled: dict[str, Figure], at: dict[str, int] | None = None) -> bytes:
    """The same as PNG, 300 dots to the inch on white."""
    import vl_convert

    scale = DOTS_PER_INCH / POINTS_PER_INCH
    return vl_convert.vegalite_to_png(_sentence(titled, at), scale=scale, ppi=DOTS_PER_INCH)


def _sentence(titled: dict[str, Figure], at: dict[str, int] | None) -> dict[str, Any]:
    spec = together(titled).to_dict()
    for param in spec.get("params", []):
        param["value"] = (at or {}).get(param["name"], param["value"])
    return spec | {"background": "white"}


def to_notebook(title: str, checkpoint: str, sample: str, n_iters: int | None, picture: str | None = None) -> bytes:
    """A notebook of five cells that makes a picture again from ``core``.

    Args:
        sample: Python that gives the text, or the pair of pictures, to explain.
        n_iters: iterations to run; the model's own count where None.
        picture: one of the names in ``trace.plots``; the main picture where None.
    """
    import nbformat
    from nbformat import v4

    iterations = "" if n_iters is None else f", n_iters={n_iters}"
    cells = [
        v4.new_markdown_cell(f"# {title}\n\nRun this notebook from a checkout of Routescope."),
        v4.new_code_cell("import core\nfrom core import zoo"),
        v4.new_code_cell(f"checkpoint = zoo.load({checkpoint!r})\nsample = {sample}"),
        v4.new_code_cell(f"trace = core.explain(checkpoint, sample{iterations})\nprint(*trace.summary(), sep='\\n')"),
        v4.new_code_cell(f"trace.plot({'' if picture is None else repr(picture)})"),
    ]
    notebook = v4.new_notebook(cells=cells)
    for k, cell in enumerate(notebook.cells):
        cell.id = f"cell-{k}"  # the same run gives the same file
    written = io.StringIO()
    nbformat.write(notebook, written)
    return written.getvalue().encode()
