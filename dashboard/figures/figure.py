"""A figure: a table of numbers and the Vega-Lite specification that draws it.

The specifications are plain dictionaries, because Altair's classes take ten times as long, longer than the model runs.
The tests use Altair to check every figure against the schema.
"""

import json
import re
from typing import Any, NamedTuple

import pyarrow as pa

SCRUBBED = ("iteration", "layer", "view", "window")  # parameters with a slider, also in exported files

OWN = ("picked", "dosed", "doses")  # parameters of a picture that another network's does not share
BESIDE = "_beside"  # end of their names in the picture of a second network
FRAMES = ("picked", f"picked{BESIDE}")  # parameters with the cell in a frame, of the first picture and the second


class Figure(NamedTuple):
    """A chart.

    Attributes:
        data: table with one row per mark.
        spec: Vega-Lite specification without the data.
    """

    data: pa.Table
    spec: dict[str, Any]

    @property
    def n_columns(self) -> int:
        """The number of columns of a picture of cells, empty ones included; 0 if it is another picture."""
        return int(self.data["i"].to_numpy().max()) + 1 if len(self.data) and "i" in self.data.column_names else 0


def pickable(figure: Figure, fields: list[str]) -> Figure:
    """Let a click pick a cell of a figure: add the point selection ``cell`` with these fields.

    The cells must be in the figure's first layer, if it has layers.
    """
    select = {"type": "point", "fields": [*fields, "turn"], "toggle": False, "clear": False}
    pick: dict[str, Any] = {"name": "cell", "select": select}
    # The number of clicks, which makes a second click on the same cell a new event.
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


def beside(figure: Figure) -> Figure:
    """The picture of a second network, which has a frame of its own and follows no dose of the first one's edit."""
    spec = json.dumps(figure.spec)
    for name in OWN:
        spec = re.sub(rf"\b{name}\b", name + BESIDE, spec)
    return figure._replace(spec=json.loads(spec))


def begin_at(figure: Figure, name: str, step: int) -> Figure:
    """Make a slider begin at a step.

    Args:
        figure: figure with the slider.
        name: name of the slider's parameter.
        step: first value of the slider.
    """
    params = [param | {"value": step} if param["name"] == name else param for param in figure.spec["params"]]
    return figure._replace(spec=figure.spec | {"params": params})


def iteration_param(n_iters: int) -> dict[str, Any]:
    """The parameter ``iteration`` with a slider in the browser, which begins at the last iteration."""
    return _scrubbed("iteration", n_iters, n_iters)


def layer_param(n_layers: int) -> dict[str, Any]:
    """The parameter ``layer``, like ``iteration``."""
    return _scrubbed("layer", n_layers, n_layers)


def window_param(n_windows: int) -> dict[str, Any]:
    """The parameter ``window``, like ``iteration``."""
    return _scrubbed("window", n_windows, n_windows)


def view_param(n_views: int) -> dict[str, Any]:
    """The parameter ``view``, like ``iteration``, but beginning at the first view."""
    return _scrubbed("view", n_views, 1)


def _scrubbed(name: str, n: int, value: int) -> dict[str, Any]:
    """A parameter with a slider from 1 to n, which begins at a value."""
    bind = {"input": "range", "min": 1, "max": n, "step": 1, "name": f"{name} "}
    return {"name": name, "value": value, "bind": bind}
