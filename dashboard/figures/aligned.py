"""The main numbers of two runs side by side: their words aligned, and capsules of two trainings matched."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest

import numpy as np

from core.trace import Trace
from dashboard.figures.kinds import Main, family_of

Pairs = list[tuple[int | None, int | None]]  # of a position before and after; None where there is none


@dataclass(frozen=True)
class Aligned:
    """The main numbers of two runs in one table of cells: a column a pair of words, a row a pair of capsules.

    A cell is NaN where a run has no such word or capsule.

    Attributes:
        first, second: [t, column, row].
        pairs: the position of each column's word in the two runs.
        names: of the columns, such as "good → bad".
        rows: what each row is called in the two runs: the same, unless capsules of two trainings are matched; empty
            where a run has no such row.
        main: of the first run, for the names of the rows.
        largest: of both, of either sign.
        is_matched: whether rows or columns of two trainings, whose order means nothing, are matched by their numbers.
    """

    first: np.ndarray
    second: np.ndarray
    pairs: Pairs
    names: list[str]
    rows: list[tuple[str, str]]
    main: Main
    largest: float
    is_matched: bool = False

    @property
    def row_names(self) -> list[str]:
        """What each row is called in both runs."""
        return [_both_names(*pair) for pair in self.rows]

    @property
    def unmatched(self) -> tuple[list[str], list[str]]:
        """What capsules or features of each run are called that none of the other is matched with."""
        columns = [tuple("" if k is None else str(k + 1) for k in pair) for pair in self.pairs]
        pairs = self.rows if self.main.unordered == "rows" else columns
        return [a for a, b in pairs if not b], [b for a, b in pairs if not a]

    @property
    def changed(self) -> np.ndarray:
        """Second less first."""
        return self.second - self.first


def aligned(first: Trace, second: Trace, steps: tuple[int | None, int | None] = (None, None)) -> Aligned | None:
    """Two runs side by side; None where their numbers are not of the same things.

    Args:
        first, second: traces with as many steps, where steps are iterations.
        steps: an iteration, from 1, at which a run stands still.
    """
    mains = [main for trace in (first, second) if (main := family_of(trace).main_of(trace))]
    if len(mains) < 2 or not _are_comparable(*mains):
        return None
    a, b = (hold(main.values, step) for main, step in zip(mains, steps, strict=True))
    columns, rows = [main.columns for main in mains], [main.rows for main in mains]
    is_matched = first.weights != second.weights and mains[0].unordered != ""
    if is_matched and mains[0].unordered == "columns":
        pairs = _match_all(a[-1], b[-1])
    else:
        words = mains[0].aligned and mains[1].aligned
        pairs = align(*columns) if words else _in_order(*columns)
    a, b = _take(a, [i for i, _ in pairs]), _take(b, [j for _, j in pairs])
    of_rows = _in_order(*rows)
    if is_matched and mains[0].unordered == "rows":
        of_rows = _match_all(a[-1].T, b[-1].T)
    a, b = _take(a, [i for i, _ in of_rows], 2), _take(b, [j for _, j in of_rows], 2)
    names = [_named(*columns, i, j) for i, j in pairs]
    largest = max(float(np.nanmax(np.abs(values), initial=0.0)) for values in (a, b))
    called = [("" if i is None else rows[0][i], "" if j is None else rows[1][j]) for i, j in of_rows]
    return Aligned(a, b, pairs, names, called, mains[0], largest or 1.0, is_matched)


def have_other_sums(first: Trace, second: Trace) -> bool:
    """Whether shares of the one sum to 1 over each word, and those of the other over each capsule."""
    mains = [family_of(trace).main_of(trace) for trace in (first, second)]
    sums = {main.sums if main else "" for main in mains}
    return len(sums) == 2 and "" not in sums


def _are_comparable(first: Main, second: Main) -> bool:
    """Whether the numbers are the same quantity of the same things."""
    n_rows = min(len(first.rows), len(second.rows))
    same = [(main.rows[:n_rows], main.what, main.unit, main.sums) for main in (first, second)]
    return same[0] == same[1] and (first.row_title != "class" or first.rows == second.rows)


def match(first: np.ndarray, second: np.ndarray) -> list[tuple[int, int]]:
    """Pairs of a row of each, in the order of the first, with the least squared distance in sum.

    Each row is in one pair at most. Distances are squared so that rows that are all larger than all others still have
    one best order.

    Source: the assignment problem, by ``scipy.optimize.linear_sum_assignment``.

    Args:
        first, second: the numbers of each thing, [i, n] and [j, n]; those that are NaN in either are left out.
    """
    from scipy.optimize import linear_sum_assignment  # takes a while to import

    apart = np.nansum(np.square(first[:, None].astype(np.float64) - second[None]), axis=-1)
    rows, others = linear_sum_assignment(apart)
    return list(zip(rows.tolist(), others.tolist(), strict=True))


def _match_all(first: np.ndarray, second: np.ndarray) -> Pairs:
    """The pairs of ``match``, and each thing that it leaves out without a partner."""
    pairs = match(first, second)
    of_first, of_second = ({pair[k] for pair in pairs} for k in (0, 1))
    alone = [(i, None) for i in range(len(first)) if i not in of_first]
    others = [(None, j) for j in range(len(second)) if j not in of_second]
    return [*sorted([*pairs, *alone], key=lambda pair: pair[0]), *others]


def _in_order(first: Sequence[str], second: Sequence[str]) -> Pairs:
    """The first thing of each, then the second of each, and so on; those of the longer one without a partner."""
    return list(zip_longest(range(len(first)), range(len(second))))


def hold(values: np.ndarray, step: int | None) -> np.ndarray:
    """The values [t, ..], or those of one step, from 1, at every step."""
    if step is None or len(values) == 1:
        return values
    return np.repeat(values[min(step, len(values)) - 1][None], len(values), 0)


def _take(values: np.ndarray, positions: Sequence[int | None], axis: int = 1) -> np.ndarray:
    """The values at these positions; NaN where there is none."""
    with_none = np.insert(values.astype(np.float32), values.shape[axis], np.nan, axis)
    return with_none.take([-1 if position is None else position for position in positions], axis)


def align(before: Sequence[str], after: Sequence[str]) -> Pairs:
    """The positions of words in two texts, side by side, by the longest runs that they share.

    Source: difflib. A run of words that stands in place of another is paired with it word by word.
    """
    pairs: Pairs = []
    for _, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        pairs += zip_longest(range(i1, i2), range(j1, j2))
    return pairs


def _both_names(first: str, second: str) -> str:
    """What a row is called that only one run may have, with the signs of a word that only one run has."""
    if not (first and second):
        return f"- {first}" if first else f"+ {second}"
    return first if first == second else f"{first}, {second}"


def _named(before: Sequence[str], after: Sequence[str], i: int | None, j: int | None) -> str:
    if i is None:
        return f"+ {after[j]}"
    if j is None:
        return f"- {before[i]}"
    return before[i] if before[i] == after[j] else f"{before[i]} → {after[j]}"
