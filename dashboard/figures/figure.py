"""A figure: a table of numbers and the Vega-Lite specification that draws it.

Written as Vega-Lite itself: building the same through Altair's classes takes longer than the
model does, ten times what a dictionary takes. Altair checks every figure against the schema in the
tests.
"""

from typing import Any, NamedTuple

import pyarrow as pa

SCRUBBED = ("iteration", "layer", "view", "window")  # parameters that have a slider, on paper too


class Figure(NamedTuple):
    """data: one row a mark. spec: Vega-Lite without its data."""

    data: pa.Table
    spec: dict[str, Any]


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
        spec["layer"] = [cells | {"name": "cells", "mark": {**cells["mark"], "cursor": "pointer"}}, *others]
        pick["views"] = ["cells"]
    else:
        spec["mark"] = {**spec["mark"], "cursor": "pointer"}
    return figure._replace(spec=spec | {"params": [*spec["params"], turn, pick]})


def begin_at(figure: Figure, name: str, step: int) -> Figure:
    """The figure with a slider that begins at a step. name: of its parameter."""
    params = [param | {"value": step} if param["name"] == name else param for param in figure.spec["params"]]
    return figure._replace(spec=figure.spec | {"params": params})


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
