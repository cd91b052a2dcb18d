"""Pieces of Vega-Lite for all figures: encodings, axes, colour bars, labels."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from dashboard.figures.figure import Figure
from dashboard.theme import GRID, INK_TURNS, NOTE, PICKED, SHARES, colour, shorten

Spec = dict[str, Any]

BARE = {"ticks": False, "domain": False}  # an axis with labels only
ALL_LABELS = {**BARE, "labelOverlap": False}
AS_WIDE_AS_ITS_COLUMN = {"width": "container", "autosize": {"type": "fit-x", "contains": "padding"}}
PAD = {"autosize": {"type": "pad"}}  # otherwise Streamlit squeezes the picture into its column
STATED = "stated in the archive, not checked"  # meaning of a hollow mark
HOLLOW = {"type": "point", "shape": "circle", "filled": False, "strokeWidth": 2}
OUTLINE = {"stroke": colour("line"), "strokeWidth": 1}  # of a picture whose zeros have the colour of the page
SILENT = {"aria": False}  # marks that only repeat others, hidden from screen readers
PLACE = 4  # digits of the position before each label of a heat map, which keeps the order
LINES = {"labelLineHeight": 8}  # pixels from a word to the dots below it
DOTS = 1.5  # dots per letter
LETTER = 5.8  # pixels, width of a letter on screen
SYMBOL = 32  # pixels, width of a symbol in a legend, with the room around it
PHONE, ON_PHONE = 640, 340  # pixels, largest width of a phone's window, and width of a colour bar's title there
OPAQUE = {"symbolOpacity": 1, "labelLimit": 260, "offset": GRID}  # a legend's symbols have the colours of the marks
TURNED = -60  # degrees, angle of labels that do not fit side by side
EMOJI = "\\\\p{Extended_Pictographic}"  # regular expression inside a Vega expression
TEXT = {"labelFontSize": NOTE, "titleFontSize": NOTE}  # of axes and legends
CURRENT = {"type": "rule", "strokeDash": [4, 3], "color": PICKED}  # rule at the step that the scrubber has chosen


def quantitative(field: str, **rest: Any) -> Spec:
    """An encoding by a number.

    Args:
        field: column of the data.
        rest: title, scale, axis, format and so on, with their names in Vega-Lite.
    """
    return {"field": field, "type": "quantitative", **rest}


def nominal(field: str, **rest: Any) -> Spec:
    """An encoding by a name."""
    return {"field": field, "type": "nominal", **rest}


def ordinal(field: str, **rest: Any) -> Spec:
    """An encoding by an ordered value."""
    return {"field": field, "type": "ordinal", **rest}


def shades(low: float, high: float, range: str = SHARES, **rest: Any) -> Spec:
    """A colour scale, on a straight line through the colours of the ramp: Vega's own way passes other hues.

    Args:
        low, high: ends of the scale.
        range: ``SHARES`` or ``SIGNED``.
        rest: other settings, with their names in Vega-Lite.
    """
    return {"domain": [low, high], "range": range, "interpolate": "rgb", **rest}


def colour_bar(length: int = 240, orient: str = "top", limit: int | None = 600, **rest: Any) -> Spec:
    """The legend of a colour scale.

    Args:
        length: length of the bar in pixels.
        orient: side of the picture.
        limit: largest width of the title in pixels; Vega's own if None.
        rest: other settings, with their names in Vega-Lite.
    """
    apart = {"labelOverlap": "greedy", "labelSeparation": 6}  # leaves out a number without room
    return {"orient": orient, "gradientLength": length, **apart, **({"titleLimit": limit} if limit else {}), **rest}


def one_line(length: int = 160, **rest: Any) -> Spec:
    """The legend of a colour scale above the picture, with its title of one or two lines next to the bar.

    On a phone, the styles of the page put the bar below the title.

    Args:
        length: length of the bar in pixels.
        rest: as in ``colour_bar``.
    """
    line = {
        "direction": "horizontal",
        "titleOrient": "right",
        "titleAnchor": "start",
        "titlePadding": 2 * GRID,
        "gradientThickness": 10,
        "titleFontWeight": "normal",
    }
    limit = f"max(windowSize()[0] <= {PHONE} ? {ON_PHONE} : 40, width - {length + 30})"
    return colour_bar(length, offset=8) | line | {"titleLimit": {"expr": limit}} | rest


def legend_of(names: Sequence[str], **rest: Any) -> Spec:
    """The legend of named colours above the picture, in one line if there is room.

    Args:
        names: names.
        rest: other settings, with their names in Vega-Lite.
    """
    column = round(max(map(len, names), default=1) * LETTER) + SYMBOL
    columns = {"expr": f"max(1, min({len(names)}, floor(width / {column})))"}
    return {"orient": "top", "title": None, "columns": columns, **OPAQUE, **rest}


def where(test: str, value: Any, otherwise: Any) -> Spec:
    """A channel with one value where the test holds, and another elsewhere."""
    return {"condition": {"test": test, "value": value}, "value": otherwise}


def ink_on(position: str) -> Any:
    """The colour of text on a cell. position: Vega expression for its place on the ramp of shares, from 0 to 1."""
    return where(f"{position} > {INK_TURNS}", colour("on-high"), colour("on-low"))


def frame(test: str, width: int) -> Spec:
    """A frame around the cells in which the test holds."""
    return {"stroke": where(test, PICKED, None), "strokeWidth": where(test, width, 0)}


def layer(mark: str | Spec, transform: list[Spec] | None = None, **encoding: Spec | list[Spec] | None) -> Spec:
    """A layer of marks for the rows that the transform leaves. Channels that are None are left out."""
    channels = {channel: value for channel, value in encoding.items() if value is not None}
    return {**({"transform": transform} if transform else {}), "mark": mark, "encoding": channels}


def keep(test: str) -> Spec:
    """A transform that keeps the rows in which the test holds."""
    return {"filter": test}


def calculate(formula: str, name: str) -> Spec:
    """A transform that adds a column."""
    return {"calculate": formula, "as": name}


def path(array: str, *indices: str) -> tuple[Spec, Spec]:
    """A transform that adds the line of Python with the number of a cell, and its tip.

    Args:
        array: name of the array in Python, such as "trace.wins".
        indices: Vega expressions for the indices, from 0.
    """
    places = " + ', ' + ".join(f"({index})" for index in indices)
    return calculate(f"'{array}[' + {places} + ']'", "path"), nominal("path", title="in Python")


def cells(*said: str, value: str, **rest: Any) -> Spec:
    """Rectangles that a screen reader reads out like "superb, capsule 4: 0.97".

    Args:
        said: Vega expressions for the things that a cell is about.
        value: Vega expression for the value.
        rest: other settings, with their names in Vega-Lite.
    """
    about = " + ', ' + ".join(said)
    return {"type": "rect", "description": {"expr": f"{about} + ': ' + {value}"}, **rest}


def spoken(number: str) -> str:
    """A Vega expression for a number as a screen reader reads it out: "0.97", "-0.0017" or "0"."""
    return f"format({number}, abs({number}) < 0.01 ? '.4~f' : '.2f')"


def turned_if_crowded(labels: str, label: str, ahead: int = 0) -> Spec:
    """Settings of an axis below a picture: labels are flat if all fit side by side, else turned. Emoji never turn.

    The browser decides, because the width is known there only.

    Args:
        labels: Vega expression for the list of all labels.
        label: Vega expression for one label.
        ahead: characters before each label that are not drawn.
    """
    room = f"{1 + ahead} + floor((bandwidth('x') - {GRID // 2}) / {LETTER})"
    is_crowded = f"test(regexp('[^\\n·]{{' + ({room}) + ',}}'), join({labels}, '\\n'))"
    return turned(f"{is_crowded} && !test(regexp('{EMOJI}', 'u'), {label})")


def turned(test: str) -> Spec:
    """Settings of an axis below a picture, whose labels are turned if the test holds, and flat elsewhere."""
    return {
        "labelAngle": {"expr": f"({test} ? {TURNED} : 0)"},
        "labelAlign": {"expr": f"({test} ? 'right' : 'center')"},
        "labelBaseline": {"expr": f"({test} ? 'middle' : 'top')"},
    }


def dotted(labels: list[str], known: Sequence[bool] | None) -> list[str]:
    """The labels of an axis of words, with dots below words that the network does not know; ``LINES`` splits them."""
    if known is None:
        return labels
    dots = ["\n" + "·" * round(DOTS * len(label)) for label in labels]
    return [label if is_known else label + below for label, below, is_known in zip(labels, dots, known, strict=True)]


def has_dots(figure: Figure) -> bool:
    """Whether any word of the figure has dots below it."""
    labels = figure.data["column"].unique().to_pylist() if "column" in figure.data.column_names else []
    first_dot = json.dumps("\n·")[1:-1]  # as JSON writes it inside a string
    return any(first_dot in json.dumps(part) for part in (labels, figure.spec["params"]))


def word_axis(wide: bool = True, **rest: Any) -> Spec:
    """An axis of words, numbered from 0 in the data and labelled by ``word_params``.

    Args:
        wide: whether there is room for the words; otherwise only the tips have them.
        rest: other settings, with their names in Vega-Lite.
    """
    described = {"description": "X-axis: the words of the text"}  # otherwise Vega would list their numbers
    if_crowded = turned_if_crowded("word_labels", "word_labels[datum.value]")
    labels = {**LINES, "labelExpr": "split(word_labels[datum.value], '\\n')", **if_crowded, **rest}
    return {**(labels if wide else {"labels": False}), **described, **ALL_LABELS}


def word_params(words: list[str], known: Sequence[bool] | None = None) -> list[Spec]:
    """The words for tips, which ``NAME_WORDS`` adds to the data, and for an axis."""
    return [
        {"name": "word_names", "value": words},
        {"name": "word_labels", "value": dotted([shorten(word) for word in words], known)},
    ]


NAME_WORDS = [calculate("word_names[datum.i]", "word")]


def counted_axis(**rest: Any) -> Spec:
    """An axis with labels from 1 for data that count from 0."""
    return {"labelExpr": "datum.value + 1", **ALL_LABELS, **rest}


def spread(heights: Sequence[float], gap: float, highest: float) -> list[float]:
    """Move the heights of labels, which are sorted, so far apart that they can be read, but not above the highest."""
    spaced = list(heights)
    for n in range(1, len(spaced)):
        spaced[n] = max(spaced[n], spaced[n - 1] + gap)
    above = highest + gap
    for n in reversed(range(len(spaced))):
        above = spaced[n] = min(spaced[n], above - gap)
    return spaced


def indices(values: np.ndarray) -> tuple[np.ndarray, ...]:
    """The index of every value along each axis, in the order of ``values.ravel()``."""
    return tuple(index.ravel() for index in np.indices(values.shape))
