"""Tables as CSV in which a spreadsheet finds no formula, whoever wrote their texts."""

import pandas as pd

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")  # what the text of a formula, or of one that hides, begins with


def to_csv(table: pd.DataFrame) -> str:
    """A table as CSV, without its index. An apostrophe stands before a text that would be a formula; numbers stay."""
    safe = table.rename(columns=_as_text)
    for place in range(safe.shape[1]):
        column = safe.iloc[:, place]
        if not pd.api.types.is_numeric_dtype(column.dtype):
            safe.isetitem(place, column.astype(object).map(_as_text, na_action="ignore"))
    return safe.to_csv(index=False, lineterminator="\r\n")  # either half in a text is quoted, and begins no row


def _as_text(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) and not _is_number(cell) else cell


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text == text.strip()
