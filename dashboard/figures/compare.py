"""The main pictures of two runs, on one scale with their difference, or each on its own."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dashboard.figures.aligned import Aligned
from dashboard.figures.figure import Figure
from dashboard.figures.heatmap import Axis, Colour, heatmap
from dashboard.figures.kinds import Main, noun_of
from dashboard.theme import CELL, LABEL, SIGNED, shorten

MAX_HEIGHT = 320  # pixels, height of all rows of a picture
MANY = 30  # with more columns than this, those that are not words are narrow
NARROW = 7  # pixels, width of a narrow column
TIGHT = {"top": 0, "bottom": 4, "left": 5, "right": 5}  # pixels around the pictures
# The legend is above the picture at its right, so that there is room for a title at the left.
AT_RIGHT = {"orient": "none", "legendX": {"expr": "max(90, width - 420)"}, "legendY": -36, "gradientLength": 120}
AT_RIGHT |= {"titleLimit": 290, "titleAlign": "left", "tickCount": 2}
DIFFERENCE = "Difference"  # title of the third picture
BARE_AXIS = {"labels": False, "ticks": False, "domain": False}
MAX_HEIGHT_OF_THREE = 140  # pixels, height of all rows of one of three pictures
NUMBERS, NAMES = 36, 100  # pixels, width for rows that are called by a number, and by a name
SHORT = 4  # characters of the number of a row
ROW = 16  # pixels, height of a row of one of three pictures
LEGIBLE = 12  # pixels, height from which each row has room for its label


def three_pictures(
    both: Aligned, names: tuple[str, str], places: Sequence[str] = ("on the left", "on the right")
) -> dict[str, Figure]:
    """Two runs on one scale, and their difference, with aligned columns. A click in one picks the cell in all three.

    Args:
        both: the aligned runs.
        names: names of the runs.
        places: words for each run in the legend of the difference.
    """
    main = both.main
    first, second = (
        replace(main, values=values, columns=both.labels, rows=[pair[k] for pair in both.rows])
        for k, values in enumerate((both.first, both.second))
    )
    changed = replace(main, values=both.changed, columns=both.labels, rows=both.row_labels)
    largest = float(np.nanmax(np.abs(both.changed), initial=0.0)) or 1.0
    shared = _colour(main, [_legend(main)], both.largest, _is_signed(first, second))
    change = _colour(main, [f"orange: more {places[1]}", f"purple: more {places[0]}"], largest, True)
    framed, margin = f"datum.i * {both.first.shape[2]} + datum.j == picked", _margin(first, second)
    figures = {
        names[0]: _picture(first, shared, margin, framed, labels=False),
        names[1]: _picture(second, shared, margin, framed, labels=False),
        DIFFERENCE: _picture(changed, change, margin, framed),
    }
    figures[names[1]].spec["encoding"]["color"]["legend"] = None  # the same as above
    return figures


def with_title(figure: Figure, title: str) -> Figure:
    """A figure with its title at the left of its legend."""
    place = {"anchor": "start", "frame": "bounds", "offset": 22}
    text = {"text": f"{title[:1].upper()}{title[1:]}", "fontSize": LABEL, **place}
    return figure._replace(spec=figure.spec | {"title": text})


def stacked_pictures(mains: Sequence[Main], names: Sequence[str], on_one_scale: bool = False) -> dict[str, Figure]:
    """The pictures of several runs with equal margins, each on its own scale, or all on one scale.

    Args:
        mains: numbers of the runs.
        names: names of the runs.
        on_one_scale: whether the runs are comparable, and share a scale.
    """
    figures = {}
    extents = [float(np.nanmax(np.abs(main.values), initial=0.0)) or 1.0 for main in mains]
    for name, main, extent in zip(names, mains, extents, strict=True):
        largest = max(extents) if on_one_scale else extent
        colour = _colour(main, [_legend(main)], largest, _is_signed(*mains if on_one_scale else [main]))
        if on_one_scale and colour.domain == (0, 1):
            colour = _short_scale(colour, largest)
        figures[name] = _picture(main, colour, _margin(*mains))
        if on_one_scale and len(figures) > 1:
            figures[name].spec["encoding"]["color"]["legend"] = None  # the same as above
    return figures


def _short_scale(colour: Colour, largest: float) -> Colour:
    """A scale from 0 that ends at the next tenth above the largest number; its title says so."""
    end = min(1.0, math.ceil(10 * largest) / 10)
    ends = f" (the scale ends at {end:g})" if end < 1 else ""
    return colour._replace(domain=(0, end), title=[f"{colour.title[0]}{ends}"])


def _is_signed(*mains: Main) -> bool:
    """Whether any number is below 0."""
    return min(np.nanmin(main.values, initial=0.0) for main in mains) < 0


def _legend(main: Main) -> str:
    """The title of the legend."""
    whole = {"output": f"; a {main.unit}'s shares sum to 1", "input": f"; a {main.row_name}'s shares sum to 1"}
    return f"{main.quantity}{whole.get(main.sums, '')}"


def _colour(main: Main, title: list[str], largest: float, signed: bool) -> Colour:
    """A scale up to the largest number, and as far below 0 if there are signed numbers."""
    domain = (-largest, largest) if signed else (0, max(1.0, largest))
    return Colour(main.quantity, title, domain, **({"range": SIGNED} if signed else {}))


def _margin(*mains: Main) -> int:
    """The width for the names of rows, the same for all of these pictures."""
    return NUMBERS if all(len(name) <= SHORT for main in mains for name in main.rows) else NAMES


def _picture(main: Main, colour: Colour, margin: int, framed: str | None = None, labels: bool = True) -> Figure:
    """One of several pictures below each other.

    Args:
        main: numbers to draw.
        colour: scale of the colours.
        margin: width for the names of rows.
        framed: as in ``heatmap``.
        labels: whether the columns have labels; without them, the picture below has them.
    """
    height = min(ROW, max(3, MAX_HEIGHT_OF_THREE // len(main.rows)))
    figure = heatmap(
        main.values,
        Axis(main.unit, main.columns, labels=[shorten(name) for name in main.columns]),
        Axis(main.row_name, main.rows, labels=_labels(main.rows, height >= LEGIBLE)),
        colour,
        framed=framed,
        row=height,
    )
    figure.spec["padding"] = TIGHT
    figure.spec["encoding"]["color"]["legend"] |= AT_RIGHT
    axis = figure.spec["encoding"]["y"]["axis"]
    axis |= {"minExtent": margin, "maxExtent": margin, "labelLimit": margin}
    if not labels:
        figure.spec["encoding"]["x"]["axis"] = BARE_AXIS
    return figure


def signed_heatmap(
    values: np.ndarray,
    columns: list[str],
    rows: list[str],
    quantity: str,
    unit: str,
    row_title: str,
    framed: str | None = None,
) -> Figure:
    """Draw values below and above 0, on a scale that ends at the largest absolute value.

    Args:
        values: values [t, i, row].
        columns, rows: names of the columns and rows.
        quantity: name of the numbers.
        unit: unit of a column.
        row_title: title of the rows.
        framed: as in ``heatmap``.
    """
    largest = float(np.nanmax(np.abs(values), initial=0.0)) or 1.0
    colour = Colour(quantity, [quantity], (-largest, largest), range=SIGNED)
    return _grid(values, columns, rows, colour, unit, row_title, framed)


def _grid(
    values: np.ndarray,
    columns: list[str],
    rows: list[str],
    colour: Colour,
    unit: str,
    row_title: str,
    framed: str | None = None,
) -> Figure:
    """A heat map that fits half a page: many columns are narrow, many rows are thin, and few of them have labels."""
    height, many = min(CELL, max(6, MAX_HEIGHT // len(rows))), len(columns) > MANY
    return heatmap(
        values,
        Axis(unit, columns, title=f"{unit} i" if many else None, labels=_labels(columns, not many or unit == "word")),
        Axis(noun_of(row_title), rows, title=row_title, labels=_labels(rows, height >= LEGIBLE)),
        colour,
        framed,
        row=height,
        cell=NARROW if many and unit != "word" else CELL,
    )


def _labels(names: list[str], has_room: bool) -> list[str]:
    """Shortened names; if there is no room for all, only the first one and every fifth one."""
    return [shorten(name) if has_room or k == 0 or k % 5 == 4 else "" for k, name in enumerate(names)]
