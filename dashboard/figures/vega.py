"""Pieces of Vega-Lite that figures share: encodings, axes, colour bars, labels."""

from typing import Any

import numpy as np

from dashboard.shared.theme import FRAME, shorten

Spec = dict[str, Any]

BARE = {"ticks": False, "domain": False}  # an axis of labels alone
ALL_LABELS = {**BARE, "labelOverlap": False}
AS_WIDE_AS_ITS_COLUMN = {"width": "container", "autosize": {"type": "fit-x", "contains": "padding"}}
PAD = {"autosize": {"type": "pad"}}  # or Streamlit would squeeze the picture into its column
STATED = "stated in the archive, not checked"  # what a hollow mark stands for
HOLLOW = {"type": "point", "shape": "circle", "filled": False, "strokeWidth": 2}
CURRENT = {"type": "rule", "strokeDash": [4, 3], "color": FRAME}  # the rule at what the scrubber has chosen


def quantitative(field: str, **rest: Any) -> Spec:
    """An encoding by a number. rest: title, scale, axis, format and so on, as Vega-Lite names them."""
    return {"field": field, "type": "quantitative", **rest}


def nominal(field: str, **rest: Any) -> Spec:
    """An encoding by a name."""
    return {"field": field, "type": "nominal", **rest}


def ordinal(field: str, **rest: Any) -> Spec:
    """An encoding by a place in an order."""
    return {"field": field, "type": "ordinal", **rest}


def colour_bar(length: int = 240, orient: str = "top", limit: int | None = 600, **rest: Any) -> Spec:
    """The legend of a colour scale. length, limit: of the bar and of its title, pixels."""
    apart = {"labelOverlap": "greedy", "labelSeparation": 6}  # a number that has no room is left out
    return {"orient": orient, "gradientLength": length, **apart, **({"titleLimit": limit} if limit else {}), **rest}


def one_line(length: int = 200, **rest: Any) -> Spec:
    """The legend of a colour scale above the picture, its title beside the bar, shortened where there is no room.

    Args:
        length: of the bar, pixels.
    """
    line = {"direction": "horizontal", "titleOrient": "left", "gradientThickness": 10, "titleFontWeight": "normal"}
    return colour_bar(length, offset=8) | line | {"titleLimit": {"expr": f"max(40, width - {length + 30})"}} | rest


def where(test: str, value: Any, otherwise: Any) -> Spec:
    """A channel that has one value where the test holds, and another elsewhere."""
    return {"condition": {"test": test, "value": value}, "value": otherwise}


def frame(test: str, width: int) -> Spec:
    """The cells in which the test holds stand in a frame."""
    return {"stroke": where(test, FRAME, None), "strokeWidth": where(test, width, 0)}


def layer(mark: str | Spec, transform: list[Spec] | None = None, **encoding: Spec | list[Spec] | None) -> Spec:
    """Marks, of the rows that the transform leaves. Channels that are None are left out."""
    channels = {channel: value for channel, value in encoding.items() if value is not None}
    return {**({"transform": transform} if transform else {}), "mark": mark, "encoding": channels}


def keep(test: str) -> Spec:
    """Only the rows in which the test holds."""
    return {"filter": test}


def calculate(formula: str, name: str) -> Spec:
    """A new column."""
    return {"calculate": formula, "as": name}


def word_axis(wide: bool, **rest: Any) -> Spec:
    """An axis of words, numbered from 0 in the data and labelled by ``word_params``.

    Args:
        wide: whether there is room for the words; else they are in the tips only.
    """
    labels = {"labelExpr": "word_labels[datum.value]", "labelAngle": -60, **rest} if wide else {"labels": False}
    return {**labels, **ALL_LABELS}


def word_params(words: list[str]) -> list[Spec]:
    """The words as the tips show them, and as an axis does. ``NAME_WORDS`` adds the former to the data."""
    return [
        {"name": "word_names", "value": words},
        {"name": "word_labels", "value": [shorten(word) for word in words]},
    ]


NAME_WORDS = [calculate("word_names[datum.i]", "word")]


def counted_axis(**rest: Any) -> Spec:
    """An axis that is labelled from 1 where the data count from 0."""
    return {"labelExpr": "datum.value + 1", **ALL_LABELS, **rest}


def indices(values: np.ndarray) -> tuple[np.ndarray, ...]:
    """For each axis the place of every value along it, in the order of ``values.ravel()``."""
    return tuple(index.ravel() for index in np.indices(values.shape))
