"""Figures on one sheet: below each other under a heading, as one Vega-Lite specification."""

import json
import re
from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any, NamedTuple

import pyarrow as pa

from dashboard.figures import vega
from dashboard.figures.figure import SCRUBBED, Figure
from dashboard.figures.vega import Spec, where
from dashboard.theme import BODY, CELL, GRID, LABEL, NOTE, PAGE, RANGES, paint

# vl-convert contains the first font; browsers without it have the second one, with letters of the same width.
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
WHOLE = {"titleLimit": 0, "labelLimit": 0}  # titles and labels are not cut
STYLE = {
    "font": FONT,
    "title": {"anchor": "start", "fontSize": LABEL},
    "legend": WHOLE | vega.TEXT,
    "axis": WHOLE | vega.TEXT,
    "text": {"fontSize": NOTE},
    "range": RANGES,
    "background": PAGE,
}
LINE = 64  # characters per line of a legend's title
HEADING = {"fontSize": BODY, "subtitleFontSize": NOTE, "subtitlePadding": 4, "offset": 16}
LETTER = 6.5  # pixels, width of a letter of the font
WIDEST = 800  # pixels, width of a page: on 170 mm its text has 7 points
WIDTH = 480  # pixels, width of a figure that does not set one


class Heading(NamedTuple):
    """The heading of a sheet: a bold title, and lines below it."""

    title: str
    lines: list[str]


def sheet(
    titled: Mapping[str, Figure], heading: Heading | None = None, chosen: Mapping[str, int] | None = None
) -> Spec:
    """Put figures below each other, each with its own scales and one slider per parameter.

    Args:
        titled: figures by title.
        heading: heading of the sheet.
        chosen: values of parameters, such as the first value of a slider or the cell in a frame.
    """
    params: dict[str, Spec] = {}
    rows = []
    for title, figure in titled.items():
        spec = _rename(figure.spec, params)
        params |= {param["name"]: param for param in spec["params"] if "select" not in param}
        rows.append(_row(title, spec, figure.data) | {"data": {"values": figure.data.to_pylist()}})
    fixed = [_fix(param, chosen or {}) for param in params.values()]
    above = {"title": HEADING | {"text": heading.title, "subtitle": heading.lines}} if heading else {}
    # A shared scale would apply the colours of a difference to the other figures.
    own_colours = {"resolve": {"scale": {"color": "independent"}}}
    spec = {**above, "params": fixed, "vconcat": rows, **own_colours, "config": STYLE}
    return paint(spec)


def _rename(spec: Spec, taken: Mapping[str, Spec]) -> Spec:
    """A copy of a specification, with new names for parameters whose names are taken by ones with other values."""
    text = json.dumps(spec)
    for param in spec["params"]:
        name = param["name"]
        if name in taken and "value" in param and name not in SCRUBBED and taken[name]["value"] != param["value"]:
            text = re.sub(rf"\b{name}\b", f"{name}_{len(taken)}", text)
    return json.loads(text)


def _fix(param: Spec, chosen: Mapping[str, int]) -> Spec:
    """Set a parameter to its chosen value. Only sliders keep their input, because a sheet has no other controls."""
    if "expr" in param:  # it follows from others
        return param
    value = chosen.get(param["name"], param["value"])
    if param["name"] not in SCRUBBED:
        return {"name": param["name"], "value": value}
    return param | {"value": max(1, min(value, param["bind"]["max"]))}


def _row(title: str, spec: Spec, data: pa.Table) -> Spec:
    """One figure of a sheet."""
    row = {key: value for key, value in spec.items() if key not in ("params", "autosize", "padding")}
    units = [row, *row.get("layer", [])]
    if row.get("width") == "container":
        has_columns = any(unit.get("encoding", {}).get("x", {}).get("type") == "ordinal" for unit in units)
        row["width"] = {"step": CELL} if has_columns else WIDTH
    for unit in units:
        _lay_labels(unit, row, _labels(spec["params"], data))
        _print_legend(unit)
        _raise_frame(unit)
    return {"width": WIDTH, **row, "title": title}


def _lay_labels(unit: Spec, row: Spec, labels: Sequence[str]) -> None:
    """Decide whether labels of columns are flat, as a sheet has no width of its own. Flat ones get room."""
    axis = unit.get("encoding", {}).get("x", {}).get("axis") or {}
    if not isinstance(axis.get("labelAngle"), dict):
        return
    longest = max((len(label.partition("\n")[0]) for label in labels), default=0)
    needed = longest * LETTER + GRID
    fits = needed * len(labels) <= WIDEST
    if fits and isinstance(row["width"], dict):
        row["width"] = {"step": max(row["width"]["step"], needed)}
    is_emoji = f"test(regexp('{vega.EMOJI}', 'u'), datum.label)"
    axis |= vega.turned("false" if fits else f"!{is_emoji}")


def _labels(params: Sequence[Spec], data: pa.Table) -> list[str]:
    """The labels of a picture's columns."""
    named = [param["value"] for param in params if param["name"] == "word_labels"]
    places = data["column"].unique().to_pylist() if "column" in data.column_names else []
    return named[0] if named else [place[vega.PLACE :] for place in places]


def _print_legend(unit: Spec) -> None:
    """Put the whole title of a colour legend above it, in lines."""
    color = unit.get("encoding", {}).get("color", {})
    if isinstance(columns := (color.get("legend") or {}).get("columns"), dict):
        (column,) = re.findall(r"width / (\d+)", columns["expr"])
        color["legend"]["columns"] = max(1, WIDTH // int(column))
    if color.get("legend") and (title := color.get("title")):
        text = title if isinstance(title, str) else " ".join(title)
        # In a long title, a note in parentheses begins a new line.
        pieces = re.split(r" (?=\()", text) if len(text) > LINE else [text]
        color["title"] = [line for piece in pieces for line in wrap(piece, LINE, break_on_hyphens=False)]
        color["legend"] |= {"titleOrient": "top", **WHOLE}


def _raise_frame(unit: Spec) -> None:
    """Draw the cell in a frame last, so that its neighbours do not cover the frame."""
    stroke: Any = unit.get("encoding", {}).get("stroke", {})
    if test := stroke.get("condition", {}).get("test"):
        unit["encoding"]["order"] = where(test, 1, 0)
