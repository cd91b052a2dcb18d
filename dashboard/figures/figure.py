"""A figure: a table of numbers and the Vega-Lite specification that draws it.

Written as Vega-Lite itself: building the same through Altair's classes takes longer than the
model does, ten times what a dictionary takes. Altair checks every figure against the schema in the
tests, and writes the page that stands alone.
"""

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa

from dashboard.shared.theme import CELL

if TYPE_CHECKING:
    import altair as alt

NO_NETWORK = {"actions": {"export": True, "source": False, "compiled": False, "editor": False}}

SCRUBBED = ("iteration", "layer", "view", "window")  # parameters that have a slider, on paper too


class Figure(NamedTuple):
    """data: one row a mark. spec: Vega-Lite without its data."""

    data: pa.Table
    spec: dict[str, Any]

    @property
    def steps(self) -> tuple[str, int] | None:
        """The scrubbed parameter and its largest value; None for a figure that does not scrub."""
        scrubbed = [param for param in self.spec["params"] if param["name"] in SCRUBBED]
        return (scrubbed[0]["name"], scrubbed[0]["bind"]["max"]) if scrubbed else None


def pickable(figure: Figure, fields: list[str]) -> Figure:
    """The figure with cells that a click picks: the point selection ``cell`` has these fields.

    Of a figure in layers the first one has the cells.
    """
    select = {"type": "point", "fields": [*fields, "turn"], "toggle": False, "clear": False}
    pick: dict[str, Any] = {"name": "cell", "select": select}
    # It counts the clicks: a second one on a cell is news too.
    turn = {"name": "turn", "value": 0, "bind": {"input": "range", "min": 0, "max": 1_000_000, "step": 1}}
    spec = dict(figure.spec)
    spec["transform"] = [*spec.get("transform", []), {"calculate": "turn", "as": "turn"}]
    if "layer" in spec:
        cells, *others = spec["layer"]
        spec["layer"] = [cells | {"name": "cells", "mark": {"type": "rect", "cursor": "pointer"}}, *others]
        pick["views"] = ["cells"]
    else:
        spec["mark"] = {**spec["mark"], "cursor": "pointer"}
    return figure._replace(spec=spec | {"params": [*spec["params"], turn, pick]})


def iteration_param(n_iters: int) -> dict[str, Any]:
    """``iteration``, bound to a range input and at the last one first, so that a chart scrubs in the browser."""
    return _scrubbed("iteration", n_iters, n_iters)


def layer_param(n_layers: int) -> dict[str, Any]:
    """``layer``, likewise."""
    return _scrubbed("layer", n_layers, n_layers)


def window_param(n_windows: int) -> dict[str, Any]:
    """``window``, likewise."""
    return _scrubbed("window", n_windows, n_windows)


def view_param(n_views: int) -> dict[str, Any]:
    """``view``, likewise, and at the first one first."""
    return _scrubbed("view", n_views, 1)


def _scrubbed(name: str, n: int, value: int) -> dict[str, Any]:
    bind = {"input": "range", "min": 1, "max": n, "step": 1, "name": f"{name} "}
    return {"name": name, "value": value, "bind": bind}


def together(titled: dict[str, Figure]) -> "alt.VConcatChart":
    """Figures one below the other, driven by a slider a parameter; raises if one breaks Vega-Lite's schema."""
    import altair as alt  # takes a third of a second

    params: dict[str, dict] = {}
    rows = []
    for title, (data, spec) in titled.items():
        row = {key: value for key, value in spec.items() if key not in ("params", "autosize", "padding")}
        if row.get("width") == "container":
            row["width"] = {"step": CELL}
        rows.append({"width": 480, **row, "title": title, "data": {"values": data.to_pylist()}})
        for param in spec["params"]:
            if param["name"] in SCRUBBED:
                params[param["name"]] = param
            elif "select" not in param:  # what the dashboard picks and selects is fixed on paper
                params[param["name"]] = {"name": param["name"], "value": param["value"]}
    return alt.VConcatChart.from_dict({"params": list(params.values()), "vconcat": rows})


def stand_alone(titled: dict[str, Figure]) -> str:
    """The figures as one HTML page, its libraries inside; no text in them is markup there."""
    return together(titled).to_html(inline=True, embed_options=NO_NETWORK, json_kwds={"cls": Inert})


class Inert(json.JSONEncoder):
    """JSON that can stand in a script: a text that says </script> does not end it."""

    def encode(self, o: Any) -> str:
        return super().encode(o).replace("<", "\\u003c")
