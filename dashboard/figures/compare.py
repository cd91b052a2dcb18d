"""The main pictures of two runs on one scale, and their difference."""

import numpy as np

from core.trace import Trace
from dashboard.figures.aligned import Aligned, align_runs
from dashboard.figures.figure import Figure
from dashboard.figures.heatmap import Axis, Colour, heatmap
from dashboard.figures.kinds import family_of, noun_of
from dashboard.theme import CELL, SIGNED, shorten

MAX_HEIGHT = 320  # pixels, height of all rows of a picture
MANY = 30  # with more columns than this, those that are not words are narrow
NARROW = 7  # pixels, width of a narrow column
TIGHT = {"top": 0, "bottom": 0, "left": 5, "right": 5}  # pixels around the pictures
BARE_AXIS = {"labels": False, "ticks": False, "domain": False}
MAX_HEIGHT_OF_THREE = 140  # pixels, height of all rows of one of three pictures
LABELS = 36  # pixels, width for the names of rows
ROW = 16  # pixels, height of a row of one of three pictures
LEGIBLE = 12  # pixels, height from which each row has room for its label


def pair(before: Trace, after: Trace) -> tuple[Figure, Figure]:
    """The main pictures of two runs of the same kind, at half their width and on one scale."""
    family = family_of(before)
    settings = dict(family.at_half)
    if family.is_scaled:
        settings["largest"] = max(float(np.abs(family.main(trace).values).max()) for trace in (before, after))
    return family.draw_main(before, **settings), family.draw_main(after, **settings)


def difference(before: Trace, after: Trace) -> Figure:
    """The main picture's numbers, after minus before, on a scale centred on 0.

    The column of a word that only one of the two texts has is empty.
    """
    both = align_runs(before, after)
    if both is None:
        raise ValueError(f"{before.model} and {after.model} have different rows, so they cannot be subtracted")
    main = both.main
    return signed_heatmap(
        both.changed, both.names, both.row_names, f"{main.quantity}, after minus before", main.unit, main.row_title
    )


def three_pictures(both: Aligned) -> dict[str, Figure]:
    """A and B on one scale, and B - A, with aligned columns. A click in one picture picks the cell in all three."""
    main, n_rows = both.main, both.first.shape[2]
    height = min(ROW, max(3, MAX_HEIGHT_OF_THREE // n_rows))
    first_rows, second_rows = ([pair[k] for pair in both.rows] for k in (0, 1))
    rows = {"A": first_rows, "B": second_rows, "B - A": both.row_names}
    signed = min(np.nanmin(both.first), np.nanmin(both.second)) < 0
    domain = (-both.largest, both.largest) if signed else (0, max(1.0, both.largest))
    palette = {"range": SIGNED} if signed else {}
    largest_change = float(np.nanmax(np.abs(both.changed), initial=0.0)) or 1.0
    legend = f"{main.quantity} by {main.row_title or 'row'}"
    shared = Colour(main.quantity, [legend], domain, **palette)
    change = Colour("B - A", [f"{legend}, B - A"], (-largest_change, largest_change), range=SIGNED)
    pictures = {"A": (both.first, shared), "B": (both.second, shared), "B - A": (both.changed, change)}
    figures = {
        title: heatmap(
            values,
            Axis(main.unit, both.names, labels=[shorten(name) for name in both.names]),
            Axis(main.row_name, rows[title], labels=_labels(rows[title], height >= LEGIBLE)),
            colour,
            framed=f"datum.i * {n_rows} + datum.j == picked",
            row=height,
        )
        for title, (values, colour) in pictures.items()
    }
    for title, figure in figures.items():
        figure.spec["padding"] = TIGHT
        figure.spec["encoding"]["y"]["axis"]["minExtent"] = LABELS  # aligns the columns of all three
        if title != "B - A":  # only the last picture shows the words
            figure.spec["encoding"]["x"]["axis"] = BARE_AXIS
    figures["B"].spec["encoding"]["color"]["legend"] = None  # the same as A's
    return figures


def signed_heatmap(
    values: np.ndarray, columns: list[str], rows: list[str], quantity: str, unit: str, row_title: str
) -> Figure:
    """Draw values below and above 0, on a scale that ends at the largest absolute value.

    Args:
        values: values [t, i, row].
        columns, rows: names of the columns and rows.
        quantity: name of the numbers.
        unit: unit of a column.
        row_title: title of the rows.
    """
    largest = float(np.nanmax(np.abs(values), initial=0.0)) or 1.0
    colour = Colour(quantity, [quantity], (-largest, largest), range=SIGNED)
    return _grid(values, columns, rows, colour, unit, row_title)


def share_heatmap(
    values: np.ndarray, columns: list[str], rows: list[str], quantity: str, unit: str, row_title: str
) -> Figure:
    """Draw shares from 0 to 1. Arguments as in ``signed_heatmap``."""
    return _grid(values, columns, rows, Colour(quantity, [quantity]), unit, row_title)


def _grid(values: np.ndarray, columns: list[str], rows: list[str], colour: Colour, unit: str, row_title: str) -> Figure:
    """A heat map that fits half a page: many columns are narrow, many rows are thin, and few of them have labels."""
    height, many = min(CELL, max(6, MAX_HEIGHT // len(rows))), len(columns) > MANY
    labels = [name.partition(" → ")[2] or name for name in columns]
    return heatmap(
        values,
        Axis(unit, columns, title=f"{unit} i" if many else None, labels=_labels(labels, not many or unit == "word")),
        Axis(noun_of(row_title), rows, title=row_title, labels=_labels(rows, height >= LEGIBLE)),
        colour,
        row=height,
        cell=NARROW if many and unit != "word" else CELL,
    )


def _labels(names: list[str], has_room: bool) -> list[str]:
    """Shortened names; if there is no room for all, only the first one and every fifth one."""
    return [shorten(name) if has_room or k == 0 or k % 5 == 4 else "" for k, name in enumerate(names)]
