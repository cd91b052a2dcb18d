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
    first, second = MAIN[before.kind](before), MAIN[after.kind](after)
    pairs = align(first.columns, second.columns) if first.aligned else [(i, i) for i in range(len(first.columns))]
    t = min(len(first.values), len(second.values))
    changed = np.full((t, len(pairs), len(first.rows)), np.nan, np.float32)
    for column, (i, j) in enumerate(pairs):
        if i is not None and j is not None:
            changed[:, column] = second.values[:t, j] - first.values[:t, i]
    names = [_named(first.columns, second.columns, i, j) for i, j in pairs]
    what = f"{first.what}, after less before"
    return signed_heatmap(changed, names, first.rows, what, first.unit, first.row_title)


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
