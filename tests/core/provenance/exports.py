"""Exported figures of one run in every format."""

import io
import json
from functools import cache

import numpy as np

from core import explain, zoo
from core.provenance.record import DrawnRun, Provenance
from core.provenance.seal import seal
from dashboard.figures import export, plots
from dashboard.figures.sheet import Heading, sheet
from dashboard.figures.standalone import stand_alone

TEXT = "A warm </metadata></script> film & <b>more</b>."
FORMATS = ("svg", "pdf", "html", "json", "npz", "ipynb")


@cache
def run():
    """The run that all figures show."""
    return explain(zoo.load("dragg-sst5"), TEXT)


@cache
def plain(ending):
    """A figure without its record."""
    trace = run()
    figures, heading = {"shares": plots.couplings(trace)}, Heading("Shares", [TEXT])
    match ending:
        case "svg":
            return export.to_svg(sheet(figures, heading))
        case "pdf":
            return export.to_pdf(sheet(figures, heading))
        case "html":
            return stand_alone(heading, figures).encode()
        case "json":
            return trace.to_json().encode()
        case "npz":
            return trace.to_npz()
    return export.to_notebook("Shares", trace.model, repr(TEXT), 3)


def drawn_run(text=None):
    return DrawnRun.of(run(), text)


def exported(ending, text=None, drawn=None):
    """A figure with its record. drawn: run in the record, if it is not the true one."""
    return seal(plain(ending), f"figure.{ending}", Provenance("Shares", {"iteration": 3}, (drawn or drawn_run(text),)))


def with_array(content, name, change):
    """A NumPy archive in which a function has changed an array."""
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        arrays = dict(file)
    change(arrays[name])
    changed = io.BytesIO()
    np.savez_compressed(changed, allow_pickle=False, **arrays)
    return changed.getvalue()


def with_json(content, change):
    """JSON in which a function has changed something."""
    stored = json.loads(content)
    change(stored)
    return json.dumps(stored).encode()
