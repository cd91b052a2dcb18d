"""Writes tables as CSV in which spreadsheets find no formula, even if a text looks like one."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")  # first characters of formulas, and of texts that hide one


def to_csv(table: "pandas.DataFrame") -> str:
    """A table as CSV, without its index. A text that would be a formula gets an apostrophe; numbers are kept."""
    from pandas.api.types import is_numeric_dtype

    safe = table.rename(columns=_without_formula)
    for place in range(safe.shape[1]):
        column = safe.iloc[:, place]
        if not is_numeric_dtype(column.dtype):
            safe.isetitem(place, column.astype(object).map(_without_formula, na_action="ignore"))
    # With both characters as the end of a line, pandas quotes texts that contain either of them.
    return safe.to_csv(index=False, lineterminator="\r\n")


def _without_formula(cell: object) -> object:
    """A cell, with an apostrophe before a text that a spreadsheet would take for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) and not _is_number(cell) else cell


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text == text.strip()
