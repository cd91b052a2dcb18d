"""The main pictures of two runs on one scale, and what differs between them, with their words aligned."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any

import numpy as np

from dashboard.figures import plots
from dashboard.figures.em import credit_heatmap
from dashboard.figures.figure import Figure
from dashboard.figures.heatmap import Axis, Colour, heatmap
from dashboard.figures.windows import wins_heatmap
from dashboard.shared.theme import CELL, SIGNED, shorten

Pairs = list[tuple[int | None, int | None]]  # of a position before and after; None where there is none


@dataclass(frozen=True)
class Main:
    """The numbers of a main picture.

    Attributes:
        values: [t, i, row]; t is 1 where the steps are the rows.
        columns: the name of each i.
        rows: the name of each row.
        what: the numbers, in words.
        unit: what a column is.
        row_title: what a row is.
        aligned: whether columns are words, which differ from text to text.
    """

    values: np.ndarray
    columns: list[str]
    rows: list[str]
    what: str
    unit: str = "word"
    row_title: str = ""
    aligned: bool = True

    @property
    def row_name(self) -> str:
        """What a row is called in a sentence."""
        return self.row_title.removeprefix("output ").removesuffix(" j").split(",")[0]


def _of_routing(trace: Any) -> Main:
    of_sentences = getattr(trace, "of_sentences", None)
    routed, unit = (of_sentences(), "sentence") if of_sentences else (trace, "word")
    coupling = routed.inputs_to_capsules.coupling
    return Main(coupling, routed.tokens, _numbers(coupling.shape[2]), "cᵢⱼ", unit, "output capsule j")


def _of_features(trace: Any) -> Main:
    coupling = trace.features_to_classes.coupling
    columns = _numbers(coupling.shape[1])
    return Main(coupling, columns, trace.classes, "cᵢⱼ", "feature", "class", aligned=False)


def _of_credit(trace: Any) -> Main:
    return Main(trace.credit_of_words, trace.tokens, trace.classes, "credit", row_title="class")


def _of_attention(trace: Any) -> Main:
    values = trace.scaled_attention
    return Main(values.T[None], trace.tokens, _numbers(len(values)), "scaled attention", row_title="layer")


def _of_windows(trace: Any) -> Main:
    values = trace.wins
    return Main(values.T[None], trace.tokens, _numbers(len(values)), "components won", row_title="window, words")


def _numbers(n: int) -> list[str]:
    return [str(k + 1) for k in range(n)]


MAIN: dict[str, Callable[[Any], Main]] = {  # by kind of trace
    "dragg": _of_routing,
    "dragg-documents": _of_routing,
    "cccaps": _of_features,
    "em-sst": _of_credit,
    "agt": _of_attention,
    "drnn": _of_windows,
}
NOT_PICKED = {"picked": False}
PLAIN = {"dragg": NOT_PICKED, "dragg-documents": NOT_PICKED, "cccaps": NOT_PICKED, "agt": {"numbers": False}}
TALLEST = 320  # pixels of all rows of a difference
MANY = 30  # columns from which on those that are no words are narrow
NARROW = 7  # pixels
TIGHT = {"top": 0, "bottom": 0, "left": 5, "right": 5}  # pixels around the pictures
BARE_AXIS = {"labels": False, "ticks": False, "domain": False}
TALLEST_OF_THREE = 140  # pixels of all rows of one of three pictures
ROW = 16  # pixels of a row where three pictures stand one below the other


def pair(before: Any, after: Any) -> tuple[Figure, Figure]:
    """The main pictures of two runs of one kind, on one scale."""
    kind, scale = before.kind, _largest(before, after)
    if kind == "em-sst":
        return tuple(
            credit_heatmap(t.credit_of_words, t.tokens, t.pieces_of_words, t.classes, scale) for t in (before, after)
        )
    if kind == "drnn":
        return tuple(wins_heatmap(t.wins, t.tokens, t.decisive, t.components, scale) for t in (before, after))
    return _plain(before), _plain(after)


def _plain(trace: Any) -> Figure:
    """The main picture at half its width: without a cell to pick, and without numbers in its cells."""
    draw = next(iter(plots.PLOTS[trace.kind].values()))
    return draw(trace, **PLAIN.get(trace.kind, {}))


def _largest(before: Any, after: Any) -> float:
    return max(float(np.abs(MAIN[trace.kind](trace).values).max()) for trace in (before, after))


def difference(before: Any, after: Any) -> Figure:
    """What the numbers of the main picture are more after than before, on a scale with 0 in its middle.

    A word that only one of the two texts has stays empty: there is nothing to subtract.
    """
    both = aligned(before, after)
    if both is None:
        raise ValueError(f"{before.model} and {after.model} have other rows, so nothing can be subtracted")
    main = both.main
    return signed_heatmap(
        both.changed, both.names, main.rows, f"{main.what}, after minus before", main.unit, main.row_title
    )


@dataclass(frozen=True)
class Aligned:
    """The main numbers of two runs in one table of cells: a column a pair of words, NaN where a run has no such word.

    Attributes:
        first, second: [t, column, row].
        pairs: the position of each column's word in the two runs.
        names: of the columns, such as "good → bad".
        main: of the first run, for the names of the rows.
        largest: of both, of either sign.
    """

    first: np.ndarray
    second: np.ndarray
    pairs: Pairs
    names: list[str]
    main: Main
    largest: float

    @property
    def changed(self) -> np.ndarray:
        """Second less first."""
        return self.second - self.first


def aligned(first: Any, second: Any, steps: tuple[int | None, int | None] = (None, None)) -> Aligned | None:
    """Two runs side by side; None where their rows are not the same things.

    Args:
        first, second: traces with as many steps, where steps are iterations.
        steps: an iteration, from 1, at which a run stands still.
    """
    mains = [MAIN[trace.kind](trace) for trace in (first, second)]
    n_rows = min(len(main.rows) for main in mains)
    same = mains[0].rows[:n_rows] == mains[1].rows[:n_rows] and mains[0].what == mains[1].what
    if not same or (mains[0].row_title == "class" and mains[0].rows != mains[1].rows):
        return None
    a, b = (hold(main.values, step)[:, :, :n_rows] for main, step in zip(mains, steps, strict=True))
    columns = [main.columns for main in mains]
    words = mains[0].aligned and mains[1].aligned
    pairs = align(*columns) if words else [(i, i) for i in range(min(map(len, columns)))]
    names = [_named(*columns, i, j) for i, j in pairs]
    largest = max(float(np.abs(values).max()) for values in (a, b))
    in_columns = (_take(a, [i for i, _ in pairs]), _take(b, [j for _, j in pairs]))
    return Aligned(*in_columns, pairs, names, mains[0], largest or 1.0)


def hold(values: np.ndarray, step: int | None) -> np.ndarray:
    """The values [t, ..], or those of one step, from 1, at every step."""
    if step is None or len(values) == 1:
        return values
    return np.repeat(values[min(step, len(values)) - 1][None], len(values), 0)


def _take(values: np.ndarray, positions: list[int | None]) -> np.ndarray:
    taken = np.full((len(values), len(positions), values.shape[2]), np.nan, np.float32)
    for column, position in enumerate(positions):
        if position is not None:
            taken[:, column] = values[:, position]
    return taken


def three_pictures(both: Aligned) -> dict[str, Figure]:
    """A and B on one scale, and B - A, column below column. A click in any picks the cell in all."""
    main, n_rows = both.main, both.first.shape[2]
    rows, height = main.rows[:n_rows], min(ROW, max(3, TALLEST_OF_THREE // n_rows))
    signed = min(np.nanmin(both.first), np.nanmin(both.second)) < 0
    domain = (-both.largest, both.largest) if signed else (0, max(1.0, both.largest))
    palette = {"range": tuple(SIGNED)} if signed else {}
    moved = float(np.nanmax(np.abs(both.changed), initial=0.0)) or 1.0
    what = f"{main.what} by {main.row_title or 'row'}"
    shared = Colour(main.what, [what], domain, **palette)
    change = Colour("B - A", [f"{what}, B - A"], (-moved, moved), range=tuple(SIGNED))
    pictures = {"A": (both.first, shared), "B": (both.second, shared), "B - A": (both.changed, change)}
    figures = {
        title: heatmap(
            values,
            Axis(main.unit, both.names, labels=[shorten(name) for name in both.names]),
            Axis(main.row_title or "row", rows, labels=_labels(rows, height >= 12)),
            colour,
            framed=f"datum.i * {n_rows} + datum.j == picked",
            row=height,
        )
        for title, (values, colour) in pictures.items()
    }
    for title, figure in figures.items():
        figure.spec["padding"] = TIGHT
        if title != "B - A":  # the words stand once, below all three
            figure.spec["encoding"]["x"]["axis"] = BARE_AXIS
    figures["B"].spec["encoding"]["color"]["legend"] = None  # A's stands above it
    return figures


def signed_heatmap(
    values: np.ndarray, columns: list[str], rows: list[str], what: str, unit: str, row_title: str
) -> Figure:
    """Values [t, i, row] below and above 0; the scale ends at the largest of either sign.

    Args:
        what: the numbers, in words.
        unit: what a column is. row_title: what a row is.
    """
    largest = float(np.nanmax(np.abs(values), initial=0.0)) or 1.0
    colour = Colour(what, [what], (-largest, largest), range=tuple(SIGNED))
    return _grid(values, columns, rows, colour, unit, row_title)


def share_heatmap(
    values: np.ndarray, columns: list[str], rows: list[str], what: str, unit: str, row_title: str
) -> Figure:
    """Shares [t, i, row] from 0 to 1; arguments as in ``signed_heatmap``."""
    return _grid(values, columns, rows, Colour(what, [what]), unit, row_title)


def _grid(values: np.ndarray, columns: list[str], rows: list[str], colour: Colour, unit: str, row_title: str) -> Figure:
    """A heat map that fits half a page: many columns are narrow, many rows are thin, and few of them have labels."""
    height, many = min(CELL, max(6, TALLEST // len(rows))), len(columns) > MANY
    labels = [name.partition(" → ")[2] or name for name in columns]
    return heatmap(
        values,
        Axis(unit, columns, title=f"{unit} i" if many else None, labels=_labels(labels, not many or unit == "word")),
        Axis(row_title or "row", rows, title=row_title, labels=_labels(rows, height >= 12)),
        colour,
        row=height,
        cell=NARROW if many and unit != "word" else CELL,
    )


def _labels(names: list[str], all_: bool) -> list[str]:
    """Shortened names, or every fifth where there is no room."""
    return [shorten(name) if all_ or k == 0 or k % 5 == 4 else "" for k, name in enumerate(names)]


def align(before: Sequence[str], after: Sequence[str]) -> Pairs:
    """The positions of words in two texts, side by side, by the longest runs that they share.

    Source: difflib. A run of words that stands in place of another is paired with it word by word.
    """
    pairs: Pairs = []
    for _, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        pairs += zip_longest(range(i1, i2), range(j1, j2))
    return pairs


def _named(before: Sequence[str], after: Sequence[str], i: int | None, j: int | None) -> str:
    if i is None:
        return f"+ {after[j]}"
    if j is None:
        return f"- {before[i]}"
    return before[i] if before[i] == after[j] else f"{before[i]} → {after[j]}"
