"""The main numbers of two runs side by side, with aligned words and matched capsules."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import zip_longest

import numpy as np

from core.trace import Trace
from dashboard.figures.kinds import Main, family_of

DRAWS = 50  # random orders
Pairs = list[tuple[int | None, int | None]]  # pairs of positions before and after; None for a missing one


@dataclass(frozen=True)
class Aligned:
    """The main numbers of two runs in one table of cells: one column per pair of words, one row per pair of capsules.

    A cell is NaN if a run has no such word or capsule.

    Attributes:
        first, second: numbers of both runs, [t, column, row].
        pairs: positions of each column's word in the two runs.
        columns: names of each column in the two runs; "" if a run has no such word.
        rows: names of each row in the two runs. They differ only if capsules of two trainings are matched; "" if a run
            has no such row.
        main: numbers of the first run, for the names of the rows.
        largest: largest number of both runs, of either sign.
        is_matched: whether rows or columns of two trainings, which have no common order, are matched by their numbers.
    """

    first: np.ndarray
    second: np.ndarray
    pairs: Pairs
    columns: list[tuple[str, str]]
    rows: list[tuple[str, str]]
    main: Main
    largest: float
    is_matched: bool = False

    @property
    def labels(self) -> list[str]:
        """The name of each column if neither run came first, such as "good / bad"."""
        return [_either(*pair) for pair in self.columns]

    @property
    def row_labels(self) -> list[str]:
        """The name of each row if neither run came first."""
        return [_either(*pair) for pair in self.rows]

    @property
    def unmatched(self) -> tuple[list[str], list[str]]:
        """The names of the capsules or features of each run that are not matched with one of the other run."""
        return [a for a, b in self.partners if not b], [b for a, b in self.partners if not a]

    @property
    def partners(self) -> list[tuple[str, str]]:
        """The names of the capsules or features that are matched; "" for a missing one."""
        columns = [("" if i is None else str(i + 1), "" if j is None else str(j + 1)) for i, j in self.pairs]
        return self.rows if self.main.unordered == "rows" else columns

    @property
    def changed(self) -> np.ndarray:
        """Second minus first."""
        return self.second - self.first


def align_runs(first: Trace, second: Trace, steps: tuple[int | None, int | None] = (None, None)) -> Aligned | None:
    """Align two runs; None if their numbers are not comparable.

    Args:
        first, second: traces with the same number of steps, if steps are iterations.
        steps: fixed iteration of each run, from 1, or None.
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
        pairs = align_words(*columns) if words else _in_order(*columns)
    a, b = _take(a, [i for i, _ in pairs]), _take(b, [j for _, j in pairs])
    row_pairs = _in_order(*rows)
    if is_matched and mains[0].unordered == "rows":
        row_pairs = _match_all(a[-1].T, b[-1].T)
    a, b = _take(a, [i for i, _ in row_pairs], 2), _take(b, [j for _, j in row_pairs], 2)
    largest = max(float(np.nanmax(np.abs(values), initial=0.0)) for values in (a, b))
    named = (_named(*columns, pairs), _named(*rows, row_pairs))
    return Aligned(a, b, pairs, *named, mains[0], largest or 1.0, is_matched)


def match_main(first: Main, second: Main) -> Main:
    """The numbers of another training, with its capsules in the order of those of the first that they are most like.

    A capsule that another training lacks has no name, and its numbers are NaN.

    Args:
        first: numbers of the first training.
        second: numbers of the other one, with as many steps.
    """
    if not first.unordered:
        return second
    if first.unordered == "columns":
        return _at(second, _partners(_match_all(first.values[-1], second.values[-1])))
    partners = _partners(_match_all(first.values[-1].T, second.values[-1].T))
    rows = ["" if position is None else second.rows[position] for position in partners]
    return replace(second, values=_take(second.values, partners, 2), rows=rows)


def _partners(pairs: Pairs) -> list[int | None]:
    """The position in the second sequence of each position of the first."""
    return [j for i, j in pairs if i is not None]


def correlate(first: Main, second: Main) -> float | None:
    """The correlation of the cells of two trainings at the last step, with matched capsules; None if one is constant.

    Args:
        first, second: numbers as in ``match_main``.
    """
    a, b = first.values[-1].ravel(), match_main(first, second).values[-1].ravel()
    both = np.isfinite(a) & np.isfinite(b)
    a, b = a[both], b[both]
    if len(a) < 2 or not (a.std() and b.std()):
        return None
    return float(np.corrcoef(a, b)[0, 1])


def correlate_by_chance(first: Main, second: Main) -> float | None:
    """The mean of ``correlate`` with the other training's words or classes in ``DRAWS`` random orders.

    Matching alone makes any two pictures somewhat alike.
    """
    draw, axis = np.random.default_rng(0), 2 if first.unordered == "columns" else 1
    orders = (draw.permutation(second.values.shape[axis]) for _ in range(DRAWS))
    found = [correlate(first, replace(second, values=second.values.take(order, axis))) for order in orders]
    given = [value for value in found if value is not None]
    return sum(given) / len(given) if given else None


def align_columns(first: Trace, second: Trace, steps: tuple[int | None, int | None]) -> list[Main] | None:
    """The main numbers of two runs that are not comparable, each with its own rows; None if a run has none.

    If both have words as columns, these are aligned: a word that a run lacks is "", and its numbers are NaN.

    Args:
        first, second, steps: as in ``align_runs``.
    """
    mains = [main for trace in (first, second) if (main := family_of(trace).main_of(trace))]
    if len(mains) < 2:
        return None
    held = [replace(main, values=hold(main.values, step)) for main, step in zip(mains, steps, strict=True)]
    if not (mains[0].aligned and mains[1].aligned and mains[0].unit == mains[1].unit):
        return held
    pairs = align_words(mains[0].columns, mains[1].columns)
    return [_at(main, [pair[k] for pair in pairs]) for k, main in enumerate(held)]


def _at(main: Main, positions: Sequence[int | None]) -> Main:
    """The numbers of these columns; an empty column for None."""
    names = ["" if position is None else main.columns[position] for position in positions]
    return replace(main, values=_take(main.values, positions), columns=names)


def have_different_sums(first: Trace, second: Trace) -> bool:
    """Whether the shares of each word sum to 1 in one run, and the shares of each capsule in the other."""
    mains = [family_of(trace).main_of(trace) for trace in (first, second)]
    sums = {main.sums if main else "" for main in mains}
    return len(sums) == 2 and "" not in sums


def _are_comparable(first: Main, second: Main) -> bool:
    """Whether the numbers are the same quantity of the same things."""
    n_rows = min(len(first.rows), len(second.rows))
    same = [(main.rows[:n_rows], main.quantity, main.unit, main.sums) for main in (first, second)]
    return same[0] == same[1] and (first.row_title != "class" or first.rows == second.rows)


def match(first: np.ndarray, second: np.ndarray) -> list[tuple[int, int]]:
    """Match the rows of two arrays so that the sum of squared distances is smallest.

    Each row is in at most one pair. Distances are squared so that the best match is unique even if all rows of one
    array are larger than those of the other.

    Source: the assignment problem, by ``scipy.optimize.linear_sum_assignment``.

    Args:
        first, second: numbers of each row, [i, n] and [j, n]; columns with NaN are ignored.

    Returns:
        Pairs of indices, in the order of the first array.
    """
    from scipy.optimize import linear_sum_assignment  # slow to import

    distances = np.nansum(np.square(first[:, None].astype(np.float64) - second[None]), axis=-1)
    rows, others = linear_sum_assignment(distances)
    return list(zip(rows.tolist(), others.tolist(), strict=True))


def _match_all(first: np.ndarray, second: np.ndarray) -> Pairs:
    """The pairs of ``match``, and each unmatched row with None."""
    pairs = match(first, second)
    matched_first, matched_second = ({pair[k] for pair in pairs} for k in (0, 1))
    only_first = [(i, None) for i in range(len(first)) if i not in matched_first]
    only_second = [(None, j) for j in range(len(second)) if j not in matched_second]
    return [*sorted([*pairs, *only_first], key=lambda pair: pair[0]), *only_second]


def _in_order(first: Sequence[str], second: Sequence[str]) -> Pairs:
    """Pair equal positions of two sequences; the rest of the longer one is paired with None."""
    return list(zip_longest(range(len(first)), range(len(second))))


def hold(values: np.ndarray, step: int | None) -> np.ndarray:
    """Repeat the values of one step, from 1, at every step; keep all values [t, ..] if the step is None."""
    if step is None or len(values) == 1:
        return values
    return np.repeat(values[min(step, len(values)) - 1][None], len(values), 0)


def _take(values: np.ndarray, positions: Sequence[int | None], axis: int = 1) -> np.ndarray:
    """The values at these positions; NaN for None."""
    with_none = np.insert(values.astype(np.float32), values.shape[axis], np.nan, axis)
    return with_none.take([-1 if position is None else position for position in positions], axis)


def align_words(before: Sequence[str], after: Sequence[str]) -> Pairs:
    """Align the words of two texts by their longest common sequences.

    Source: difflib. If one sequence of words replaces another, their words are paired one by one.
    """
    pairs: Pairs = []
    for _, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        pairs += zip_longest(range(i1, i2), range(j1, j2))
    return pairs


def _named(first: Sequence[str], second: Sequence[str], pairs: Pairs) -> list[tuple[str, str]]:
    """The names of each pair; "" for a missing one."""
    return [("" if i is None else first[i], "" if j is None else second[j]) for i, j in pairs]


def _either(first: str, second: str) -> str:
    """The name of a pair without an order."""
    return first or second if first == second or not (first and second) else f"{first} / {second}"
