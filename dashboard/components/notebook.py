"""A page that shows one trace in a notebook, made of the components of the dashboard's pages. It fetches nothing."""

import base64
import gzip
from functools import cache
from html import escape
from typing import Any

import numpy as np

from dashboard.components.files import read_files, shading_data, slider_data, verdict_data
from dashboard.figures import notebook as figures
from dashboard.figures.shaded import shaded
from dashboard.figures.standalone import begin_page, library, to_json
from dashboard.theme import css_variables

PARTS = ("scrubber", "shading", "verdict", "inspector")  # components of the page, in the order in which it draws them
LABELS = {"iteration": "Routing iteration", "layer": "Layer", "window": "Window, words"}
HEIGHT = 680  # pixels of a page without a kernel, which cannot tell its height; it scrolls


def view_of(trace: Any, before: Any = None, row: int | None = None) -> dict[str, Any]:
    """The data of the page for a trace.

    Args:
        trace: trace of the run.
        before: trace of the run before the user's edits, or None.
        row: index of the row on which the page opens, as in ``first_cell``.
    """
    param, main, lines = trace.along, figures.main_of(trace), shaded(trace)
    old = None if before is None or before.probabilities.shape != trace.probabilities.shape else before.probabilities
    notes, start = figures.step_notes(trace), trace.own_step
    edits = [list(pair) for pair in zip(trace.edits, trace.edits_in_words(), strict=True)]
    return {
        "title": f"{trace.model} · {trace.task}",
        "notices": trace.notices,
        "param": param,
        "scrubber": slider_data(trace.n_steps, LABELS[param], param=param, start=start),
        "verdict": verdict_data(
            trace.probabilities, trace.classes, notes, not trace.has_lengths, param, old, start, doses=False
        ),
        "shading": None if lines is None else _shading(trace, lines, param, start),
        "picture": figures.picture_of(trace, before),
        "cells": None if main is None else _cells(trace, main, row),
        "offers": [_offer(label, form) for label, form in figures.offers_of(trace)],
        "edits": edits,
        "editable": trace.origin is not None,
    }


def _shading(trace: Any, lines: Any, param: str, start: int) -> dict[str, Any]:
    """The shaded text with all its lines: the page shows those of the picked cell."""
    known = getattr(trace, "known", None)
    unknown = [] if known is None or lines.shares.shape[1] != len(known) else np.flatnonzero(~known).tolist()
    text, spans = figures.words_as_typed(trace)
    data = shading_data(text, spans, lines.shares, lines.notes, unknown, lines.bars, param, lines.arms)
    return data | {"start": start, "by": lines.by, "count": lines.shown_at_once}


def _cells(trace: Any, main: Any, row: int | None) -> dict[str, Any]:
    """The cells of the picture, with their numbers."""
    numbers = [
        {"name": quantity.name, "values": np.round(quantity.values, figures.DIGITS).tolist()}
        for quantity in figures.quantities(trace, main)
    ]
    return {
        "columns": main.columns,
        "rows": main.rows,
        "unit": main.unit,
        "row_unit": main.row_name,
        "rows_are_steps": figures.rows_are_steps(trace),
        "first": figures.first_cell(trace, main, row),
        "path": figures.path_of(trace),
        "quantities": numbers,
    }


def _offer(label: str, form: str) -> dict[str, Any]:
    """An edit that the page offers, and the lowest row that it fits."""
    return {"label": label, "form": form, "least": figures.FIRST_GATE if form.startswith("gate:") else 0}


@cache
def _style() -> str:
    """The styles of the page and of its components."""
    own = read_files("notebook", follows=False)
    return "\n".join([*(read_files(name).css for name in PARTS), css_variables(), own.css])


@cache
def _body() -> str:
    """The body of the page: the places of its components, their scripts, and the library that draws the picture."""
    own = read_files("notebook", follows=False)
    body, scripts = own.html, []
    for name in PARTS:
        files = read_files(name)
        body = body.replace(f'<div id="{name}">', f'<div id="{name}">{files.html}')
        js = files.js.replace("export default ", f"window.routescope.{name} = ", 1)
        scripts.append(f'<script type="module">{js}</script>')
    scripts.append(f'<script type="module">{own.js}</script>')
    packed = base64.b64encode(gzip.compress(library().encode(), mtime=0)).decode()
    return (
        f'{body}<script id="library" type="text/plain">{packed}</script>'
        f"<script>window.routescope = {{}};</script>{''.join(scripts)}"
    )


def page(view: dict[str, Any] | None = None) -> str:
    """The HTML of the page.

    Args:
        view: data from ``view_of``; if None, the page waits for the widget that holds it.
    """
    kept = "" if view is None else to_json(view)
    return (
        f"{begin_page('Routescope', _style())}</head>"
        f'<body><script id="view" type="application/json">{kept}</script>{_body()}</body></html>'
    )


def static(view: dict[str, Any]) -> str:
    """HTML that shows the page without a kernel, in a frame of its own."""
    attributes = f'title="Routescope" sandbox="allow-scripts" width="100%" height="{HEIGHT}" style="border: 0"'
    return f'<iframe {attributes} srcdoc="{escape(page(view))}"></iframe>'
